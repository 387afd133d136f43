import Foundation
import TestSupport

/// `notes-watch serve` on the folder of a run, with two clients: one has a stream of one view, the
/// other one shares its stream between a list, another list and a window.
///
/// Connections are lost and views are changed at random moments, and the server is started again.
/// The moments depend on time, so a seed repeats what is done, but not exactly when.
final class ServedRun {
  private let start: () throws -> ServeProcess
  private let choices: [ListView]
  private var random: SeededGenerator
  private var server: ServeProcess
  private let clients: [ServedClient]

  /// - Parameters:
  ///   - choices: The views that clients ask for.
  ///   - start: Starts the server.
  init(_ choices: [ListView], _ random: SeededGenerator, _ start: @escaping () throws -> ServeProcess) throws
  {
    (self.choices, self.random, self.start) = (choices, random, start)
    server = try start()
    func choice(_ random: inout SeededGenerator) -> ListView { random.one(of: choices) }
    let only = [ServedView(id: "message", choice(&self.random))]
    let shared = [
      ServedView(id: "a", choice(&self.random)), ServedView(id: "b", choice(&self.random)),
      ServedView(id: "w", choice(&self.random), window: (self.random.below(20), 1 + self.random.below(40))),
    ]
    clients = [
      ServedClient(only, isMultiplexed: false, SeededGenerator(seed: self.random.next())),
      ServedClient(shared, isMultiplexed: true, SeededGenerator(seed: self.random.next())),
    ]
  }

  /// Begins a round: starts the server again, or changes a view.
  func beginRound() throws {
    if random.oneIn(8) {
      for client in clients { client.disconnect() }
      server = try start()
    }
    for client in clients {
      try client.connect(to: server)
      if random.oneIn(2) {
        try client.changeView(at: random.below(client.views.count), to: random.one(of: choices), on: server)
      }
    }
  }

  /// Reads what is there while files change. Now and then a connection is lost, or made again.
  func read() throws {
    for client in clients {
      if random.oneIn(40) { client.disconnect() }
      if random.oneIn(10) { try client.connect(to: server) }
      try client.read(within: 0)
    }
  }

  /// Waits until all clients have the list.
  ///
  /// - Parameters:
  ///   - reading: What the files say.
  ///   - list: Returns what `list` prints for a view.
  ///   - end: The time after which a difference is an error.
  func compare(
    _ reading: FolderReading, until end: ContinuousClock.Instant, _ list: (ListView) throws -> FreshList
  ) throws {
    if random.oneIn(3) { clients[random.below(clients.count)].disconnect() }
    for client in clients {
      try client.connect(to: server)
      let lists = try client.views.map { (ExpectedList(reading, $0.view), try list($0.view)) }
      while let difference = zip(client.views, lists).lazy.compactMap({ view, lists in
        view.difference(from: lists.0, lists.1).map { "view \(view.id) \(view.view.arguments): \($0)" }
      }).first {
        guard ContinuousClock.now < end else {
          throw Watcher.Failure(description: "over HTTP, \(difference)")
        }
        try client.read(within: 100)
      }
    }
  }

  /// The last events, for a report.
  var report: String { clients.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n--\n") }
}
