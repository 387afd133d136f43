/// Reading.
extension OpenAPI {
  static let itemPaths = """
    "/items":{
    "get":{"operationId":"listItems","summary":"Lists the items of a view.","parameters":[\(view),
    {"$ref":"#/components/parameters/If-None-Match"}],
    "responses":{"200":{"description":"The list.",\(tag),"content":{
    "application/json":{"schema":{"$ref":"#/components/schemas/List"}},
    "application/jsonl":{"schema":{"type":"string","description":"The snapshot lines of the stream."}},
    "text/csv":{"schema":{"type":"string"}}}},
    "304":{"description":"The client has this list."},\(problems(404, 406))}},
    "post":{"operationId":"createItem","summary":"Creates an item.",
    "requestBody":{"required":true,\(content("NewItem", "application/json"))},
    "responses":{"201":{"description":"The item was created.",
    "headers":{"ETag":{"schema":{"type":"string"}},"Location":{"schema":{"type":"string"}}},
    \(content("Item", "application/json"))},\(problems(409, 413, 415, 422, 507))}}},
    "/item/source":{
    "get":{"operationId":"getSource","summary":"Returns the text of an item's file.",\(uses("id", "If-None-Match")),
    "responses":{"200":{"description":"The bytes of the file.",\(tag),"content":{"text/plain":{"schema":{"type":"string"}}}},
    "304":{"description":"The client has this version."},\(problems(404))}},
    "put":{"operationId":"replaceSource","summary":"Replaces the text of an item's file.",\(uses("id", "If-Match", "Prefer")),
    "requestBody":{"required":true,\(content("Source", "application/json"))},
    "responses":{"200":{"description":"The text was saved.",\(tag),\(content("Item", "application/json"))},
    \(problems(404, 409, 412, 413, 415, 422, 428, 507))}}},
    "/fields":{"get":{"operationId":"listFields","summary":"Lists the fields of a sample of the items, and the named views.",
    "responses":{"200":{"description":"The fields.",\(content("Fields", "application/json"))},\(problems())}}},
    "/problems":{"get":{"operationId":"listProblems","summary":"Lists the files of the folder with a problem.",
    "responses":{"200":{"description":"The problems.",\(content("Problems", "application/json"))},\(problems())}}}
    """

  static let historyPaths = """
    "/diff":{"get":{"operationId":"compareRevisions","summary":"Compares the list between two revisions of git.",
    "parameters":[{"name":"from","in":"query","description":"The older revision; HEAD by default.","schema":{"type":"string"}},
    {"name":"to","in":"query","description":"The newer revision; the work tree by default.","schema":{"type":"string"}},\(view)],
    "responses":{"200":{"description":"The changes.","content":{
    "application/json":{"schema":{"$ref":"#/components/schemas/Difference"}},
    "application/jsonl":{"schema":{"type":"string","description":"The lines of notes-watch diff -o jsonl."}}}},
    \(problems(404, 406, 409))}}},
    "/item/log":{"get":{"operationId":"getItemLog","summary":"Lists the commits that changed an item, field by field.",
    "parameters":[{"$ref":"#/components/parameters/id"},{"$ref":"#/components/parameters/fields"},
    {"name":"limit","in":"query","description":"The number of commits.",
    "schema":{"type":"integer","minimum":1,"maximum":1000,"default":20}}],
    "responses":{"200":{"description":"The commits, newest first.","content":{
    "application/json":{"schema":{"$ref":"#/components/schemas/Log"}},
    "application/jsonl":{"schema":{"type":"string","description":"The lines of notes-watch log -o jsonl."}}}},
    \(problems(404, 406, 409))}}}
    """

  static let serverPaths = """
    "/health":{"get":{"operationId":"getHealth","summary":"Says that the server answers.","security":[],
    "responses":{"200":{"description":"It does.","content":{"application/json":{"schema":{
    "type":"object","required":["status"],"properties":{"status":{"const":"ok"}}}}}},\(problems())}}},
    "/metrics":{"get":{"operationId":"getMetrics","summary":"Returns numbers for Prometheus.",
    "responses":{"200":{"description":"The numbers.","content":{"text/plain":{"schema":{"type":"string"}}}},\(problems())}}},
    "/openapi.json":{"get":{"operationId":"getDescription","summary":"Returns this document.",
    "responses":{"200":{"description":"The document.","content":{"application/json":{"schema":{"type":"object"}}}},\(problems())}}},
    "/session":{"get":{"operationId":"beginSession","summary":"Exchanges a one-time token for a cookie.","security":[],
    "parameters":[{"name":"token","in":"query","required":true,"schema":{"type":"string"}},
    {"name":"to","in":"query","description":"The path to open.","schema":{"type":"string"}}],
    "responses":{"200":{"description":"A page that opens the list.","content":{"text/html":{"schema":{"type":"string"}}}},
    "303":{"description":"The session began."},\(problems())}}},
    "/session/url":{"post":{"operationId":"createSessionURL","summary":"Makes a new one-time URL.",
    "responses":{"200":{"description":"The URL.","content":{"application/json":{"schema":{
    "type":"object","required":["url"],"properties":{"url":{"type":"string"}}}}}},\(problems(415))}}}
    """

  static let streamPaths = """
    "/stream":{"get":{"operationId":"openStream","summary":"Streams the changes of one or more views as server-sent events.",
    "parameters":[\(view),{"name":"from","in":"query","description":"The token to continue from.","schema":{"type":"string"}},
    {"name":"views","in":"query","description":"A JSON object with several views.","schema":{"type":"string"}},
    {"name":"Last-Event-ID","in":"header","schema":{"type":"string"}}],
    "responses":{"200":{"description":"The events, until the client leaves.","content":{"text/event-stream":{"schema":{"type":"string"}}}},
    \(problems(404))}}},
    "/stream/views":{"post":{"operationId":"changeViews","summary":"Changes the views of an open stream.",
    "requestBody":{"required":true,\(content("Views", "application/json"))},
    "responses":{"204":{"description":"The answers come on the stream."},\(problems(404, 413, 415, 429))}}}
    """

  /// The content of a page.
  private static let page = "\"content\":{\"text/html\":{\"schema\":{\"type\":\"string\"}}}"

  static let pagePaths = """
    "/plain":{"get":{"operationId":"showPlainList","summary":"Shows the list, or an item, as a page without script.",
    "parameters":[\(view),{"name":"page","in":"query","description":"The page of the list, from 1.","schema":{"type":"integer","minimum":1}},
    {"name":"id","in":"query","description":"The printed id of the item to show.","schema":{"type":"string"}}],
    "responses":{"200":{"description":"The page.",\(page)},"400":{"description":"A page that says what is malformed.",\(page)},
    "404":{"description":"A page that says what is not there.",\(page)},\(problems(without: 400))}}},
    "/":{"get":{"operationId":"showPage","summary":"Shows the live page.",
    "responses":{"200":{"description":"The page.","content":{"text/html":{"schema":{"type":"string"}}}},
    "304":{"description":"The browser has it."},\(problems())}}},
    "/assets/{name}":{"get":{"operationId":"getAsset","summary":"Returns a file of the page.",
    "parameters":[{"name":"name","in":"path","required":true,"schema":{"type":"string"}}],
    "responses":{"200":{"description":"The file.","content":{"*/*":{}}},"304":{"description":"The browser has it."},\(problems(404))}}}
    """
}
