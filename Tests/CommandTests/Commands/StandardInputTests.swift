import TestSupport
import Testing

/// Items from standard input, and words that name items.
@Suite(.serialized, .timeLimit(.minutes(3))) struct StandardInputTests {
  private static let program = "'\(BuiltProgram.path)'"
  private static let files = [
    "a.yaml": "k: 1\n", "b.yaml": "k:  2 # two\n", "d/c.json": "{\"k\": 3}",
    "d/e.md": "---\nk: 4\n---\ntext\n",
  ]

  /// Runs the program with a text as its standard input.
  private func run(_ arguments: [String], _ input: String, in folder: TemporaryFolder) async throws
    -> Program.State
  {
    let program = try BuiltProgram.start(arguments, in: folder.path, hasInput: true)
    program.write(input)
    program.closeInput()
    return try await program.end()
  }

  @Test(arguments: [["set", ".", "a", "k@-"], ["set", ".", "-", "k=2"], ["rm", ".", "-"]])
  func `settings that change while standard input is open are in force`(arguments: [String]) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let program = try BuiltProgram.start(arguments, in: folder.path, hasInput: true)
    // The number of `read` on x86-64 and on ARM.
    try await folder.shell(
      "until grep -qsE '^(0|63) 0x0 ' /proc/\(program.process)/task/*/syscall; do :; done")
    try folder.write("ignore: [a.yaml]\n", to: ".notes-watch.yaml")
    program.write("a\n")
    program.closeInput()
    #expect(try await program.end().status == .exited(66))
    #expect(try folder.bytes(of: "a.yaml") == Array("k: 1\n".utf8))
  }

  @Test(arguments: ["colors", "contacts", "quotes", "todos", "users"])
  func `an item does not change when its listed value is written back`(set: String) async throws {
    let folder = try TemporaryFolder()
    try await folder.shell("cp -R '\(BuiltProgram.samples)/\(set)' data; cp -R data before")
    let settings = try await folder.shell("sed -n 's/^  \\([a-z0-9-]*\\):.*/\\1/p' data/.notes-watch.yaml")
    var views = settings.split(separator: "\n").map { ["--view", String($0)] }
    try #require(!views.isEmpty)
    views += [
      [], ["--fields", "tags.@count,tags[0],@size,@modified,@path,name"],
      ["--fields", "tags,address.city,address.@count,address.lines[0]"],
      ["--limit", "3", "--offset", "1", "--fields", "/tags/0,phones.kind,phones.@count,createdAt,body"],
      ["--search", "a", "--section", "@dir"],
    ]
    // Nothing is written, so the views need not wait for each other.
    try await withThrowingTaskGroup { group in
      for view in views {
        for format in ["json", "jsonl"] {
          group.addTask { try await expectNoChange(by: view, format, in: folder) }
        }
      }
      try await group.waitForAll()
    }
    try await folder.shell("diff -r data before")
  }

  private func expectNoChange(by view: [String], _ format: String, in folder: TemporaryFolder) async throws {
    let words = view.map { "'\($0)'" }.joined(separator: " ")
    let output = try await folder.shell(
      "\(Self.program) list data \(words) -o \(format) 2>/dev/null | \(Self.program) set data -")
    #expect(output.split(separator: "\n").allSatisfy { $0.hasPrefix("unchanged ") }, "\(words) \(output)")
    if !view.contains("--search") { #expect(!output.isEmpty) }
  }

  private static let numbers =
    "v: 3.10 # kept\nn: 1e3\nbig: 12345678901234567890\nsmall: 0.1000000000000000055\nl: [1.0, 2.50, -0, 1e21]\ns: '3.10'\n"

  private func setThrough(_ filter: String, in folder: TemporaryFolder) async throws -> String {
    try await folder.shell(
      "\(Self.program) list data -o jsonl | \(filter) | \(Self.program) set data - | sort")
  }

  @Test(.enabled(if: Machine.has("jq"), "jq is not installed"))
  func `set ignores the spelling of jq`() async throws {
    let json = "{\"v\":3.10,\"l\":[1e3,12345678901234567890]}"
    let folder = try TemporaryFolder([
      "data/a.yaml": Self.numbers + "k: 1\n", "data/b.json": json, "data/c.md": "---\nv: 3.10\n---\nx\n",
    ])
    try await folder.shell("cp -R data before")
    #expect(
      try await setThrough("jq -c .", in: folder) == "unchanged a.yaml\nunchanged b.json\nunchanged c.md\n")
    #expect(
      try await setThrough("jq -cS .", in: folder) == "unchanged a.yaml\nunchanged b.json\nunchanged c.md\n")
    try await folder.shell("diff -r data before")
    #expect(
      try await setThrough(
        "jq -c 'if .id == \"a\" then .value.k += 1 | .value.l[1] = 7 else . end'", in: folder
      ).hasPrefix(
        "changed a.yaml\n"))
    let edited = Self.numbers.replacing("2.50", with: "7") + "k: 2\n"
    #expect(try await folder.shell("cat data/a.yaml") == edited)
  }

  @Test(.enabled(if: Machine.has("python3"), "python3 is not installed"))
  func `set ignores the spelling of Python`() async throws {
    let folder = try TemporaryFolder(["data/a.yaml": Self.numbers + "k: 1\n"])
    let filter =
      "python3 -c 'import json, sys\nfor line in sys.stdin: item = json.loads(line); item[\"value\"][\"k\"] += K; print(json.dumps(item))'"
    #expect(try await setThrough(filter.replacing("K", with: "0"), in: folder) == "unchanged a.yaml\n")
    #expect(try await setThrough(filter.replacing("K", with: "1"), in: folder) == "changed a.yaml\n")
    #expect(try await folder.shell("cat data/a.yaml") == Self.numbers + "k: 2\n")
  }

  @Test(.enabled(if: Machine.has("jq"), "jq is not installed"))
  func `list marks a computed part that looks like a field`() async throws {
    let text = "m: {SIZE: 5, a: 1}\n"
    let folder = try TemporaryFolder(["data/a.yaml": text])
    let list = "\(Self.program) list data --fields 'm[SIZE],tags.@count' -o jsonl 2>/dev/null"
    #expect(
      try await folder.shell(list)
        == #"{"id":"a","path":"a.yaml","section":"","value":{"m":{"SIZE":2},"tags":{"@count":0}},"computed":{"m":{"SIZE":true},"tags":{"@count":true}}}"#
        + "\n")
    #expect(try await folder.shell("\(list) | \(Self.program) set data -") == "unchanged a.yaml\n")
    let stripped = try await run(["set", "data", "-"], #"{"id":"a","value":{"m":{"SIZE":2}}}"#, in: folder)
    #expect(stripped.status == .exited(65))
    let command = try #require(
      stripped.errorText.split(separator: "run: notes-watch ").last?.split(separator: " The item was").first)
    #expect(try await folder.shell("cat data/a.yaml") == text)
    try await folder.shell("\(Self.program) \(command)")
    #expect(try await folder.shell("cat data/a.yaml") == "m: {SIZE: 2, a: 1}\n")
    #expect(try await setThrough("jq -c '.value.m.SIZE = 7'", in: folder) == "changed a.yaml\n")
  }

  @Test(.enabled(if: Machine.has("jq"), "jq is not installed"))
  func `elements of an edited list keep their comments and numbers`() async throws {
    let (head, one, two, three) = (
      "l:\n", "  # one\n  - 0x1F # first\n", "  # two\n  - 3.10\n", "  # three\n  - n: 1.0 # last\n"
    )
    let folder = try TemporaryFolder(["data/a.yaml": head + one + two + three])
    #expect(try await setThrough("jq -c '.value.l |= reverse'", in: folder) == "changed a.yaml\n")
    #expect(try await folder.shell("cat data/a.yaml") == head + three + two + one)
    #expect(try await setThrough("jq -c 'del(.value.l[0])'", in: folder) == "changed a.yaml\n")
    #expect(try await folder.shell("cat data/a.yaml") == head + two + one)
    #expect(try await setThrough("jq -c '.value.l |= [7] + .'", in: folder) == "changed a.yaml\n")
    #expect(try await folder.shell("cat data/a.yaml").hasSuffix(two + one))
  }

  @Test func `an edit below a list is refused, and the others are written`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "tags: [x, y] # kept\nn: 1\n", "b.yaml": "n: 1\n"])
    let lines =
      #"{"id":"a","value":{"n":2,"tags":{"@count":3}}}"# + "\n" + #"{"id":"b","value":{"n":2}}"# + "\n"
    let end = try await run(["set", ".", "-"], lines, in: folder)
    #expect(end.status == .exited(65))
    #expect(end.outputText == "changed b.yaml\n")
    #expect(end.errorText.hasPrefix("notes-watch: a: `tags.@count` is computed"), "\(end.errorText)")
    let map = try await run(["set", ".", "-"], #"{"id":"a","value":{"tags":{"a":"it's"}}}"#, in: folder)
    #expect(map.status == .exited(65))
    let command = try #require(
      map.errorText.split(separator: "run: notes-watch ").last?.split(separator: " The item was").first)
    #expect(try await folder.shell("cat a.yaml") == "tags: [x, y] # kept\nn: 1\n")
    try await folder.shell("\(Self.program) \(command)")
    #expect(try await BuiltProgram.items(in: folder.path)["a"] == ["tags": ["a": "it's"], "n": 1])
  }

  @Test(arguments: [
    ["rm", ".", "-", "b"], ["rm", ".", "b", "-"], ["get", ".", "-", "b"], ["get", ".", "b", "-"],
    ["edit", ".", "-"],
    ["edit", ".", "b", "-"],
    ["set", ".", "b", "-", "k=9"], ["add", ".", "n", "-"], ["unset", ".", "b", "-", "k"],
    ["unset", ".", "-", "b", "k"],
    ["unset", ".", "-", "b", "--", "k"],
    ["unset", ".", "b", "-", "--", "k"], ["rm", ".", "-", "-"], ["unset", ".", "-", "k", "-"],
  ])
  func `standard input together with ids is an error, and nothing is written`(words: [String]) async throws {
    let folder = try TemporaryFolder(Self.files)
    let end = try await run(words, "{\"id\":\"a\"}\n", in: folder)
    #expect(end.status == .exited(64), "\(end.errorText)")
    #expect(end.output.isEmpty)
    #expect(end.errorText.contains("standard input"))
    #expect(end.errorText.contains("%2D"))
    #expect(try await folder.shell("cat a.yaml b.yaml; ls") == "k: 1\nk:  2 # two\na.yaml\nb.yaml\nd\n")
  }

  @Test func `an item that cannot be added is reported with its line`() async throws {
    let folder = try TemporaryFolder()
    let lines = [
      "{\"id\":\"x\",\"value\":{}}", "{\"id\":\"q\",\"path\":\"r.yaml\",\"value\":{}}", "",
      "{\"id\":\"../q\",\"value\":{}}",
    ]
    let end = try await run(["add", ".", "-"], lines.joined(separator: "\n"), in: folder)
    #expect(end.status == .exited(73))
    #expect(
      end.errorText.contains("Standard input, line 2: r.yaml: This file would be the item `r`"),
      "\(end.errorText)")
    #expect(
      end.errorText.contains("Standard input, line 4: ../q: No file can have this name"), "\(end.errorText)")
    #expect(try await folder.shell("ls -A") == "")
  }

  @Test func `a word that may be an id is suggested as one`() async throws {
    let folder = try TemporaryFolder([
      "ada.yaml": "k: 1\n", "bob@example.org.yaml": "k: 1\n", "a=b.yaml": "k: 1\n",
    ])
    for (words, id) in [
      (["set", ".", "ada", "bob@example.org", "k=2"], "bob%40example.org"),
      (["set", ".", "a=b", "k=2"], "a%3Db"),
    ] {
      let end = try await BuiltProgram.start(words, in: folder.path).end()
      #expect(end.status != .exited(0))
      #expect(end.errorText.contains("If this is an id, write \(id)."), "\(end.errorText)")
      #expect(try await BuiltProgram.run("set", ".", id, "k=2", in: folder.path).status == .exited(0))
    }
  }

  @Test(arguments: ["rm", "unset", "get", "set"])
  func `arrays, lines and ids name the same items`(command: String) async throws {
    let inputs = [
      #"[{"id":"a"},{"id":"d/c"}]"#,
      "\u{FEFF} \n[\n  {\n    \"id\": \"a\"\n  },\n{\"id\":\"d/c\", \"x\": [\"]\", \"\\\"\"]}\n]\n",
      "{\"id\":\"a\"}\r\n\n{\"id\":\"d/c\",\"path\":\"d/c.json\"}", "a\r\n\r\nd/c\r\n", "a\nd/c",
      "a\nd/c\na\n",
    ]
    for input in inputs {
      let folder = try TemporaryFolder(StandardInputTests.files)
      let words = [command, ".", "-"] + (command == "unset" ? ["k"] : command == "set" ? ["k=9"] : [])
      let end = try await run(words, input, in: folder)
      #expect(end.status == .exited(0), "\(input) \(end.errorText)")
      if command == "get" {
        #expect(
          try JSON(end.output).list.map(\.path)
            == ["a.yaml", "d/c.json"])
      } else {
        let verb = command == "rm" ? "removed" : "changed"
        #expect(end.outputText == "\(verb) a.yaml\n\(verb) d/c.json\n", "\(input)")
      }
    }
  }

  @Test func `rm does not read an id of standard input as a path`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "name: one\n", "a.yaml.md": "two\n"])
    #expect(try await run(["rm", ".", "-"], "a.yaml\n", in: folder).outputText == "removed a.yaml.md\n")
    let again = try await run(["rm", ".", "-"], "a.yaml\n", in: folder)
    #expect(again.status == .exited(66))
    #expect(try await folder.shell("ls") == "a.yaml\n")
  }

  @Test(arguments: ["..", "link"])
  func `a path that may name two files is refused however DIR is written`(name: String) async throws {
    let folder = try TemporaryFolder(["h/x.yaml": "a: 1\n", "h/sub/x.yaml": "a: 2\n"])
    let dir = name == ".." ? ".." : "\(folder.path)/link"
    let text = try await folder.shell(
      "ln -s h link; cd h/sub; \(Self.program) rm '\(dir)' x.yaml 2>&1 || echo $?; cat x.yaml ../x.yaml")
    #expect(text.contains("This may name the files"), "\(text)")
    #expect(text.hasSuffix("65\na: 2\na: 1\n"), "\(text)")
  }

  @Test(arguments: ["json", "jsonl", "id"])
  func `rm removes the items that list prints`(format: String) async throws {
    let names = ["a", "[b]", "{c}", " [d", "  ", "e f", "-g", "é", "%5B", "[]"]
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ("\($0).yaml", "k: 1\n") }))
    let output = try await folder.shell("\(Self.program) list . -o \(format) | \(Self.program) rm . -")
    #expect(output.split(separator: "\n").count == names.count, "\(output)")
    #expect(try await folder.shell("ls -A") == "")
  }

  private static let wrongInputs: [(input: String, code: Int32, part: String)] = [
    ("{\"id\":\"a\"}\n{\"id\":\"b\"\n", 65, "line 2"),
    ("{\"id\":\"a\"}\n{\"id\":\"x\"}\n", 66, "line 2: There is no item `x`"),
    ("[{\"id\":\"a\"},{\"id\":\"b\"}", 65, "cut off"),
    ("[{\"id\":\"a\"},]", 65, "comma"), ("[{\"id\":\"a\"} {\"id\":\"b\"}]", 65, "Expected a `,`"),
    ("[{\"id\":\"a\"}]\n[]", 65, "Nothing may follow"),
    ("[\"a\"]", 65, "object"), ("a\nx\n", 66, "`x`"), ("{\n  \"id\": \"a\"\n}\n", 65, "jq -c"),
    ("{\"id\":\"a\",\"path\":\"b.yaml\"}", 65, "`path`"),
    ("{\"v\":1,\"type\":\"problem\",\"path\":\"a.yaml\"}", 65, "another output"),
    ("{\"v\":1,\"type\":\"hello\"}\n", 65, "another output"),
    ("{\"id\":\"a\"}{\"id\":\"b\"}\n", 65, "line 1"), ("a\n../b\n", 66, "no item `../b`"),
  ]

  @Test func `nothing is written if a line names no item`() async throws {
    try await concurrently(Self.wrongInputs) { input, code, part in
      let folder = try TemporaryFolder(StandardInputTests.files)
      for command in [
        ["rm", ".", "-"], ["unset", ".", "-", "k"], ["set", ".", "-", "k=5"], ["rm", ".", "-", "--dry-run"],
      ] {
        let end = try await run(command, input, in: folder)
        #expect(end.status == .exited(code), "\(input) \(command) \(end.errorText)")
        #expect(end.output.isEmpty, "\(input)")
        #expect(end.errorText.contains(part), "\(input) \(end.errorText)")
      }
      #expect(
        try await folder.shell("cat a.yaml b.yaml d/e.md d/c.json; find . -type f | wc -l")
          == "k: 1\nk:  2 # two\n---\nk: 4\n---\ntext\n{\"k\": 3}4\n", "\(input)")
      let others = try await run(["rm", ".", "-", "--keep-going"], input, in: folder)
      #expect(others.status == .exited(code), "\(input)")
    }
  }

  @Test func `an item may occur twice, but not with different values`() async throws {
    let folder = try TemporaryFolder(StandardInputTests.files)
    let same = #"{"id":"a","value":{"k":7}}"#
    #expect(
      try await run(["set", ".", "-"], "\(same)\n\(same)\n", in: folder).outputText == "changed a.yaml\n")
    let end = try await run(["set", ".", "-"], "\(same)\n" + #"{"id":"a","value":{"k":8}}"#, in: folder)
    #expect(end.status == .exited(65))
    #expect(end.errorText.contains("also in line 1"), "\(end.errorText)")
    #expect(end.output.isEmpty)
  }

  @Test func `damaged input writes nothing unless each line is valid`() async throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<6).map { ("n\($0).yaml", "k: \($0)\n") })
    let seeds = Randomness.seeds(6)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder(files)
      let format = random.one(of: ["json", "jsonl", "id"])
      var bytes = Array(try await folder.shell("\(Self.program) list . -o \(format)").utf8)
      switch random.below(3) {
      case 0: bytes.removeLast(1 + random.below(bytes.count - 1))
      case 1: bytes.swapAt(random.below(bytes.count), random.below(bytes.count))
      default: bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      try folder.write(bytes, to: ".input")
      let end = try await Program("/bin/sh", ["-c", "\(Self.program) rm . - < .input"], folder: folder.path)
        .end()
      let left = try await folder.shell("ls").split(separator: "\n").count
      if end.status == .exited(0) {
        #expect(left == files.count - end.lineCount, "\(seedNote(seed))")
      } else {
        #expect(left == files.count, "\(end.outputText) \(end.errorText) \(seedNote(seed))")
      }
      #expect(
        [.exited(0), .exited(65), .exited(66), .exited(73)].contains(end.status),
        "\(end.errorText) \(seedNote(seed))")
    }
    #expect(!seeds.isEmpty)
  }

  @Test func `an input without items is reported`() async throws {
    let cases = ["get", "set", "unset", "rm", "add"].flatMap { command in
      ["", "[]", "\n\n"].map { (command, $0) }
    }
    try await concurrently(cases) { command, input in
      let folder = try TemporaryFolder(Self.files)
      let end = try await run([command, ".", "-"] + (command == "unset" ? ["k"] : []), input, in: folder)
      #expect(end.status == .exited(0), "\(command)")
      #expect(end.errorText == "notes-watch: Standard input contains no items.\n", "\(command)")
      #expect(
        try await folder.shell("cat a.yaml b.yaml; find . -type f | wc -l") == "k: 1\nk:  2 # two\n4\n",
        "\(command)")
    }
  }

  @Test func `pseudo-fields do not become keys of a file`() async throws {
    let folder = try TemporaryFolder(["old/a.yaml": "k: 1\n", "new/.keep": ""])
    let fields = "--fields k,@size,@modified,@id,@path,@dir,@name,@ext,@created"
    let output = try await folder.shell(
      "\(Self.program) list old \(fields) -o json | \(Self.program) add new -; cat new/a.yaml")
    #expect(output == "added a.yaml\nk: 1\n")
    #expect(
      try await folder.shell("\(Self.program) list old \(fields) -o json | \(Self.program) set new -")
        == "unchanged a.yaml\n")
  }

  @Test func `the path of a file names its item`() async throws {
    let folder = try TemporaryFolder([
      "gems/x/y.yml": "k: 1\n", "gems/a.yaml": "k: 1\n", "gems/a.yaml.json": "{\"k\": 2}",
      "gems/gems/a.json": "{}", "gems/b.json": "{}",
      "gems/gems/b.json": "{}",
    ])
    for word in ["x/y", "x/y.yml", "gems/x/y.yml", "./gems/x/y.yml", "\(folder.path)/gems/x/y.yml"] {
      #expect(try await BuiltProgram.json("get", "gems", word, in: folder.path).id == "x/y", "\(word)")
    }
    // An id has priority over a path.
    #expect(try await BuiltProgram.json("get", "gems", "a.yaml", in: folder.path).path == "a.yaml.json")
    let two = try await BuiltProgram.run("rm", "gems", "gems/b.json", in: folder.path)
    #expect(two.status == .exited(65))
    #expect(two.errorText.contains("`gems/b.json` and `b.json`"), "\(two.errorText)")
    #expect(
      try await BuiltProgram.run("set", "gems", "gems/x/y.yml", "k=3", in: folder.path).outputText
        == "changed x/y.yml\n")
    #expect(
      try await BuiltProgram.run("unset", "gems", "gems/x/y.yml", "k", in: folder.path).outputText
        == "changed x/y.yml\n")
    #expect(try await BuiltProgram.run("rm", "gems", "x/../x/y.yml", in: folder.path).status != .exited(0))
    #expect(
      try await BuiltProgram.run("rm", "gems", "gems/x/y.yml", in: folder.path).outputText
        == "removed x/y.yml\n")
  }

  @Test(arguments: ["get", "add", "set", "unset", "rm", "edit", "log"])
  func `an id with a leading dash needs two dashes before it`(command: String) async throws {
    let folder = try TemporaryFolder(["-dash.yaml": "k: 1\n"])
    for id in ["-dash", "-o5", "--dash", "-1"] {
      let end = try await BuiltProgram.run(command, folder.path, id, "k=1")
      #expect(end.status == .exited(64), "\(id)")
      #expect(end.output.isEmpty)
      #expect(!end.errorText.isEmpty)
      #expect(try folder.bytes(of: "-dash.yaml") == Array("k: 1\n".utf8))
    }
    #expect(try await BuiltProgram.json("get", folder.path, "--", "-dash").id == "-dash")
  }
}
