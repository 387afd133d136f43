import Foundation
import TestSupport
import Testing

/// A folder with every kind of bad item: each is a problem with a place, all other items are
/// listed, and nothing hangs.
@Suite(.serialized, .timeLimit(.minutes(3))) struct HostileItemsTests {
  // An array, because the first two names are equal as dictionary keys.
  private static let good = [
    ("nfc-\u{E9}", "good: 1\n"), ("nfc-e\u{301}", "good: 2\n"), ("plain", "good: 3\n"),
  ]

  /// The name of each bad file, the place of its problem, and a word of the message.
  private static let expected: [(path: String, place: String, word: String)] = [
    ("alias-bomb.yaml", "", "alias"),
    ("binary.yaml", "1:1", "U+007F"),
    ("control.yaml", "1:4", "U+001B"),
    ("dangling.yaml", "1:1", "link"),
    ("deep.json", "1:1001", "deep"),
    ("deep.md", "", "deep"),
    ("deep.yaml", "1:1001", "deep"),
    ("double.yaml", "1:1", "double.json"),
    ("duplicate.json", "1:8", "twice"),
    ("duplicate.yaml", "2:1", "twice"),
    ("empty.json", "1:1", "no value"),
    ("empty.yaml", "1:1", "no value"),
    ("fifo.yaml", "1:1", "FIFO"),
    ("folder.yaml", "1:1", "folder"),
    ("half-utf16.yaml", "1:1", "UTF-16"),
    ("large.json", "1:1", "bytes"),
    ("latin1.yaml", "1:", "UTF-8"),
    ("list.yaml", "1:1", "list"),
    ("loop.yaml", "1:1", "link"),
    ("multi.yaml", "2:1", "document"),
    ("outward.yaml", "1:1", "link"),
    ("scalar.json", "1:1", "single value"),
    ("scalar.yaml", "1:1", "single value"),
    ("socket.yaml", "1:1", "socket"),
    ("unclosed.md", "1:1", "not closed"),
  ]

  private static func folder() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in good { try folder.write(text, to: "\(name).yaml") }
    let deep = String(repeating: "[", count: 100_000)
    let texts = [
      "deep.yaml": deep, "deep.json": deep, "deep.md": "---\nk: \(deep)\n---\n",
      "duplicate.yaml": "k: 1\nk: 2\n",
      "duplicate.json": "{\"k\":1,\"k\":2}",
      "empty.yaml": "", "empty.json": "", "list.yaml": "- 1\n", "scalar.yaml": "x\n", "scalar.json": "1",
      "multi.yaml": "k: 1\n--- \nk: 2\n",
      "unclosed.md": "---\nk: 1\n", "double.yaml": "k: 1\n", "double.json": "{}",
      "large.json": "{\"k\": \"\(String(repeating: "x", count: 300_000))\"}",
      "alias-bomb.yaml": "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        + (1...30).map {
          "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ", "))]\n"
        }.joined(),
      "control.yaml": "k: \u{1B}[31m\n", "target.tmp": "k: linked\n",
      "utf16.yaml": "",
    ]
    for (name, text) in texts { try folder.write(text, to: name) }
    try folder.write([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2, 3], to: "binary.yaml")
    try folder.write(Array("k: caf\u{E9}\n".unicodeScalars.map { UInt8($0.value) }), to: "latin1.yaml")
    try folder.write(
      [0xFF, 0xFE] + "k: wide é\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, to: "utf16.yaml")
    try folder.write([0xFF, 0xFE, 0x6B], to: "half-utf16.yaml")
    try await folder.shell(
      """
      mkfifo fifo.yaml; mkdir folder.yaml; echo 'k: 1' > folder.yaml/inside.yaml
      ln -s nowhere dangling.yaml; ln -s /etc/passwd outward.yaml; ln -s loop.yaml loop.yaml; ln -s . loop; ln -s target.tmp link
      printf 'k: 1\\n' > "$(printf 'a\\nb').yaml"; printf 'k: 2\\n' > "$(printf 'a\\033[31mb').yaml"; printf 'k: 3\\n' > "$(printf 'caf\\351').yaml"
      printf 'k: 4\\n' > "$(printf 'rtl\\342\\200\\256lmay').yaml"; printf 'k: 5\\n' > 'per%41cent.yaml'; printf 'k: 6\\n' > "$(printf %0250d 7).yaml"
      perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "socket.yaml", Listen => 1) or die'
      """)
    return folder
  }

  private static let limits = ["--max-size", "200K"]

  @Test func `check reports each bad item with its place, and no other`() async throws {
    let folder = try await HostileItemsTests.folder()
    let end = try await BuiltProgram.start(["check", folder.path] + HostileItemsTests.limits).end()
    #expect(end.status == .exited(1))
    #expect(end.error.isEmpty)
    let lines = end.outputText.split(separator: "\n").map {
      $0.replacing("\(folder.path)/", with: "", maxReplacements: 1)
    }
    #expect(lines.map { $0.prefix { $0 != ":" } }.map(String.init) == HostileItemsTests.expected.map(\.path))
    for (line, expected) in zip(lines, HostileItemsTests.expected) {
      #expect(line.wholeMatch(of: /[^:]+:[1-9]\d*:[1-9]\d*: .+\.?/) != nil, "\(line)")
      #expect(line.hasPrefix("\(expected.path):\(expected.place)"), "\(line)")
      #expect(line.contains(expected.word), "\(line)")
      #expect(line.utf8.count < 500, "\(line)")
    }
  }

  @Test func `list prints all other items`() async throws {
    let folder = try await HostileItemsTests.folder()
    let end = try await BuiltProgram.start(["list", folder.path, "-o", "json"] + HostileItemsTests.limits)
      .end()
    #expect(end.status == .exited(0))
    let list = try JSON(end.output).list
    // Compared by bytes, because the two `nfc` names are equal as strings.
    let paths = list.compactMap(\.path.string).map { Array($0.utf8) }
    let expected = [
      "nfc-\u{E9}.yaml", "nfc-e\u{301}.yaml", "plain.yaml", "double.json", "utf16.yaml",
      "a%0Ab.yaml",
      "a%1B[31mb.yaml", "caf%E9.yaml",
      "rtl\u{202E}lmay.yaml", "per%2541cent.yaml", String(repeating: "0", count: 249) + "7.yaml",
    ]
    #expect(paths.count == expected.count)
    for path in expected { #expect(paths.contains(Array(path.utf8)), "\(path)") }
    #expect(list.first { $0.id == "utf16" }?.value.k == "wide é")
    #expect(end.output.filter { $0 < 0x20 }.allSatisfy { $0 == 0x0A })
  }

  @Test func `get finds an item by its printed id`() async throws {
    let folder = try await HostileItemsTests.folder()
    for (id, value) in [
      ("a%0Ab", 1), ("a%1B[31mb", 2), ("caf%E9", 3), ("rtl\u{202E}lmay", 4), ("per%2541cent", 5),
    ] as [(String, JSON)] {
      let item = try await BuiltProgram.json("get", folder.path, id)
      #expect(item.value.k == value)
      #expect(item.id == .string(id))
      #expect(item.path == .string("\(id).yaml"))
      let text = try await BuiltProgram.run("get", folder.path, id, "-o", "text").outputText
      #expect(text == "k: \(value.int ?? 0)\n")
    }
    #expect(try await BuiltProgram.json("get", folder.path, "nfc-e\u{301}").value.good == 2)
    #expect(try await BuiltProgram.json("get", folder.path, "nfc-\u{E9}").value.good == 1)
  }

  @Test func `bad items come and go during a watch`() async throws {
    let hostile = try await HostileItemsTests.folder()
    let folder = try TemporaryFolder(["root/plain.yaml": "good: 3\n"])
    let program = try BuiltProgram.start(["\(folder.path)/root", "-o", "jsonl"] + HostileItemsTests.limits)
    try await program.wait(until: "the snapshot") { $0.lineCount == 2 }
    try await folder.shell("mv \(hostile.path)/* root/")
    let expected = HostileItemsTests.expected.map(\.path)
    try await program.wait(until: "every problem") { state in
      expected.allSatisfy { state.outputText.contains("\"path\":\"\($0)\",\"line\"") }
    }
    try await folder.shell("find root -mindepth 1 -delete")
    try await program.wait(until: "no problem") { state in
      expected.allSatisfy { state.outputText.contains("\"cleared\",\"path\":\"\($0)\"") }
    }
    #expect(try JSON(program.state.line(program.state.lineCount - 1)).type == "problem")
    try await folder.shell("echo 'good: 4' > root/plain.yaml")
    try await program.wait(until: "an update") { $0.outputText.contains("\"good\":4") }
  }

  private static let canMakeDevices =
    Machine.isRoot && Machine.canRun("mknod .notes-watch-device c 1 5 && rm .notes-watch-device")

  @Test(.enabled(if: canMakeDevices, "needs a root that may create devices"))
  func `a device is not opened`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    try await folder.shell("mknod zero.yaml c 1 5; mknod loop.json b 7 200")
    let end = try await BuiltProgram.run("check", folder.path)
    #expect(end.outputText.split(separator: "\n").count == 2)
    #expect(end.outputText.contains("zero.yaml:1:1: This is a device"))
    #expect(try await BuiltProgram.run("list", folder.path, "-o", "id").outputText == "a\n")
  }

  @Test func `many bad items take their time only once`() async throws {
    let folder = try TemporaryFolder()
    let deep = "k: " + String(repeating: "[", count: 200_000),
      nested = "k: " + String(repeating: "{a: ", count: 50_000)
    let anchors = (0..<20_000).map { "k\($0): &a\($0) x\n" }.joined(),
      keys = (0..<50_000).map { "k\($0): x\n" }.joined()
    for number in 0..<5 {
      for (name, text) in [("deep", deep), ("nested", nested), ("anchors", anchors), ("keys", keys)] {
        try folder.write(text, to: "\(name)\(number).yaml")
      }
    }
    let end = try await BuiltProgram.run("list", folder.path, "-o", "id")
    #expect(end.status == .exited(0))
    #expect(end.lineCount == 10)
  }
}
