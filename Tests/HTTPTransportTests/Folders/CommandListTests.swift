import Foundation
import Serve
import Printing
import Store
import Streams
import TestSupport
import Testing
import Values

@Suite(.timeLimit(.minutes(3))) struct CommandListTests {
  private struct Collected: ByteOutput {
    var bytes: [UInt8] = []
    mutating func write(_ bytes: [UInt8]) { self.bytes += bytes }
  }

  private static func bytes(_ pieces: OutputPieces) throws -> [UInt8] {
    var output = Collected()
    try pieces.write(to: &output)
    return output.bytes
  }

  /// Returns what a new store shows in each format.
  private static func fresh(_ folder: String, _ written: Fields) throws -> [String: [UInt8]] {
    let store = try ItemStore(at: folder)
    let list = store.list(try ViewDefinition(written).request).snapshot
    return [
      "table": try bytes(
        TableWriter(TextOptions(width: 60, usesColor: true, isTerminal: true)).pieces(of: list)),
      "json": try bytes(ItemListWriter.array(list)), "jsonl": try bytes(ItemListWriter.lines(list)),
      "csv": try bytes(DelimitedWriter(.csv, isTerminal: true).pieces(of: list)),
      "tsv": try bytes(DelimitedWriter(.tsv, isTerminal: true).pieces(of: list)),
      "id": try bytes(IDWriter(isTerminal: true).pieces(of: list)),
    ]
  }

  @Test(arguments: Randomness.seeds(3)) func `every format equals that of a new store`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let folders = try await ServedFolders([:])
    for _ in 0..<6 {
      for _ in 0..<8 { try random.edit(folders.data) }
      let (view, written): (String, Fields) = random.one(of: [
        ("{}", [:]),
        (
          #"{"section":"group","sort":"-rating"}"#, ["section": .string("group"), "sort": .string("-rating")]
        ),
        (#"{"limit":2}"#, ["limit": .number(.integer(2))]),
        (#"{"sort":"-@size,name"}"#, ["sort": .string("-@size,name")]),
        (
          #"{"fields":"name,@size,@modified,@path"}"#, ["fields": .string("name,@size,@modified,@path")]
        ),
      ])
      let list = try folders.list(view)
      let snapshot = try #require(list.snapshot)
      let options = TextOptions(width: 60, usesColor: true, isTerminal: true)
      let fresh = try Self.fresh(folders.data.path, written)
      #expect(fresh.count == ListFormat.allCases.count)
      for (format, bytes) in fresh {
        let found = try Self.bytes(try #require(ListFormat(rawValue: format)).pieces(of: snapshot, options))
        #expect(found == bytes, "\(format), \(seedNote(seed))")
      }
      #expect(
        list.messages.filter { !$0.hasPrefix("hint:") }
          == (try ItemStore(at: folders.data.path)).problems.map { "\(folders.data.path)/\($0)" })
      #expect(list.code == 0)
    }
  }

  @Test func `values and occurrences arrive exactly`() async throws {
    let folders = try await ServedFolders([
      "a.yaml":
        "n: [.inf, -.inf, .nan, 1e400, 12345678901234567890123, 0x10, 1.50]\nd: 2024-02-29\nt: [x, y]\n",
      "b%2F.json": #"{"z":1,"a":{"k":null},"t":["y"],"e":""}"#,
    ])
    let list = try folders.list(#"{"section":"t"}"#)
    let written: Fields = ["section": .string("t")]
    let options = TextOptions(width: 60, usesColor: true, isTerminal: true)
    let snapshot = try #require(list.snapshot)
    for (format, bytes) in try Self.fresh(folders.data.path, written) {
      let pieces = try #require(ListFormat(rawValue: format)).pieces(of: snapshot, options)
      #expect(try Self.bytes(pieces) == bytes, "\(format)")
    }
  }

  @Test func `a last good item is in the stream, and not in a list that is printed once`() async throws {
    let folders = try await ServedFolders([
      "a.json": #"{"name":"json"}"#, "a.yaml": "name: yaml\n", "b.yaml": "name: b\n",
    ])
    try folders.data.write("{", to: "a.json")
    try folders.data.write("name: [", to: "b.yaml")
    let list = try folders.list()
    // The id that the last good item kept reserved goes to the next file.
    #expect(
      String(decoding: try Self.bytes(ItemListWriter.lines(try #require(list.snapshot))), as: UTF8.self)
        == #"{"id":"a","path":"a.yaml","section":"","value":{"name":"yaml"}}"# + "\n")
    #expect(list.messages.count == 2)
    var reader = StreamReader()
    try folders.stream().read(into: &reader) { $0.problems.count == 3 }
    #expect(reader.ids == ["a", "b"])
    #expect(reader.paths["a"] == "a.json")
  }

  @Test func `messages name the folder as the client does`() async throws {
    let folders = try await ServedFolders(["a.yaml": "name: [\n"])
    let messages = try folders.list(#"{"sort":"nmae"}"#, name: "notes/").messages
    #expect(messages.first?.hasPrefix("notes/a.yaml:") == true)
  }

  @Test func `settings that cannot be read are refused as list refuses them`() async throws {
    let folders = try await ServedFolders(["a.yaml": "name: a\n"])
    try folders.data.write("vews: {}\n", to: ".notes-watch.yaml")
    let error = try JSON(Data(try folders.send("POST", "/data/list", "{}").body))
    #expect(error.type == "urn:notes-watch:problem:bad-view")
    #expect(error.detail.string?.contains(".notes-watch.yaml:1:") == true)
  }

  @Test func `a view that cannot be read is refused as list refuses it`() async throws {
    let folders = try await ServedFolders([
      "a.yaml": "name: a\n", ".notes-watch.yaml": "views:\n  v: {limit: 1}\n  w: {limit: 0}\n",
    ])
    try folders.data.write("views:\n  v: {limt: 1}\n  w: {limit: 0}\n", to: ".notes-watch.yaml")
    let error = try JSON(Data(try folders.send("POST", "/data/list", #"{"view":"v"}"#).body))
    #expect(error.type == "urn:notes-watch:problem:bad-view")
    #expect(error.detail.string?.contains(".notes-watch.yaml:2:") == true)
    #expect(try folders.list(#"{"view":"w"}"#).code == 0)
  }

  @Test func `bytes that are not a list are refused`() async throws {
    let folders = try await ServedFolders(["a.yaml": "name: Ada\n"])
    let bytes = try folders.send("POST", "/data/list", "{}").body
    #expect(PackedList(reading: bytes)?.snapshot?.count == 1)
    for count in 0..<bytes.count {
      #expect(PackedList(reading: Array(bytes.prefix(count))) == nil, "\(count)")
    }
  }

  @Test func `text follows the list and the width of the window`() async throws {
    let folders = try await ServedFolders(["a.yaml": "name: Ada\n"])
    let client = try folders.stream(
      "{\"text\":{\"name\":\"\(folders.data.path)\",\"columns\":200,\"terminal\":true}}")
    func text() throws -> String { try client.nextJSON().text.string ?? "" }
    var first = try text()
    while !first.hasSuffix("\n1 item. Watching \(folders.data.path)…\n"), first.utf8.count < 1_000 {
      first += try text()
    }
    client.send(line: #"{"columns":20}"#)
    client.send(line: "rubbish")
    #expect(try client.nextJSON().type == "message")
    try folders.data.write("name: \(String(repeating: "long ", count: 20))\n", to: "b.yaml")
    let update = try text()
    #expect(update.contains("+ 1  b"))
    let lines: [Substring] = update.split(whereSeparator: { $0 == "\n" })
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.count <= 20 })
  }
}
