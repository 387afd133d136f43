import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct GetCommandTests {
  private static let users = "\(NotesWatch.samples)/users"

  @Test func oneIsAnObjectAndSeveralAreAnArray() async throws {
    let one = try await NotesWatch.json("get", GetCommandTests.users, "1003")
    #expect(one.keys == ["id", "path", "value"] && one.id == "1003" && one.path == "chidi.json" && one.value.loginCount.int != nil)
    let several = try await NotesWatch.json("get", GetCommandTests.users, "1003", "1001").list
    #expect(several.map(\.id) == ["1003", "1001"] && several[0] == one)
  }

  @Test func theTextIsTheFilesBytes() async throws {
    let text = "# a comment\r\nk:   1   # kept\n\u{1B}[31m"
    let folder = try TemporaryFolder(["a.md": text])
    #expect(try await NotesWatch.run("get", folder.path, "a", "-o", "text").output == Array(text.utf8))
  }

  @Test func anUnknownIdIsNoInput() async throws {
    let end = try await NotesWatch.run("get", GetCommandTests.users, "nobody")
    #expect(end.status == .exited(66) && end.output.isEmpty && end.errorText.contains("`nobody`"))
    // What cannot be below the root is there under no name.
    for id in ["../users/amira", "/etc/passwd", "..", "", "a\u{1B}[31mb"] {
      let end = try await NotesWatch.run("get", GetCommandTests.users, "--", id)
      #expect(end.status == .exited(66) && end.output.isEmpty && !end.errorText.contains("\u{1B}"), "\(id)")
    }
  }

  @Test func anItemWithAProblemSaysWhich() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\nk: 2\n"])
    let end = try await NotesWatch.run("get", folder.path, "a")
    #expect(end.status == .exited(65) && end.errorText.contains("a.yaml:2:1: "))
  }
}
