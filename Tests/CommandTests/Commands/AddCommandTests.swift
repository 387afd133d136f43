import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct AddCommandTests {
  @Test func `add types the fields and writes the file as a person would`() async throws {
    let folder = try TemporaryFolder(["z.yaml": "z: 1\n"])
    let end = try await BuiltProgram.run(
      "add", folder.path, "friends/ada", "name=Ada Lovelace", "rating=8", "vip=true", "note=no", "empty=",
      "tags:=[\"a\"]",
      "address.city=London")
    #expect(end.status == .exited(0))
    #expect(end.outputText == "added friends/ada.yaml\n")
    #expect(end.error.isEmpty)
    #expect(
      try await folder.shell("cat friends/ada.yaml")
        == "name: Ada Lovelace\nrating: 8\nvip: true\nnote: \"no\"\nempty: \"\"\ntags:\n  - a\naddress:\n  city: London\n"
    )
    let value = try await BuiltProgram.json("get", folder.path, "friends/ada").value
    #expect(value.rating == 8)
    #expect(value.vip == true)
    #expect(value.note == "no")
    #expect(value.empty == "")
    #expect(value.address.city == "London")
  }

  @Test(arguments: ["yaml", "json", "md"])
  func `added items are listed and can be removed`(format: String) async throws {
    let folder = try TemporaryFolder()
    let end = try await BuiltProgram.run(
      "add", folder.path, "a", "b/c", "--format", format, "t=x: y # z", "n=1", "body=one\ntwo\n")
    #expect(end.outputText == "added a.\(format)\nadded b/c.\(format)\n")
    let items = try await BuiltProgram.items(in: folder.path)
    #expect(items.keys.sorted() == ["a", "b/c"])
    #expect(items["a"] == ["t": "x: y # z", "n": 1, "body": "one\ntwo\n"])
    #expect(try await BuiltProgram.run("check", folder.path).status == .exited(0))
    #expect(
      try await BuiltProgram.run("rm", folder.path, "a", "b/c").outputText
        == "removed a.\(format)\nremoved b/c.\(format)\n")
    #expect(try await BuiltProgram.items(in: folder.path).isEmpty)
  }

  @Test func `add overwrites no item`() async throws {
    let folder = try TemporaryFolder(["a.json": "{\"k\": 1}\n"])
    let end = try await BuiltProgram.run("add", folder.path, "a", "b", "k=2", "--format", "yaml")
    #expect(end.status == .exited(73))
    #expect(end.outputText == "added b.yaml\n")
    #expect(end.errorText.contains("a.json: There is already an item"))
    #expect(try await folder.shell("cat a.json; ls") == "{\"k\": 1}\na.json\nb.yaml\n")
  }

  @Test func `a field can get the content of a file`() async throws {
    let folder = try TemporaryFolder(["draft.txt": "# Hi\n\nthere\n", "bad.txt": "x"])
    try folder.write([0x61, 0xFF], to: "bad.txt")
    let end = try await BuiltProgram.run(
      "add", ".", "note", "title=Hi", "body@draft.txt", "--format", "md", in: folder.path)
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(try await folder.shell("cat note.md") == "---\ntitle: Hi\n---\n# Hi\n\nthere\n")
    let bad = try await BuiltProgram.run("set", ".", "note", "body@bad.txt", in: folder.path)
    #expect(bad.status == .exited(66))
    #expect(bad.errorText.contains("not UTF-8"))
    let missing = try await BuiltProgram.run("set", ".", "note", "body@nothing", in: folder.path)
    #expect(missing.status == .exited(66))
    #expect(missing.errorText.contains("nothing cannot be read"))
    #expect(
      try await folder.shell("printf 'piped\\n' | '\(BuiltProgram.path)' set . note body@-; tail -1 note.md")
        .hasSuffix("piped\n"))
  }

  @Test func `add uses the defaults of the folder`() async throws {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml":
        "defaults: {createdAt: '@now', group: all, friends/: {group: friends, slug: '@name'}}\n",
      "friends/x.json": "{}",
    ])
    #expect(
      try await BuiltProgram.run("add", folder.path, "friends/ada", "a", "name=Ada").outputText
        == "added friends/ada.json\nadded a.yaml\n")
    let items = try await BuiltProgram.items(in: folder.path)
    #expect(items["friends/ada"]?.group == "friends")
    #expect(items["friends/ada"]?.slug == "ada")
    #expect(items["a"]?.group == "all")
    #expect(items["a"]?.createdAt.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    try folder.write("defaults: {createdAt: '@nwo'}\n", to: ".notes-watch.yaml")
    let end = try await BuiltProgram.run("add", folder.path, "b")
    #expect(end.status == .exited(78))
    #expect(end.errorText.contains("Did you mean `@now`?"))
  }

  @Test(
    arguments: [
      (["../x", "k=1"], 73), (["/etc/x", "k=1"], 73), ([".hidden", "k=1"], 73), (["a.md/b", "k=1"], 73),
      (["ada.yaml", "k=1"], 73),
      (["name=Ada"], 64),
      ([], 64), (["ada", "name=Ada", "Lovelace"], 64), (["ada", "x:=[1"], 64), (["ada", "a=1", "a.b=2"], 65),
    ] as [([String], Int32)])
  func `add reports why an item cannot be added`(words: [String], code: Int32) async throws {
    let folder = try TemporaryFolder()
    let end = try await BuiltProgram.start(["add", folder.path] + words).end()
    #expect(end.status == .exited(code), "\(words): \(end.errorText)")
    #expect(end.output.isEmpty, "\(words): \(end.errorText)")
    #expect(end.errorText.hasSuffix("\n"), "\(words): \(end.errorText)")
    #expect(try await folder.shell("find . -type f").isEmpty)
  }

  @Test func `an id that no file can have adds nothing`() async throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram.start(["add", folder.path, "-"], hasInput: true)
    program.write("[{\"id\":\"a\",\"value\":{}},{\"id\":\"../c\",\"value\":{}}]")
    program.closeInput()
    let end = try await program.end()
    #expect(end.status == .exited(73))
    #expect(end.output.isEmpty)
    #expect(try await folder.shell("ls -A").isEmpty)
  }

  @Test func `add reads items from standard input`() async throws {
    let folder = try TemporaryFolder()
    let script =
      "'\(BuiltProgram.path)' list '\(BuiltProgram.samples)/contacts' -o jsonl | '\(BuiltProgram.path)' add . -"
    #expect(try await folder.shell(script).split(separator: "\n").count == 12)
    #expect(
      try await BuiltProgram.items(in: folder.path)
        == BuiltProgram.items(in: "\(BuiltProgram.samples)/contacts"))
  }

  @Test(arguments: [false, true]) func `bad lines add nothing, or the good ones with --keep-going`(
    keepsGoing: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram.start(
      ["add", folder.path, "-", "group=all"] + (keepsGoing ? ["--keep-going"] : []), hasInput: true)
    program.write(
      "{\"id\":\"a\",\"value\":{\"k\":1,\"group\":\"x\"}}\n\nbad\n{\"id\":\"b\"}\n{\"id\":\"a\",\"value\":{}}\n{\"id\":\"../c\",\"value\":{}}\n"
    )
    program.write("{\"id\":\"d\",\"path\":\"d.json\",\"value\":{}}")
    program.closeInput()
    let end = try await program.end()
    #expect(end.status == .exited(65))
    for part in ["line 3, column 1: ", "line 4: ", "line 5, column 1: The item `a` is also in line 1"] {
      #expect(end.errorText.contains(part), "\(end.errorText)")
    }
    guard keepsGoing else {
      #expect(end.output.isEmpty)
      #expect(try await folder.shell("ls -A").isEmpty)
      return
    }
    #expect(end.outputText == "added a.yaml\nadded d.json\n")
    #expect(end.errorText.contains("../c: "), "\(end.errorText)")
    #expect(
      try await BuiltProgram.items(in: folder.path) == [
        "a": ["k": 1, "group": "all"], "d": ["group": "all"],
      ])
  }

  private static let nasty = """
    ["no", "yes", "on", "~", "null", "=", "<<", ".5", "1_000", "0o7", "010", "1:30", "2024-01-01", "2024-01-01T10:00:00Z", "", " ", " a", "a ", "#", "a #b", "a: b", "- a",
     "? a", "@a", "`a`", "%a", "!a", "&a", "*a", "|", "'", "\\"", "it's", "\\\\", "[a", "{a}", "a\\nb\\n", "\\n a", "a\\r\\nb", "---\\na", "\\tb", "\\u0007", "\\u0085", "\\u2028",
     "\\ufeff", "e\\u0301", "\\ud83d\\ude00", true, null, 0, -7, 1.5, 1e-7, 123456789012345678901234567890, [], {}, [[1, ["x"]], {"a": {"b": []}}], {"no": 1, "1:30": 2, "": 3}]
    """

  /// Python and Ruby read the values as they were given.
  @Test(
    .enabled(if: Machine.has("python3") && Machine.has("ruby"), "needs python3 and ruby"),
    arguments: ["yaml", "json"])
  func `other programs read the same values`(format: String) async throws {
    let folder = try TemporaryFolder(["nasty.txt": AddCommandTests.nasty])
    try folder.write(
      """
      import json, subprocess, sys
      values = json.load(open("nasty.txt"))
      lines = [json.dumps({"id": f"i{n}", "value": {"v": v, "in": {"list": [v, v]}}}) for n, v in enumerate(values)]
      subprocess.run([sys.argv[1], "add", ".", "-", "--format", sys.argv[2]], input="\\n".join(lines).encode(), check=True, stdout=subprocess.DEVNULL)
      json.dump(values, open("values.json", "w"))
      try: import yaml
      except ImportError: sys.exit()
      for n, v in enumerate(values):
          read = (json if sys.argv[2] == "json" else yaml).__dict__["load" if sys.argv[2] == "json" else "safe_load"](open(f"i{n}.{sys.argv[2]}"))
          if read != {"v": v, "in": {"list": [v, v]}}: print(n, v, read)
      """, to: "check.py")
    try folder.write(
      """
      require "yaml"; require "json"
      JSON.parse(File.read("values.json")).each_with_index do |v, n|
        text = File.read("i#{n}.#{ARGV[0]}")
        read = ARGV[0] == "json" ? JSON.parse(text) : YAML.safe_load(text)
        puts "#{n} #{v.inspect} #{read.inspect}" if read != {"v" => v, "in" => {"list" => [v, v]}}
      end
      """, to: "check.rb")
    #expect(
      try await folder.shell("python3 check.py '\(BuiltProgram.path)' \(format); ruby check.rb \(format)")
        == "")
  }

  @Test func `add keeps ids unique`() async throws {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "id-field: uuid\ndefaults: {uuid: '@uuid'}\n", "x.yaml": "uuid: one\n",
    ])
    #expect(try await BuiltProgram.run("add", folder.path, "note", "t=1").outputText == "added note.yaml\n")
    #expect(try await BuiltProgram.run("add", folder.path, "other", "uuid=one").status == .exited(73))
    let ids = try await BuiltProgram.items(in: folder.path).keys
    #expect(ids.count == 2)
    #expect(ids.contains("one"))
    #expect(!ids.contains("note"))
  }
}
