import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct SetCommandTests {
  private static let text =
    "# mine\nname:   Ada  # kept\nrating: 8\ntags: [a, b]\naddress:\n    city: 'London'\n"

  @Test func `set changes only the bytes of the value`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": SetCommandTests.text])
    let end = try await BuiltProgram.run(
      "set", folder.path, "ada", "rating=9", "tags[1]=c", "tags+=d", "address.city=Paris")
    #expect(end.status == .exited(0))
    #expect(end.outputText == "changed ada.yaml\n")
    #expect(end.error.isEmpty)
    #expect(
      try await folder.shell("cat ada.yaml")
        == "# mine\nname:   Ada  # kept\nrating: 9\ntags: [a, c, d]\naddress:\n    city: 'Paris'\n")
    #expect(
      try await BuiltProgram.run("set", folder.path, "ada", "rating=9").outputText == "unchanged ada.yaml\n")
    #expect(
      try await BuiltProgram.run("set", folder.path, "ada", "tags-=c", "tags-=a", "tags-=x").outputText
        == "changed ada.yaml\n")
    #expect(try await folder.shell("grep tags ada.yaml") == "tags: [d]\n")
  }

  @Test func `many values that are unlike those of the other items are a bounded number of warnings`()
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "x: 1\n", "b.yaml": "x: 1\n", "c.yaml": "x: 1\n"])
    let fields = (0..<20_000).map { "\"new\($0)\":1" }.joined(separator: ",")
    try folder.write("{\"id\":\"a\",\"value\":{\"x\":1,\(fields)}}\n", to: "line.txt")
    let text = try await folder.shell("'\(BuiltProgram.path)' set . - < line.txt 2>&1")
    #expect(text.split(separator: "\n").count == 52, "\(text.prefix(300))")
    #expect(text.contains("50 more values are unlike those of the other items."))
    #expect(text.hasSuffix("changed a.yaml\n"))
  }

  @Test func `a dry run prints a diff that git applies`() async throws {
    let folder = try TemporaryFolder([
      "ada.yaml": SetCommandTests.text, "a b/é.md": "no end", "gone.json": "{}",
    ])
    var patch = ""
    for arguments in [
      ["set", ".", "ada", "a b/é", "rating=9", "-n"], ["add", ".", "new/x", "k=1", "--dry-run"],
      ["rm", ".", "gone", "-n"],
    ] {
      let end = try await BuiltProgram.start(arguments, in: folder.path).end()
      #expect(end.status == .exited(0), "\(end.errorText)")
      patch += end.outputText
    }
    #expect(
      try await folder.shell("cat ada.yaml 'a b/é.md' gone.json; ls") == SetCommandTests.text
        + "no end{}a b\nada.yaml\ngone.json\n")
    try folder.write(patch, to: "patch")
    try await folder.shell("git init -q .; git apply --whitespace=nowarn patch; rm patch")
    #expect(
      try await folder.shell("grep rating ada.yaml 'a b/é.md'; cat new/x.yaml; ls") == """
        ada.yaml:rating: 9
        a b/é.md:rating: 9
        k: 1
        a b
        ada.yaml
        new

        """)
  }

  @Test(arguments: [
    (["nobody", "k=1"], 66, "There is no item `nobody`"), (["ada"], 64, "'FIELD=VALUE'"),
    (["k=1"], 64, "id"),
    (["ada", "@id=x"], 64, "property of the file"), (["ada", "name.x=1"], 65, "ada.yaml:2:"),
    (["ada", "tags[9]=1"], 66, "The last element of this list has the number 1"),
    (["ada", "rating-=1"], 65, "not a list"), (["bad", "k=1"], 65, "bad.yaml:1:"),
    (["two", "k=1"], 65, "two.json"),
    (["../ada", "k=1"], 66, "no item `../ada`"),
  ])
  func `set reports why a value cannot be set`(words: [String], code: Int32, part: String) async throws {
    let folder = try TemporaryFolder([
      "ada.yaml": SetCommandTests.text, "bad.yaml": "k: [", "two.yaml": "{}", "two.json": "{}",
    ])
    let end = try await BuiltProgram.start(["set", folder.path] + words).end()
    #expect(end.status == .exited(code), "\(words): \(end.errorText)")
    #expect(end.output.isEmpty, "\(words): \(end.errorText)")
    #expect(end.errorText.contains(part), "\(words): \(end.errorText)")
    #expect(try await folder.shell("cat ada.yaml") == SetCommandTests.text)
  }

  @Test func `set writes the other items if one fails`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: {\n", "c.yaml": "k: 1\n"])
    let end = try await BuiltProgram.run("set", folder.path, "a", "b", "nobody", "c", "k=2")
    #expect(end.status == .exited(65))
    #expect(end.outputText == "changed a.yaml\nchanged c.yaml\n")
    #expect(try await folder.shell("cat a.yaml c.yaml") == "k: 2\nk: 2\n")
  }

  @Test func `set writes back the values that differ`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "k:  1 # one\nm: {x: 1, y: 2}\nd: 2024-01-31\ni: .inf\n", "b.json": "{\"k\":1}",
    ])
    let same = "'\(BuiltProgram.path)' list . -o jsonl | '\(BuiltProgram.path)' set . -"
    #expect(try await folder.shell(same) == "unchanged a.yaml\nunchanged b.json\n")
    let program = try BuiltProgram.start(["set", folder.path, "-", "--keep-going"], hasInput: true)
    program.write(
      "{\"id\":\"a\",\"value\":{\"m\":{\"y\":3},\"i\":\".inf\",\"d\":\"2024-01-31\",\"k\":1}}\n{\"id\":\"x\",\"value\":{}}\n{\"id\":\"b\",\"value\":{\"l\":[1]}}\n"
    )
    program.closeInput()
    let end = try await program.end()
    #expect(end.status == .exited(66), "\(end.errorText)")
    #expect(end.outputText == "changed a.yaml\nchanged b.json\n", "\(end.errorText)")
    #expect(
      try await folder.shell("cat a.yaml b.json")
        == "k:  1 # one\nm: {x: 1, y: 3}\nd: 2024-01-31\ni: .inf\n{\"k\":1,\"l\":[1]}")
    let some =
      "'\(BuiltProgram.path)' list . --where 'k = 1' -o jsonl | '\(BuiltProgram.path)' set . - k=2 d=x"
    #expect(try await folder.shell(some) == "changed a.yaml\nchanged b.json\n")
    #expect(try await BuiltProgram.items(in: folder.path)["b"] == ["k": 2, "l": [1], "d": "x"])
  }

  @Test func `set tells ids and fields apart`() async throws {
    let folder = try TemporaryFolder([
      "ada@x.yaml": "k: 1\n", "b@x.yaml": "k: 1\n", "-c.yaml": "k: 1\n", "a=b.yaml": "k: 1\n",
    ])
    #expect(
      try await BuiltProgram.run("set", folder.path, "ada@x", "b%40x", "%2Dc", "a%3Db", "k=2").outputText
        .split(separator: "\n").count == 4)
    #expect(
      try await BuiltProgram.run("set", folder.path, "ada@x", "b@x", "a=b", "--", "k=3", "-l=1").outputText
        .split(separator: "\n").count
        == 3)
    #expect(
      try await BuiltProgram.run("set", "--", folder.path, "ada@x", "k=4").outputText
        == "changed ada@x.yaml\n")
    #expect(
      try await BuiltProgram.run("set", folder.path, "--", "ada@x", "--", "k=5").outputText
        == "changed ada@x.yaml\n")
    #expect(try await BuiltProgram.items(in: folder.path)["b@x"] == ["k": 3, "-l": 1])
  }

  @Test func `set keeps ids unique`() async throws {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "id-field: id\n", "a.yaml": "id: 1\n", "b.yaml": "id: 2\n",
    ])
    let taken = try await BuiltProgram.run("set", folder.path, "1", "id=2")
    #expect(taken.status == .exited(73))
    #expect(taken.errorText.contains("which b.yaml has already"))
    #expect(try await BuiltProgram.run("unset", folder.path, "1", "id").status == .exited(73))
    #expect(try await folder.shell("cat a.yaml b.yaml") == "id: 1\nid: 2\n")
    #expect(
      try await BuiltProgram.run("set", folder.path, "1", "id=3", "k=1").outputText == "changed a.yaml\n")
    #expect(try await BuiltProgram.items(in: folder.path).keys.sorted() == ["2", "3"])
  }

  @Test func `a running watch reports a set as one update of that field`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": SetCommandTests.text, "bob.json": "{\"rating\": 1}"])
    let stream = try WatchRun(folder)
    try await stream.begin()
    let update = try await stream.update(after: "'\(BuiltProgram.path)' set . ada rating=9")
    #expect(update.changes.list.count == 1)
    #expect(update.changes[0].op == "update")
    #expect(update.changes[0].fields == ["/rating"])
    #expect(update.changes[0].before == ["rating": 8])
    let insert = try await stream.update(
      after: "'\(BuiltProgram.path)' add . cleo rating=5; '\(BuiltProgram.path)' set . ada rating=9")
    #expect(insert.changes.list.map(\.op) == ["insert"])
    #expect(insert.changes[0].value == ["rating": 5])
    #expect(
      try await stream.update(after: "'\(BuiltProgram.path)' rm . cleo").changes.list.map(\.op) == ["delete"])
    _ = try await stream.lines(0, after: "'\(BuiltProgram.path)' set . ada rating=7 -n")
  }

  @Test func `twelve writers of one item lose no change`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "# kept\nall: []\n"])
    let writers = try (0..<12).map { number in
      try BuiltProgram.start(["set", folder.path, "ada", "k\(number)=\(number)", "all+=\(number)"])
    }
    for writer in writers { #expect(try await writer.end().status == .exited(0)) }
    let value = try #require(try await BuiltProgram.items(in: folder.path)["ada"])
    #expect(Set(value.all.list.compactMap(\.int)) == Set(0..<12))
    #expect(value.all.list.count == 12)
    #expect((0..<12).allSatisfy { (number: Int) in value["k\(number)"].int == number })
    #expect(try await folder.shell("head -1 ada.yaml; ls -A") == "# kept\nada.yaml\n")
  }

  @Test(.enabled(if: !Machine.isRoot || Machine.has("setpriv"))) func `set reports a missing permission`()
    async throws
  {
    let folder = try TemporaryFolder(["d/ada.yaml": "k: 1\n"])
    try await folder.shell("chmod 755 .; chmod 555 d")
    let prefix = Machine.isRoot ? "setpriv --reuid=65534 --clear-groups " : ""
    let output = try await folder.shell(
      "\(prefix)'\(BuiltProgram.path)' set . d/ada k=2 2>&1 || echo \"[$?]\"")
    #expect(output.contains("[77]"), "\(output)")
    #expect(output.contains("permission denied"), "\(output)")
    #expect(try await folder.shell("chmod 755 d; cat d/ada.yaml; ls -A d") == "k: 1\nada.yaml\n")
  }
}
