import Glibc
import TestSupport
import Testing
import Values

@Suite(.serialized, .timeLimit(.minutes(3))) struct ListCommandTests {
  private static let contacts = "\(BuiltProgram.samples)/contacts"

  @Test func `-o json prints an array in the order of the view`() async throws {
    let list = try await BuiltProgram.json(
      "list", ListCommandTests.contacts, "--view", "contacts", "-o", "json"
    ).list
    #expect(list.count == 12)
    #expect(list.allSatisfy { $0.keys == ["id", "path", "section", "value"] })
    #expect(Set(list.map(\.section)) == ["friends", "all"])
    // The section `friends` comes first.
    let friends = list.prefix { $0.section == "friends" }
    #expect(list.dropFirst(friends.count).allSatisfy { $0.section == "all" })
    let carla = try #require(list.first { $0.id == "carla-mendez" })
    #expect(carla.path == "carla-mendez.json")
    #expect(carla.value.lastName == "Méndez")
    #expect(carla.value.address.zip == "20012")
  }

  @Test func `-o jsonl prints the same objects`() async throws {
    let array = try await BuiltProgram.json("list", ListCommandTests.contacts, "-o", "json").list
    let end = try await BuiltProgram.run("list", ListCommandTests.contacts, "-o", "jsonl")
    #expect(end.outputText.hasSuffix("}\n"))
    #expect(try (0..<end.lineCount).map { try JSON(end.line($0)) } == array)
    #expect(array.allSatisfy { $0.section == "" })
  }

  @Test(arguments: ["table", "json", "jsonl", "csv", "tsv", "id"])
  func `a predicate without its quotes is refused before anything is printed`(format: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "status: done\n", "b.yaml": "title: x\n", "e/c.txt": ""])
    let end = try await BuiltProgram.run(
      "list", ".", "--where", "status = done", "-o", format, in: folder.path)
    #expect(end.status == .exited(65))
    #expect(end.output.isEmpty)
    #expect(end.errorText.contains("did you mean `status = \"done\"`?"), "\(end.errorText)")
    let negated = try await BuiltProgram.run(
      "list", ".", "--where", "NOT (status = done)", "-o", format, in: folder.path)
    #expect(negated.status == .exited(65))
    #expect(negated.output.isEmpty)
    #expect(
      try await BuiltProgram.run("list", ".", "--where", "status = `done`", "-o", format, in: folder.path)
        .status == .exited(0))
    #expect(
      try await BuiltProgram.run("list", "e", "--where", "status = done", "-o", format, in: folder.path)
        .status == .exited(0))
  }

  @Test func `a query finds items, and a field that no item has is refused`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "title: Apple tree\nrating: 4\n", "b.yaml": "title: Pear\ndone: true\n", "e/c.txt": "",
      ".notes-watch.yaml": "views:\n  pears:\n    search: pear\n  bad:\n    query: titel:x\n",
    ])
    func list(_ arguments: String...) async throws -> Program.State {
      try await BuiltProgram.start(["list", ".", "-o", "id"] + arguments, in: folder.path).end()
    }
    #expect(try await list("--query", "apple OR done:=true").outputText == "a\nb\n")
    #expect(try await list("--query", "-has:rating").outputText == "b\n")
    #expect(try await list("--query", "apple", "--view", "pears").outputText == "a\n")
    #expect(try await list("--query", "--pear").outputText.isEmpty)
    let unknown = try await list("--query", "titel:apple")
    #expect(unknown.status == .exited(65))
    #expect(unknown.output.isEmpty)
    #expect(
      unknown.errorText
        == "notes-watch: --query: no item has the field `titel`. Did you mean `title`? If it is text, put it in quotes.\n"
    )
    let ofSettings = try await list("--view", "bad")
    #expect(ofSettings.status == .exited(0))
    #expect(ofSettings.errorText.hasPrefix("notes-watch: warning: no item has the field `titel`."))
    let malformed = try await list("--query", "apple \"tree")
    #expect(malformed.status == .exited(64))
    #expect(malformed.errorText.contains("      ^ column 7: this quote is not closed"))
    let both = try await list("--query", "a", "--search", "b")
    #expect(both.status == .exited(64))
    #expect(both.errorText.contains("A view has `search` or `query`."))
    let explained = try await list("--query", "apple -done:true", "--explain")
    #expect(
      explained.outputText
        == "(@text CONTAINS[cd] \"apple\") AND (NOT `done`.@text CONTAINS[cd] \"true\")\n")
  }

  @Test func `list prints ids, tables and delimited files`() async throws {
    let ids = try await BuiltProgram.run("list", ListCommandTests.contacts, "-o", "id").outputText.split(
      separator: "\n"
    ).map(String.init)
    #expect(ids == ids.sorted())
    try #require(ids.count == 12)
    #expect(ids[0] == "amelia-okafor")
    let csv = try await BuiltProgram.run(
      "list", ListCommandTests.contacts, "-o", "csv", "--fields", "firstName,address.city"
    ).outputText
    #expect(
      csv.hasPrefix("id,path,firstName,address.city\r\namelia-okafor,amelia-okafor.yaml,Amelia,")
        || csv.hasPrefix("id,path,firstName,address.city\namelia-okafor,amelia-okafor.yaml,Amelia,"), "\(csv)"
    )
    let tsv = try await BuiltProgram.run(
      "list", ListCommandTests.contacts, "-o", "tsv", "--fields", "firstName"
    ).outputText
    #expect(tsv.hasPrefix("id\tpath\tfirstName\namelia-okafor\tamelia-okafor.yaml\tAmelia\n"), "\(tsv)")
    let table = try await BuiltProgram.run("list", ListCommandTests.contacts, "--view", "contacts").outputText
    #expect(table.contains("Friends Contacts"))
    #expect(table.contains("Your Contacts"))
    #expect(table.contains("Méndez"))
    #expect(!table.contains("\u{1B}"))
  }

  @Test(arguments: [
    ("colors", "by-name", 148), ("contacts", "contacts", 12), ("quotes", "newest", 14),
    ("users", "people", 8), ("todos", "by-project", 18),
    ("todos", "top-10", 10),
  ])
  func `each view of the sample data lists its items`(set: String, view: String, count: Int) async throws {
    let end = try await BuiltProgram.run(
      "list", "\(BuiltProgram.samples)/\(set)", "--view", view, "-o", "json")
    #expect(end.status == .exited(0))
    #expect(end.error.isEmpty)
    #expect(try JSON(end.output).list.count == count)
  }

  @Test func `options override the named view`() async throws {
    let set = "\(BuiltProgram.samples)/todos"
    let top = try await BuiltProgram.json(
      "list", set, "--view", "top-10", "--limit", "3", "--offset", "1", "-o", "json"
    ).list
    let all = try await BuiltProgram.json("list", set, "--view", "top-10", "--limit", "100", "-o", "json")
      .list
    #expect(top == Array(all[1...3]))
  }

  @Test func `an option may have a value with a leading dash`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "rating: 1\n", "b.yaml": "rating: 3\n", "c.yaml": "name: -5 degrees\n",
    ])
    let list = try await BuiltProgram.json("list", folder.path, "--sort", "-rating", "-o", "json").list
    #expect(list.map(\.id) == ["b", "a", "c"])
    #expect(try await BuiltProgram.json("list", folder.path, "--sort=-rating", "-o", "json").list == list)
    #expect(
      try await BuiltProgram.json("list", folder.path, "--search", "-5", "-o", "json").list.map(\.id) == ["c"]
    )
    #expect(
      try await BuiltProgram.json("list", folder.path, "--section", "-rating", "-o", "json").list.map(
        \.section) == ["3", "1", ""])
  }

  /// The two zones always have different days.
  @Test(arguments: [("<+14>-14", 14), ("<-12>12", -12)])
  func `@today is the day in the time zone of the system`(_ zone: String, _ hours: Int) async throws {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let today = (now.tv_sec + hours * 3_600) / 86_400
    let folder = try TemporaryFolder()
    for day in today - 3...today + 3 {
      let text = Timestamp(seconds: Int64(day) * 86_400, nanoseconds: 0).text.prefix(10)
      try folder.write("due: \(text)\n", to: "\(day - today).yaml")
    }
    let end = try await BuiltProgram.run(
      "list", folder.path, "--where", "due = @today", "-o", "id", environment: ["TZ": zone])
    // The day may have begun after the files were written.
    #expect(["0\n", "1\n"].contains(end.outputText))
  }

  @Test func `an empty list is valid in each format`() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": "views: {v: {empty: Nothing here yet.}}\n"])
    #expect(try await BuiltProgram.run("list", folder.path, "-o", "json").outputText == "[]\n")
    for format in ["jsonl", "id"] {
      #expect(try await BuiltProgram.run("list", folder.path, "-o", format).output.isEmpty)
    }
    let table = try await BuiltProgram.run("list", folder.path, "--view", "v")
    #expect(table.status == .exited(0))
    #expect(table.outputText == "Nothing here yet.\n")
  }

  @Test func `an unknown field causes a hint`() async throws {
    let end = try await BuiltProgram.run(
      "list", ListCommandTests.contacts, "--sort", "-lasttName", "-o", "json")
    #expect(end.status == .exited(0))
    #expect(
      end.errorText == "notes-watch: hint: no item has the field `lasttName`. Did you mean `lastName`?\n")
    #expect(try JSON(end.output).list.count == 12)
  }

  @Test func `an error in a predicate points at its column`() async throws {
    let end = try await BuiltProgram.run("list", ListCommandTests.contacts, "--where", "group = = 3")
    #expect(end.status == .exited(64))
    #expect(end.output.isEmpty)
    let lines = end.errorText.split(separator: "\n")
    let text = try #require(lines.firstIndex(of: "group = = 3"), "\(end.errorText)")
    #expect(lines[text + 1].hasPrefix("        ^ column 9: expected "))
  }

  @Test(arguments: [
    ("ignore: [a\n", 1, "closed"), ("- a\n", 1, "map"), ("x: 1\nview: {}\n", 1, "x"),
  ])
  func `an error in the settings has its line`(settings: String, line: Int, word: String) async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": settings, "a.yaml": "k: 1\n"])
    let end = try await BuiltProgram.run("list", folder.path)
    #expect(end.status == .exited(78))
    #expect(end.output.isEmpty)
    #expect(
      end.errorText.hasPrefix("notes-watch: \(folder.path)/.notes-watch.yaml:\(line):"), "\(end.errorText)")
    #expect(end.errorText.contains(word), "\(end.errorText)")
  }

  @Test(arguments: [
    ("views:\n  v:\n    sorted: name\n", 3, "sort"), ("views:\n  v: {where: 'a = = 1'}\n", 2, "column"),
    ("views:\n  v: {limit: many}\n", 2, "an integer"),
  ])
  func `a view with an error fails only its own list`(settings: String, line: Int, word: String) async throws
  {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": settings + "  good: {sort: k}\n", "a.yaml": "k: 1\n",
    ])
    let problem = "\(folder.path)/.notes-watch.yaml:\(line):"
    for view in [[], ["--view", "good"]] {
      let end = try await BuiltProgram.start(["list", folder.path, "-o", "id"] + view).end()
      #expect(end.status == .exited(0))
      #expect(end.outputText == "a\n")
      #expect(end.errorText.hasPrefix("notes-watch: \(problem)"), "\(end.errorText)")
    }
    let end = try await BuiltProgram.run("list", folder.path, "--view", "v")
    #expect(end.status == .exited(78))
    #expect(end.errorText.hasPrefix("notes-watch: \(problem)"), "\(end.errorText)")
    #expect(end.errorText.contains(word))
    #expect(try await BuiltProgram.run("set", folder.path, "a", "k=2").status == .exited(0))
  }

  @Test func `several predicates are combined with AND`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "k: 1\nl: 1\n", "b.yaml": "k: 1\nl: 2\n", "c.yaml": "k: 2\nl: 1\n",
    ])
    let end = try await BuiltProgram.run(
      "list", folder.path, "--where", "k = 1 OR k = 3", "--where=l = 1 OR l = 3", "-o", "id")
    #expect(end.outputText == "a\n")
    let bad = try await BuiltProgram.run("list", folder.path, "--where", "k = 1", "--where", "l = = 2")
    #expect(bad.status == .exited(64))
    #expect(bad.errorText.contains("\nl = = 2\n"), "\(bad.errorText)")
  }

  @Test func `an unknown view suggests a known one`() async throws {
    let end = try await BuiltProgram.run("list", ListCommandTests.contacts, "--view", "contact")
    #expect(end.status == .exited(78))
    #expect(end.errorText.contains("Did you mean `contacts`?"))
  }

  @Test func `problems go to standard error, and the other items are listed`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: [1\n", "c.json": "{\"k\": 01}"])
    let end = try await BuiltProgram.run("list", folder.path, "-o", "id")
    #expect(end.status == .exited(0))
    #expect(end.outputText == "a\n")
    let errors = end.errorText.split(separator: "\n")
    try #require(errors.count == 2, "\(errors)")
    #expect(errors[0].hasPrefix("notes-watch: \(folder.path)/b.yaml:1:4: "), "\(errors)")
    #expect(errors[1].hasPrefix("notes-watch: \(folder.path)/c.json:1:"), "\(errors)")
  }

  @Test func `a key with line breaks cannot forge a message`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "\"k\\nb.yaml:1:1: \\e[31m\": 1\n\"k\\nb.yaml:1:1: \\e[31m\": 2\n"
    ])
    let end = try await BuiltProgram.run("list", folder.path)
    #expect(
      end.errorText.hasPrefix("notes-watch: \(folder.path)/a.yaml:2:1: The key `k\\nb.yaml:1:1: \\x1b[31m` "),
      "\(end.errorText)")
    #expect(end.errorText.filter { $0 == "\n" }.count == 1)
  }
}
