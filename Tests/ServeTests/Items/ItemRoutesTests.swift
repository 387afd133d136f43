import HTTPTypes
import Store
import TestSupport
import Testing
import Values

@testable import Serve

struct ItemRoutesTests {
  private static let files = [
    "ada.yaml": "name: Ada\nrating: 9.50\ngroup: friends\n", "bob.json": #"{"name":"Bob","group":"work"}"#,
    "sub/eve.md": "---\nname: Eve\n---\nHello\n",
  ]

  @Test func `A list has its sections, items and numbers`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    let answer = try await served.get("/items?section=group&sort=name&limit=2")
    #expect(answer.status == 200)
    #expect(answer.type == "application/json")
    #expect(answer.json["count"] == 2)
    #expect(answer.json["matching"] == 3)
    #expect(answer.json["total"] == 3)
    let sections = answer.json["sections"]?.elements ?? []
    let items = sections.flatMap { $0["items"]?.elements ?? [] }
    #expect(items.count == 2)
    #expect(answer.text.contains(#""rating":9.50"#))
  }

  @Test func `An empty list has hints about its predicate`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    let typo = try await served.get("/items?where=ratng+%3E+3")
    #expect(typo.json["hints"]?.elements?.count == 1)
    #expect(typo.text.contains("rating"))
    let type = try await served.get("/items?where=rating+%3D+%22x%22")
    #expect(type.json["hints"]?.elements?.first?.text.contains("compares") == true)
    #expect(try await served.get("/items?where=rating+%3E+300").json["hints"] == nil)
    #expect(try await served.get("/plain?where=ratng+%3E+3").text.contains("Hint: hint:") == false)
    // A file that has the field makes another list.
    try served.folder.write("ratng: 1\n", to: "zoe.yaml")
    let known = try await served.get("/items?where=ratng+%3E+3", [.ifNoneMatch: typo.tag])
    #expect(known.status == 200)
    #expect(known.json["hints"] == nil)
  }

  @Test func `A predicate without its quotes is refused, with the column of the word`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    for route in ["/items", "/stream"] {
      let answer = try await served.get("\(route)?where=rating+%3E+3+AND+group+%3D+friends")
      #expect(answer.status == 400)
      #expect(answer.json["type"] == "urn:notes-watch:problem:predicate")
      #expect(answer.json["column"] == 24)
      #expect(answer.json["parameter"] == "where")
      #expect(answer.text.contains(#"did you mean `group = \"friends\"`?"#), "\(answer.text)")
    }
    let plain = try await served.get("/plain?where=group+%3D+friends")
    #expect(plain.status == 400)
    #expect(plain.text.contains("did you mean"))
    #expect(try await served.get("/items?where=group+%3D+%60friends%60").status == 200)
    #expect(try await served.get("/items?where=group+%3D+name").status == 200)
  }

  @Test func `A query is refused with its column if it is malformed or has an unknown field`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    for (query, column) in [("rating:%3E3+gruop:friends", 11), ("rating:%3E3+%22a", 11)] {
      for route in ["/items", "/stream"] {
        let answer = try await served.get("\(route)?query=\(query)")
        #expect(answer.status == 400)
        #expect(answer.json["type"] == "urn:notes-watch:problem:query")
        #expect(answer.json["column"] == .integer(column))
        #expect(answer.json["parameter"] == "query")
      }
    }
    #expect(try await served.get("/plain?query=gruop:friends").text.contains("Did you mean `group`?"))
    #expect(try await served.get("/items?query=a&search=b").status == 400)
    #expect(try await served.get("/items?query=group:friends+OR+zzz").status == 200)
  }

  @Test func `A predicate of the settings without its quotes is a hint`() async throws {
    var files = ItemRoutesTests.files
    files[".notes-watch.yaml"] = "views: {bad: {where: group = friends OR name = 'Ada'}}\n"
    let served = try await ServedFolder(files)
    let answer = try await served.get("/items?view=bad")
    #expect(answer.status == 200)
    #expect(answer.json["count"] == 1)
    #expect(answer.json["hints"]?.elements?.count == 1)
    #expect(answer.text.contains("did you mean"))
    #expect(try await served.get("/plain?view=bad").text.contains("Warning: no item has the field"))
  }

  @Test func `A list of many items is one document in several pieces`() async throws {
    let files = (0..<1_203).map { ("n\($0).yaml", "group: g\($0 % 3)\n") }
    let served = try await ServedFolder(Dictionary(uniqueKeysWithValues: files))
    let answer = try await served.get("/items?section=group")
    let sections = answer.json["sections"]?.elements ?? []
    #expect(sections.map { $0["items"]?.elements?.count } == [401, 401, 401])
  }

  @Test(arguments: [
    ("", "application/json"), ("*/*", "application/json"), ("text/csv", "text/csv"),
    ("application/jsonl;q=0.5, text/csv;q=0.1", "application/jsonl"),
    ("text/*, application/json;q=0", "text/csv"), ("TEXT/CSV;Q=1", "text/csv"),
    ("application/*;q=0.2,application/json;q=0.1", "application/jsonl"),
  ])
  func `The client chooses the type of a list`(accept: String, type: String) async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    let answer = try await served.get("/items", accept.isEmpty ? [:] : [.accept: accept])
    #expect(answer.status == 200)
    #expect(answer.type.hasPrefix(type))
  }

  @Test func `A type that no list has is not acceptable`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    #expect(try await served.get("/items", [.accept: "image/png"]).status == 406)
  }

  @Test func `A list that the client has is not sent again`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    let first = try await served.get("/items?sort=name")
    #expect(try await served.get("/items?sort=name", [.ifNoneMatch: first.tag]).status == 304)
    #expect(try await served.get("/items?sort=-name", [.ifNoneMatch: first.tag]).status == 200)
    #expect(
      try await served.get("/items?sort=name", [.ifNoneMatch: first.tag, .accept: "text/csv"]).status == 200)
    try served.folder.write("name: Zoe\n", to: "zoe.yaml")
    #expect(try await served.get("/items?sort=name", [.ifNoneMatch: first.tag]).status == 200)
  }

  @Test func `An item has its values, problems and tag`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    let answer = try await served.get("/item?id=sub%2Feve")
    #expect(answer.status == 200)
    #expect(answer.json["value"]?["body"] == "Hello\n")
    #expect(answer.json["problems"]?.elements == [])
    #expect(answer.tag.hasPrefix("\""))
    #expect(try await served.get("/item?id=sub%2Feve", [.ifNoneMatch: "W/\(answer.tag)"]).status == 304)
    let source = try await served.get("/item/source?id=sub%2Feve")
    #expect(source.text == "---\nname: Eve\n---\nHello\n")
    #expect(source.tag == answer.tag)
    #expect(source.type == "text/plain; charset=utf-8")
  }

  @Test func `A file that cannot be read as an item keeps its last values and has a problem`() async throws {
    let served = try await ServedFolder(["ada.yaml": "rating: 1\n"], watching: true)
    try served.folder.write("rating: [\n", to: "ada.yaml")
    let answer = try await served.get("/item?id=ada")
    #expect(answer.json["value"]?["rating"] == 1)
    #expect(answer.json["problems"]?.elements?.count == 1)
    let problems = try await served.get("/problems")
    #expect(problems.json["count"] == 1)
    #expect(problems.json["problems"]?.elements?.first?["path"] == "ada.yaml")
  }

  @Test(arguments: [
    "../secret", "..%2fsecret", "%2e%2e%2fsecret", "..%252fsecret", "%252e%252e/secret", "/etc/passwd", "",
    "ada.yaml", ".",
  ])
  func `An id that leads out of the folder is unknown`(id: String) async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    for path in ["/item", "/item/source"] {
      let answer = try await served.get("\(path)?id=\(id)")
      #expect(answer.status == 404)
      #expect(answer.problem == "unknown-item")
      #expect(answer.type == "application/problem+json")
    }
  }

  @Test func `A similar id is named`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    let answer = try await served.get("/item?id=adda")
    #expect(answer.json["nearest"] == "ada")
  }

  /// A search among many ids for each request would hold up others.
  @Test func `A similar id is searched among a bounded number of items`() async throws {
    let count = CurrentItem.maxComparedIDs
    let served = try await ServedFolder([:])
    try served.folder.shell("for i in $(seq \(count)); do echo 'a: 1' > item$i.yaml; done")
    #expect(try await served.get("/item?id=itm7").json["nearest"] == "item7")
    #expect(try await served.get("/item?id=" + String(repeating: "x", count: 201)).json["nearest"] == nil)
    try served.folder.write("a: 1\n", to: "one-more.yaml")
    let answer = try await served.get("/item?id=itm7")
    #expect(answer.status == 404)
    #expect(answer.json["nearest"] == nil)
    #expect(answer.text.contains("GET /items lists the ids."))
  }

  @Test func `Fields have their types and the values of choices`() async throws {
    let served = try await ServedFolder(
      ItemRoutesTests.files.merging([".notes-watch.yaml": "views: {best: {sort: [-rating]}}\n"]) { $1 })
    let answer = try await served.get("/fields")
    let group = answer.json["fields"]?.elements?.first { $0["path"] == "group" }
    #expect(group?["types"] == ["string"])
    #expect(group?["values"] == ["friends", "work"])
    #expect(answer.json["views"]?.elements?.map { $0["name"] } == ["best"])
  }

  @Test func `A malformed request for a list names the parameter`() async throws {
    let served = try await ServedFolder(ItemRoutesTests.files)
    let answer = try await served.get("/items?where=rating+%3E%3E")
    #expect(answer.status == 400)
    #expect(answer.json["parameter"] == "where")
    #expect(answer.json["column"] != nil)
    #expect(try await served.get("/items?view=none").problem == "unknown-view")
    #expect(try await served.get("/items?colour=red").json["parameter"] == "colour")
    #expect(try await served.get("/item").json["parameter"] == "id")
  }

  @Test func `The view of the command line is the base of a client's view`() async throws {
    let base = try ViewParameters(RequestTarget("/items?sort=-name&limit=1"))
    let served = try await ServedFolder(ItemRoutesTests.files, base: base)
    let first = try await served.get("/items").json["sections"]?.elements?.first?["items"]?.elements?.first
    #expect(first?["id"] == "sub/eve")
    #expect(try await served.get("/items?limit=3").json["count"] == 3)
  }
}
