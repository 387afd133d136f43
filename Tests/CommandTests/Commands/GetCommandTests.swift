import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct GetCommandTests {
  private static let users = "\(BuiltProgram.samples)/users"

  @Test func `one id prints an object and several print an array`() async throws {
    let one = try await BuiltProgram.json("get", GetCommandTests.users, "1003")
    #expect(one.keys == ["id", "path", "value"])
    #expect(one.id == "1003")
    #expect(one.path == "chidi.json")
    #expect(one.value.loginCount.int != nil)
    let several = try await BuiltProgram.json("get", GetCommandTests.users, "1003", "1001").list
    #expect(several.map(\.id) == ["1003", "1001"])
    #expect(several[0] == one)
  }

  @Test func `-o text prints the bytes of the file`() async throws {
    let text = "# a comment\r\nk:   1   # kept\n\u{1B}[31m"
    let folder = try TemporaryFolder(["a.md": text])
    #expect(try await BuiltProgram.run("get", folder.path, "a", "-o", "text").output == Array(text.utf8))
  }

  @Test func `an unknown id is an error`() async throws {
    let end = try await BuiltProgram.run("get", GetCommandTests.users, "nobody")
    #expect(end.status == .exited(66))
    #expect(end.output.isEmpty)
    #expect(end.errorText.contains("`nobody`"))
    // A path outside the folder names no item.
    for id in ["../users/amira", "/etc/passwd", "..", "", "a\u{1B}[31mb"] {
      let end = try await BuiltProgram.run("get", GetCommandTests.users, "--", id)
      #expect(end.status == .exited(66), "\(id)")
      #expect(end.output.isEmpty, "\(id)")
      #expect(!end.errorText.contains("\u{1B}"), "\(id)")
    }
  }

  @Test func `get prints the items that exist and reports the others`() async throws {
    let folder = try TemporaryFolder(["good.yaml": "k: 1\n", "bad.yaml": "k: [\n"])
    let end = try await BuiltProgram.run("get", ".", "nope", "good", "bad", "good", in: folder.path)
    #expect(end.status == .exited(66))
    #expect(try JSON(end.output).list.map(\.id) == ["good", "good"])
    #expect(end.errorText.contains("no item `nope`"))
    #expect(end.errorText.contains("bad.yaml:"))
    let one = try await BuiltProgram.run("get", ".", "bad", "good", "-o", "text", in: folder.path)
    #expect(one.status == .exited(65))
    #expect(one.outputText == "k: 1\n")
    let none = try await BuiltProgram.run("get", ".", "nope", "nobody", in: folder.path)
    #expect(none.status == .exited(66))
    #expect(none.output.isEmpty)
    #expect(none.errorText.contains("`nobody`"))
  }

  @Test func `get reports the problem of an item`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\nk: 2\n"])
    let end = try await BuiltProgram.run("get", folder.path, "a")
    #expect(end.status == .exited(65))
    #expect(end.errorText.contains("a.yaml:2:1: "))
  }
}
