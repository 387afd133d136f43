import Foundation
import TestSupport
import Testing

/// Several clients of one daemon, whose streams equal `list` while the folder changes.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Machine.has("git"), "needs git"))
struct ConnectedClientsTests {
  /// A client with the list that its stream describes.
  private struct Client {
    let connection: DaemonStream
    var reader = StreamReader()
    var view: ClientView

    init(_ daemon: RunningDaemon, _ folder: String, _ view: ClientView) throws {
      connection = try daemon.connect()
      connection.send(line: "{\"v\":1,\"folder\":\"\(folder)\",\"view\":\(view.json)}")
      self.view = view
      // What was written before the request is in the first snapshot.
      try connection.read(into: &reader) { $0.hasSnapshot }
    }

    mutating func await(_ rows: ListRows) throws {
      try connection.read(into: &reader) { try $0.hasSnapshot && ListRows(of: $0) == rows }
    }
  }

  /// With the last seed, a step had no lines after a control line, and the stream sent no later one.
  @Test(arguments: Randomness.seeds(2) + [17_533_585_304_149_544_616])
  func `each client's stream equals list`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = try DaemonEdits.repository().folder
    let daemon = try await RunningDaemon(folders: [folder.path])
    var edits = DaemonEdits(SeededGenerator(seed: random.next()))
    var clients = try (0..<5).map { _ in try Client(daemon, folder.path, ClientView(&random)) }
    for _ in 0..<5 {
      try await folder.shell(edits.script())
      for index in clients.indices where random.oneIn(3) {
        clients[index].view = ClientView(&random)
        clients[index].connection.send(line: clients[index].view.controlLine)
      }
      if random.oneIn(2) {
        clients[random.below(clients.count)] = try Client(daemon, folder.path, ClientView(&random))
      }
      for index in clients.indices {
        let rows = try await ListRows(printedFor: clients[index].view, in: folder.path)
        try clients[index].await(rows)
      }
    }
    #expect(clients.allSatisfy { $0.reader.hasSnapshot }, "\(seedNote(seed))")
    #expect(try await daemon.stop() == 143)
    // A stream that does not end after a complete line is an error.
    for client in clients { while let line = try client.connection.nextLine() { _ = try JSON(Data(line)) } }
  }

  @Test(arguments: Randomness.seeds(3)) func `list prints the same with and without the daemon`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let folder = try DaemonEdits.repository().folder
    let daemon = try await RunningDaemon(folders: [folder.path])
    for round in 0..<4 {
      var edits = DaemonEdits(SeededGenerator(seed: random.next()))
      // A file with a problem has no item in a list. Its last good item has one in the streams.
      try await folder.shell(
        edits.script() + "\nprintf 'name: [\\n' > a.yaml; printf 'name: \\033[31m\\n' > 'e 1.yaml'")
      let view = ClientView(&random)
      let format = random.one(of: ["table", "json", "jsonl", "csv", "tsv", "id"])
      let options = view.arguments.filter { !$0.hasPrefix("--where") }
      let arguments = ["list", ".", "-o", format, "--where", "ratin > 1 OR name != nil"] + options
      let alone = try await BuiltProgram.start(arguments, in: folder.path).end()
      let connected = try await BuiltProgram.start(
        arguments + ["--connect"], environment: daemon.environment, in: folder.path
      ).end()
      #expect(connected.outputText == alone.outputText, "round \(round), \(arguments), \(seedNote(seed))")
      #expect(connected.errorText == alone.errorText, "round \(round), \(arguments), \(seedNote(seed))")
      #expect(connected.status == alone.status)
    }
  }

  @Test func `one edit reaches a hundred clients with a hundred searches`() async throws {
    let folder = try TemporaryFolder()
    try await folder.shell("for i in $(seq 1 300); do printf 'name: item %03d x\\n' $i > $i.yaml; done")
    let daemon = try await RunningDaemon(folders: [folder.path])
    var clients: [(connection: DaemonStream, reader: StreamReader)] = []
    for index in 0..<100 {
      let connection = try daemon.connect()
      connection.send(
        line:
          "{\"v\":1,\"folder\":\"\(folder.path)\",\"view\":{\"search\":\"item \(String(format: "%02d", index))\"}}"
      )
      clients.append((connection, StreamReader()))
    }
    for index in clients.indices {
      try clients[index].connection.read(into: &clients[index].reader) { $0.hasSnapshot }
    }
    let words = (0..<100).map { String(format: "%02d", $0) }.joined(separator: " ")
    try await folder.replace("1.yaml", with: "name: item \(words)")
    for index in clients.indices {
      try clients[index].connection.read(into: &clients[index].reader) {
        $0.values["1"]?["name"] as? String == "item \(words)"
      }
    }
    #expect(try daemon.status().clients == 101)
    let steps = Set(clients.map(\.reader.sequence))
    #expect(steps == [2], "each client gets one update")
  }

  @Test func `a connected watch prints what the folder's own watch prints`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 2\n"])
    let daemon = try await RunningDaemon(folders: [folder.path])
    for options in [["-o", "text", "--sort", "-k"], ["-o", "text", "--section", "k"]] {
      let alone = try BuiltProgram.start(["."] + options, in: folder.path)
      let connected = try BuiltProgram.start(
        [".", "--connect"] + options, environment: daemon.environment, in: folder.path)
      let lines = try await alone.wait(until: "the list") { $0.outputText.contains("Watching") }.lineCount
      try await connected.wait(until: "the list") { $0.lineCount >= lines }
      try await folder.replace("a.yaml", with: "k: 5")
      try await alone.wait(until: "the update") { $0.outputText.contains("5") }
      try await connected.wait(until: "the update") { $0.outputText.contains("5") }
      try await folder.replace("a.yaml", with: "k: 1")
      let time = /[0-9]{2}:[0-9]{2}:[0-9]{2}|[0-9]{4}-[0-9-]{5}[T ]/
      let end = try await alone.wait(until: "the end") { $0.outputText.contains("5 → 1") }.outputText
        .replacing(time, with: "")
      let same = try await connected.wait(until: "the end") { $0.outputText.contains("5 → 1") }.outputText
        .replacing(time, with: "")
      #expect(same == end)
    }
  }
}
