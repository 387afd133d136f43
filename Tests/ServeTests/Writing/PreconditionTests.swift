import HTTPTypes
import Serve
import Store
import TestSupport
import Testing
import Values

@testable import Files

struct PreconditionTests {
  private static let merge = "application/merge-patch+json"
  private static let files = ["ada.yaml": "name: Ada\nrating: 1\n", "bob.yaml": "name: Ada\nrating: 1\n"]

  private func patch(_ served: ServedFolder, _ body: String, _ match: String?, prefer: String? = nil)
    async throws -> Answer
  {
    var fields: HTTPFields = [.contentType: PreconditionTests.merge]
    fields[.ifMatch] = match
    if let name = HTTPField.Name("Prefer") { fields[name] = prefer }
    return try await served.send(.patch, "/item?id=ada", fields, body)
  }

  @Test(arguments: [HTTPRequest.Method.patch, .put, .delete])
  func `A change without a condition says how to get one`(method: HTTPRequest.Method) async throws {
    let served = try await ServedFolder(PreconditionTests.files)
    let type = method == .patch ? PreconditionTests.merge : "application/json"
    let answer = try await served.send(method, "/item?id=ada", [.contentType: type], "{}")
    #expect(answer.status == 428)
    #expect(answer.json["detail"]?.text.contains("GET /item?id=ada") == true)
    #expect(try served.text("ada.yaml") == PreconditionTests.files["ada.yaml"])
  }

  @Test func `The tag of another item never matches`() async throws {
    let served = try await ServedFolder(PreconditionTests.files)
    let (ada, bob) = (try await served.tag("ada"), try await served.tag("bob"))
    #expect(ada != bob)
    #expect(try await patch(served, #"{"rating":2}"#, bob).status == 412)
    #expect(try await patch(served, #"{"rating":2}"#, "W/\(ada)").status == 412)
    #expect(try await patch(served, #"{"rating":2}"#, "\(bob), \(ada)").status == 200)
    #expect(try await patch(served, #"{"rating":3}"#, "*").status == 200)
  }

