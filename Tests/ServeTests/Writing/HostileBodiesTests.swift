import HTTPTypes
import TestSupport
import Testing
import Values

/// Bodies whose values or texts are extreme: each has a clear status, and a refused one changes no
/// byte of a file.
struct HostileBodiesTests {
  private static let files = [
    "ada.yaml": "name: Ada  # mine\nrating: 9.50\n", "bob.json": "{\"name\": \"Bob\", \"n\": 1.0}\n",
    "eve.md": "---\nname: Eve\n---\nHello\n",
  ]
  private static let merge: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: "*"]
  private static let json: HTTPFields = [.contentType: "application/json", .ifMatch: "*"]
  private static let new: HTTPFields = [.contentType: "application/json"]

  private static func expectUnchanged(_ served: ServedFolder) throws {
    for (name, text) in files { #expect(try served.text(name) == text) }
    #expect(try Shell.run("ls -A", in: served.folder.path) == "ada.yaml\nbob.json\neve.md\n")
  }

  /// The requests that send a value: the method, the target, the fields, and the body around it.
  private static let requests: [(HTTPRequest.Method, String, HTTPFields, before: String, after: String)] =
    ["ada", "bob", "eve"].flatMap { id in
      [
        (.patch, "/item?id=\(id)", merge, "{\"a\":", "}"),
        // All fields of a Markdown file have its text.
        (.put, "/item?id=\(id)", json, id == "eve" ? "{\"body\":\"Hello\\n\",\"a\":" : "{\"a\":", "}"),
      ]
    } + [(.post, "/items", new, "{\"id\":\"new\",\"value\":{\"a\":", "}}")]

  @Test(arguments: [
    #"{"b":1,"b":2}"#, #""\ud800""#, #""\udc00\ud800""#, #"{"\udfff":1}"#, "NaN", "1e", "0x10", "\"\u{1}\"",
    "1}{\"b\":2",
    String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
    String(repeating: "{\"b\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000),
  ])
  func `a value that is not JSON, or too deep, changes nothing`(value: String) async throws {
    let served = try await ServedFolder(Self.files)
    for (method, target, fields, before, after) in Self.requests {
      let answer = try await served.send(method, target, fields, before + value + after)
      #expect(answer.status == 400, "\(method) \(target)")
      #expect(answer.problem == "malformed-json", "\(method) \(target)")
      #expect(answer.json["line"] == 1, "\(method) \(target)")
    }
    try Self.expectUnchanged(served)
  }

  @Test(arguments: [
    "1e400", "-1e400", "1e999999999999999999999", String(repeating: "1234567890", count: 5),
    "0.1234567890123456789012345",
  ])
  func `a number keeps all of its digits`(number: String) async throws {
    for (method, target, fields, before, after) in Self.requests {
      let served = try await ServedFolder(Self.files)
      let answer = try await served.send(method, target, fields, before + number + after)
      #expect(answer.status == (method == .post ? 201 : 200), "\(method) \(target)")
      let id = method == .post ? "new" : String(target.suffix(3))
      let name = try #require(answer.json["path"]?.text)
      #expect(
        try served.text(name).contains("\(id == "bob" ? "\"a\"" : "a"): \(number)"), "\(method) \(target)")
      #expect(try await served.get("/item?id=\(id)").text.contains("\"a\":\(number)"), "\(method) \(target)")
    }
  }

  @Test func `a NUL in a string or a key is written as an escape`() async throws {
    for (method, target, fields, before, after) in Self.requests {
      let served = try await ServedFolder(Self.files)
      let answer = try await served.send(method, target, fields, before + #"{"k\u0000":"x\u0000y"}"# + after)
      #expect(answer.status == (method == .post ? 201 : 200), "\(method) \(target)")
      #expect(answer.json["value"]?["a"] == ["k\0": "x\0y"], "\(method) \(target)")
      let name = try #require(answer.json["path"]?.text)
      #expect(try !served.folder.bytes(of: name).contains(0), "\(method) \(target)")
    }
  }

  @Test(
    arguments: [
      ("a: 1\n---\nb: 2\n", 2), ("a: 1\n...\nb: 2\n", 3), ("a: 1\na: 2\n", 2), ("a: x\0y\n", 1),
      ("a: &x [*x]\n", 1), ("a:\n\t- b\n", 2),
      ("", 1), ("- a\n", 1), ("null\n", 1),
      ("a: " + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000), 1),
      ((0..<3_000).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n"), 1_001),
    ] as [(String, Int)])
  func `a text that is not an item changes nothing, and its place is named`(text: String, line: Int)
    async throws
  {
    let served = try await ServedFolder(Self.files)
    let answer = try await served.send(
      .put, "/item/source?id=ada", Self.json, JSONWriter.text(of: ["source": .string(text)]))
    #expect(answer.status == 422)
    #expect(answer.problem == "unreadable")
    #expect(answer.json["line"]?.text == "\(line)")
    #expect(answer.json["column"] != nil)
    try Self.expectUnchanged(served)
  }

  @Test(arguments: [
    "a: 1e400\n", "a: \(String(repeating: "1234567890", count: 5))\n", "a: \"x\\0y\"\n", "a: .nan\n",
  ])
  func `a text that is an item is saved as it is`(text: String) async throws {
    let served = try await ServedFolder(Self.files)
    let answer = try await served.send(
      .put, "/item/source?id=ada", Self.json, JSONWriter.text(of: ["source": .string(text)]))
    #expect(answer.status == 200)
    #expect(try served.text("ada.yaml") == text)
  }
}
