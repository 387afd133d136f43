import PlainStore
import Sinks
import Streams
import TestSupport
import Testing
import Values

@testable import Server

@Suite(.timeLimit(.minutes(3))) struct RenderedSessionTests {
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
    let list = store.results(try ViewDefinition(written).request).snapshot
    return [
      "table": try bytes(
        TableWriter(TextOptions(width: 60, usesColor: true, isTerminal: true)).pieces(of: list)),
      "json": try bytes(ItemListWriter.array(list)), "jsonl": try bytes(ItemListWriter.lines(list)),
      "csv": try bytes(DelimitedWriter(.csv, isTerminal: true).pieces(of: list)),
      "tsv": try bytes(DelimitedWriter(.tsv, isTerminal: true).pieces(of: list)),
      "id": try bytes(IDWriter(isTerminal: true).pieces(of: list)),
    ]
  }

  @Test(arguments: Randomness.seeds(3)) func `every format equals that of a new store`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folders = try ServedFolders([:])
    for _ in 0..<6 {
      for _ in 0..<8 { try random.edit(folders.data) }
      let (view, written): (String, Fields) = random.one(of: [
        ("{}", [:]),
        (
          #"{"section":"group","sort":"-rating"}"#, ["section": .string("group"), "sort": .string("-rating")]
        ),
        (#"{"limit":2}"#, ["limit": .number(.integer(2))]),
      ])
      for format in ["table", "json", "jsonl", "csv", "tsv", "id"] {
        let form = "{\"format\":\"\(format)\",\"once\":true,\"color\":true,\"terminal\":true,\"columns\":60}"
        let (output, messages, code) = try folders.rendered(form, view: view)
        #expect(try output == Self.fresh(folders.data.path, written)[format], "\(format), \(seedNote(seed))")
        #expect(
          messages.filter { !$0.hasPrefix("hint:") }
            == (try ItemStore(at: folders.data.path)).problems.map { "\(folders.data.path)/\($0)" }
        )
        #expect(code == 0)
      }
    }
  }

  @Test func `a last good item is in the stream, and not in a list that is printed once`() async throws {
    let folders = try ServedFolders([
      "a.json": #"{"name":"json"}"#, "a.yaml": "name: yaml\n", "b.yaml": "name: b\n",
    ])
    try folders.data.write("{", to: "a.json")
    try folders.data.write("name: [", to: "b.yaml")
    let (output, messages, _) = try folders.rendered(#"{"format":"jsonl","once":true}"#)
    // The id that the last good item kept reserved goes to the next file.
    #expect(
      String(decoding: output, as: UTF8.self)
        == #"{"id":"a","path":"a.yaml","section":"","value":{"name":"yaml"}}"# + "\n")
    #expect(messages.count == 2)
    var reader = StreamReader()
    try folders.stream().read(into: &reader) { $0.problems.count == 3 }
    #expect(reader.ids == ["a", "b"])
    #expect(reader.paths["a"] == "a.json")
  }

  @Test func `messages name the folder as the client does`() throws {
    let folders = try ServedFolders(["a.yaml": "name: [\n"])
    let messages = try folders.rendered(
      #"{"format":"id","once":true,"name":"notes/"}"#, view: #"{"sort":"nmae"}"#
    ).messages
    #expect(messages.first?.hasPrefix("notes/a.yaml:") == true)
  }

  @Test func `settings that cannot be read are refused as list refuses them`() throws {
    let folders = try ServedFolders(["a.yaml": "name: a\n"])
    try folders.data.write("vews: {}\n", to: ".notes-watch.yaml")
    let client = try folders.connect(
      "{\"v\":1,\"folder\":\"\(folders.data.path)\",\"output\":{\"format\":\"id\",\"once\":true}}")
    let error = try client.nextJSON()
    #expect(error.code == "bad-view")
    #expect(error.message.string?.contains(".notes-watch.yaml:1:") == true)
  }

  @Test func `a view that cannot be read is refused as list refuses it`() throws {
    let folders = try ServedFolders([
      "a.yaml": "name: a\n", ".notes-watch.yaml": "views:\n  v: {limit: 1}\n  w: {limit: 0}\n",
    ])
    try folders.data.write("views:\n  v: {limt: 1}\n  w: {limit: 0}\n", to: ".notes-watch.yaml")
    let client = try folders.connect(
      "{\"v\":1,\"folder\":\"\(folders.data.path)\",\"view\":\"v\",\"output\":{\"format\":\"id\",\"once\":true}}"
    )
    let error = try client.nextJSON()
    #expect(error.code == "bad-view")
    #expect(error.message.string?.contains(".notes-watch.yaml:2:") == true)
    #expect(try folders.rendered(#"{"format":"id","once":true}"#, view: #""w""#).code == 0)
  }

  @Test func `text follows the list and the width of the window`() throws {
    let folders = try ServedFolders(["a.yaml": "name: Ada\n"])
    let form = #"{"format":"text","columns":200,"terminal":true}"#
    let client = try folders.connect("{\"v\":1,\"folder\":\"\(folders.data.path)\",\"output\":\(form)}")
    func frame() throws -> String {
      guard case .output(let count)? = try client.nextLine().flatMap({ ServerLine(reading: $0) }) else {
        return "no frame"
      }
      return String(decoding: try client.nextBytes(count), as: UTF8.self)
    }
    #expect(try frame().hasSuffix("1 item. Watching \(folders.data.path)…\n"))
    client.send(line: #"{"columns":20}"#)
    client.send(line: "rubbish")
    #expect(try client.nextJSON().type == "message")
    try folders.data.write("name: \(String(repeating: "long ", count: 20))\n", to: "b.yaml")
    let update = try frame()
    #expect(update.contains("+ 1  b"))
    let lines: [Substring] = update.split(whereSeparator: { $0 == "\n" })
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.count <= 20 })
  }
}