  @Test(arguments: ["abc", "\"abc", "\"a\" \"b\"", "\"a\"\"b\"", ",", "w/\"a\"", "*, \"a\"", "\"a b\"x"])
  func `A malformed condition is a bad request`(match: String) async throws {
    let served = try await ServedFolder(PreconditionTests.files)
    let answer = try await patch(served, #"{"rating":2}"#, match)
    #expect(answer.status == 400)
    #expect(try served.text("ada.yaml") == PreconditionTests.files["ada.yaml"])
  }

  @Test func `A change of an old version is refused with the three sides of each field`() async throws {
    let served = try await ServedFolder(PreconditionTests.files)
    let tag = try await served.tag("ada")
    try served.folder.write("name: Ada\nrating: 5\nnew: x\n", to: "ada.yaml")
    let answer = try await patch(served, #"{"rating":2}"#, tag)
    #expect(answer.status == 412)
    #expect(answer.problem == "stale")
    let rows = answer.json["conflict"]?.elements ?? []
    #expect(
      rows.first { $0["field"] == "/rating" } == ["field": "/rating", "base": 1, "mine": 2, "theirs": 5])
    #expect(rows.first { $0["field"] == "/new" } == ["field": "/new", "theirs": "x"])
    #expect(answer.tag == (try await served.tag("ada")))
    #expect(try served.text("ada.yaml") == "name: Ada\nrating: 5\nnew: x\n")
  }

  @Test(arguments: [(99, nil), (100, 1), (250, 151)])
  func `At most 100 fields of a conflict are listed, and the others are counted`(count: Int, more: Int?)
    async throws
  {
    let text = { (value: Int) in (0..<count).map { "f\($0): \(value)\n" }.joined() }
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n\(text(0))"])
    let tag = try await served.tag("ada")
    try served.folder.write("name: Eve\n\(text(1))", to: "ada.yaml")
    let answer = try await patch(served, #"{"name":"Zoe"}"#, tag)
    #expect(answer.status == 412)
    #expect(answer.json["conflict"]?.elements?.count == min(count + 1, 100))
    #expect(answer.json["more"] == more.map { .number(.integer($0)) })
  }

  @Test func `A change of another field is merged if the client prefers that`() async throws {
    let served = try await ServedFolder(PreconditionTests.files)
    let tag = try await served.tag("ada")
    try served.folder.write("# mine\nname: Eve\nrating: 1\n", to: "ada.yaml")
    #expect(try await patch(served, #"{"rating":2}"#, tag).status == 412)
    let answer = try await patch(served, #"{"rating":2}"#, tag, prefer: "return=minimal, Merge")
    #expect(answer.status == 200)
    #expect(answer.fields[values: try #require(HTTPField.Name("Preference-Applied"))] == ["merge"])
    #expect(try served.text("ada.yaml") == "# mine\nname: Eve\nrating: 2\n")
    #expect(try await patch(served, #"{"name":"Zoe"}"#, tag, prefer: "merge").status == 412)
    #expect(try await patch(served, #"{"rating":2}"#, tag, prefer: "merge").status == 412)
  }

  @Test(arguments: [#"{"rating":1}"#, #"{"old":null}"#])
  func `A field that the client names is not merged if another program changed it`(body: String) async throws
  {
    let served = try await ServedFolder(PreconditionTests.files)
    let tag = try await served.tag("ada")
    let text = "name: Ada\nrating: 5\nold: 1\n"
    try served.folder.write(text, to: "ada.yaml")
    var fields: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: tag]
    if let name = HTTPField.Name("Prefer") { fields[name] = "merge" }
    #expect(try await served.send(.patch, "/item?id=ada", fields, body).status == 412)
    #expect(try served.text("ada.yaml") == text)
  }

  @Test func `A text is merged with the changes of others line by line`() async throws {
    let served = try await ServedFolder(["ada.yaml": "# one\nname: Ada\nrating: 1\n"])
    let source = try await served.get("/item/source?id=ada")
    try served.folder.write("# two\nname: Eve\nrating: 1\n", to: "ada.yaml")
    var fields: HTTPFields = [.contentType: "application/json", .ifMatch: source.tag]
    if let name = HTTPField.Name("Prefer") { fields[name] = "merge" }
    let body = JSONWriter.text(of: ["source": "# one\nname: Ada\nrating: 2  # mine\n"])
    #expect(try await served.send(.put, "/item/source?id=ada", fields, body).status == 200)
    #expect(try served.text("ada.yaml") == "# two\nname: Eve\nrating: 2  # mine\n")
    #expect(try await served.send(.put, "/item/source?id=ada", fields, body).status == 412)
  }

  @Test func `A change of a version that is not known is not merged`() async throws {
    let served = try await ServedFolder(PreconditionTests.files)
    let answer = try await patch(served, #"{"rating":2}"#, "\"0123\"", prefer: "merge")
    #expect(answer.status == 412)
    #expect(answer.json["conflict"] == [["field": "/rating", "mine": 2, "theirs": 1]])
  }

  @Test func `An item that is gone is unknown`() async throws {
    let served = try await ServedFolder(PreconditionTests.files)
    let tag = try await served.tag("ada")
    try served.folder.remove("ada.yaml")
    #expect(try await patch(served, "{}", tag).status == 404)
    let put = try await served.send(
      .put, "/item?id=ada", [.contentType: "application/json", .ifMatch: tag], "{}")
    #expect(put.status == 412)
    #expect(try await served.send(.delete, "/item?id=ada", [.ifMatch: tag]).status == 404)
  }

  @Test func `A text never replaces one that another program wrote between the check and the save`()
    async throws
  {
    let served = try await ServedFolder(["ada.yaml": "writer: 0\nclient: 0\n"], watching: true)
    // The program finds its own last number, unless a text replaced it. A save that comes too late
    // is exchanged back, so its text may be there for a moment.
    let script = """
      last() { sed -n 's/^writer: //p' ada.yaml; }
      i=0; while [ $i -lt 300 ]; do n=0; while [ "$(last)" != $i ] && [ $n -lt 200 ]; do n=$((n+1)); done
      [ $n -lt 200 ] || echo "lost $i, found $(last)"
      i=$((i+1)); printf 'writer: %s\\nclient: x\\n' $i > .new; mv .new ada.yaml; done; echo end
      """
    let path = served.folder.path
    let writer = Task(executorPreference: QueueExecutor("writer of a test")) {
      try Shell.run(script, in: path)
    }
    var statuses: Set<Int> = []
    var isOver = false
    for round in 0..<10_000 where !isOver {
      let source = try await served.get("/item/source?id=ada")
      guard source.status == 200 else { continue }
      let text = source.text.replacing(#/client: .*/#, with: "client: \(round)")
      let answer = try await served.send(
        .put, "/item/source?id=ada", [.contentType: "application/json", .ifMatch: source.tag],
        JSONWriter.text(of: ["source": .string(text)]))
      statuses.insert(answer.status)
      isOver = source.text.contains("writer: 300")
    }
    let output = try await writer.value
    #expect(output == "end\n")
    #expect(statuses.isSubset(of: [200, 412, 503]))
    #expect(statuses.contains(200))
  }
}
