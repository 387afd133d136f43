/// Changing.
extension OpenAPI {
  static let changePaths = """
    "/item":{
    "get":{"operationId":"getItem","summary":"Returns an item.",\(uses("id", "If-None-Match")),
    "responses":{"200":{"description":"The item.",\(tag),\(content("Item", "application/json"))},
    "304":{"description":"The client has this version."},\(problems(404))}},
    "patch":{"operationId":"patchItem","summary":"Changes fields of an item.",\(uses("id", "If-Match", "Prefer")),
    "requestBody":{"required":true,"content":{
    "application/merge-patch+json":{"schema":{"type":"object"}},
    "application/json-patch+json":{"schema":{"$ref":"#/components/schemas/JSONPatch"}}}},
    "responses":{"200":{"description":"The change was saved.",\(tag),\(content("Item", "application/json"))},
    \(problems(404, 409, 412, 413, 415, 422, 428, 507))}},
    "put":{"operationId":"putItem","summary":"Sets all fields of an item, or creates it.",
    \(uses("id", "If-Match", "If-None-Match", "Prefer")),
    "requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}}}},
    "responses":{"200":{"description":"The change was saved.",\(tag),\(content("Item", "application/json"))},
    "201":{"description":"The item was created.",
    "headers":{"ETag":{"schema":{"type":"string"}},"Location":{"schema":{"type":"string"}}},
    \(content("Item", "application/json"))},\(problems(409, 412, 413, 415, 422, 428, 507))}},
    "delete":{"operationId":"deleteItem","summary":"Deletes an item with its file.",
    \(uses("id", "revision", "If-Match")),
    "responses":{"200":{"description":"The item was deleted.",\(content("Undo", "application/json"))},
    \(problems(404, 409, 412, 428))}}},
    "/undo":{"post":{"operationId":"undo","summary":"Undoes a change if the file is as the change left it.",
    "requestBody":{"required":true,\(content("UndoRequest", "application/json"))},
    "responses":{"200":{"description":"The change was undone.",\(content("Undone", "application/json"))},
    \(problems(404, 409, 413, 415, 507))}}}
    """

  static let parameters = """
    "parameters":{
    "id":{"name":"id","in":"query","required":true,"description":"The printed id of the item.","schema":{"type":"string"}},
    "revision":{"name":"revision","in":"query","description":"The version that a row shows, in place of If-Match.",
    "schema":{"type":"string"}},
    "view":{"name":"view","in":"query","description":"The name of a view.","schema":{"type":"string"}},
    "sort":{"name":"sort","in":"query","description":"Fields; a leading - reverses one, :nulls-first puts items without a value first.","schema":{"type":"string"}},
    "section":{"name":"section","in":"query","description":"The field of the sections.","schema":{"type":"string"}},
    "section-order":{"name":"section-order","in":"query","description":"The sections that come first.","schema":{"type":"string"}},
    "where":{"name":"where","in":"query","description":"A predicate.","schema":{"type":"string"}},
    "search":{"name":"search","in":"query","description":"Words that each item has.","schema":{"type":"string"}},
    "search-fields":{"name":"search-fields","in":"query","description":"The fields to search.","schema":{"type":"string"}},
    "fields":{"name":"fields","in":"query","description":"The fields to show.","schema":{"type":"string"}},
    "limit":{"name":"limit","in":"query","description":"The number of items.","schema":{"type":"integer","minimum":0}},
    "offset":{"name":"offset","in":"query","description":"The number of items to skip.","schema":{"type":"integer","minimum":0}},
    "If-Match":{"name":"If-Match","in":"header","description":"The ETag that the change is based on.","schema":{"type":"string"}},
    "If-None-Match":{"name":"If-None-Match","in":"header","description":"ETags that the client has, or * to create.",
    "schema":{"type":"string"}},
    "Prefer":{"name":"Prefer","in":"header","description":"merge: keep changes of other fields.","schema":{"type":"string"}}}
    """

  static let securitySchemes = """
    "securitySchemes":{"bearer":{"type":"http","scheme":"bearer"},
    "cookie":{"type":"apiKey","in":"cookie","name":"notes-watch-PORT","description":"The name has the port of the server."}}
    """

  /// The statuses of problems.
  private static let problemStatuses: KeyValuePairs = [
    400: "The request is malformed.", 401: "The request has no valid token.", 403: "The request is not allowed.",
    404: "There is nothing of this name.", 406: "The route has none of the accepted types.", 408: "The request took too long.",
    409: "The request does not fit the state of the folder.", 412: "The item is not as the request says.",
    413: "The body is too large.", 415: "The body has another type.", 421: "The server does not have this name.",
    422: "The item cannot have these values.", 428: "A condition is missing.", 429: "Too many changes wait.",
    503: "The server or the file is busy.", 507: "The disk is full.",
  ]

  static let responses =
    "\"responses\":{"
    + problemStatuses.map { status, text in
      "\"\(status)\":{\"description\":\"\(text)\",\(content("Problem", "application/problem+json"))}"
    }.joined(separator: ",\n") + "}"
}
