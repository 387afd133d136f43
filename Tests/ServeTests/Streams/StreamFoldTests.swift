import DiffableSnapshot
import Foundation
import Serve
import Store
import TestSupport
import Testing

/// Random lives of a folder, whose streams several views share and that are cut at random moments.
/// What the client folds strictly by the rules must always be the list.
@Suite(.timeLimit(.minutes(5))) struct StreamFoldTests {
  /// The views of a client, and the requests of the library for them.
  private static let views: [(json: String, request: @Sendable () throws -> FetchRequest)] = [
    ("{}", { FetchRequest() }), (#"{"sort":"-rating"}"#, { FetchRequest(sort: ["-rating"]) }),
    (
      #"{"section":"group","sort":"rating"}"#,
      { FetchRequest(sort: ["rating"], section: SectionDescriptor("group")) }
    ),
    (#"{"where":"rating > 4"}"#, { FetchRequest(predicate: ItemPredicate("rating > 4")) }),
    (#"{"search":"ada","limit":5}"#, { FetchRequest(search: "ada", limit: 5) }),
  ]

  private struct Life {
    var generator: SeededGenerator
    let served: ServedFolder
    var client: StreamClient
    /// The view of each id, by its number.
    var chosen: [String: Int]
    var readers: [String: StreamReader] = [:]
    var stream = ""
    var position: String?

    init(_ seed: UInt64) async throws {
      generator = SeededGenerator(seed: seed)
      var files: [String: String] = [:]
      for number in 0..<generator.below(30) { files["n\(number).yaml"] = Life.text(&generator) }
      served = try await ServedFolder(files, watching: true)
      chosen = ["a": 0, "b": generator.below(views.count), "c": generator.below(views.count)]
      client = try await served.open(views: Life.json(chosen))
      try await begin()
    }

    static func text(_ generator: inout SeededGenerator) -> String {
      "rating: \(generator.below(9))\ngroup: g\(generator.below(3))\nname: \(generator.one(of: ["ada", "bob"]))\n"
    }

    static func json(_ chosen: [String: Int]) -> String {
      "{\(chosen.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(views[$0.value].json)" }.joined(separator: ","))}"
    }

    mutating func begin() async throws {
      stream = await client.next("stream", named: "stream").fields["stream"] as? String ?? ""
      for id in chosen.keys where readers[id] == nil { readers[id] = StreamReader() }
    }

    /// Reads an event. A list that cannot be continued begins again.
    mutating func read() async throws {
      let event = await client.next()
      if event.type == "error" {
        #expect(event.fields["code"] as? String == "gone")
        return
      }
      // A view whose list the client never had completely, or that was changed, begins again.
      if event.type == "hello", event.fields["since"] == nil { readers[event.name] = StreamReader() }
      try readers[event.name]?.apply(event.data)
      position = event.id ?? position
    }

    /// Reads until each view is its list.
    mutating func readAll() async throws {
      await served.store.settled()
      for (id, number) in chosen {
        let list = served.store.list(try views[number].request()).snapshot.list
        let wanted = list.sectionIdentifiers.map { section in
          [ExactText(section.description)]
            + list.itemIdentifiers(inSection: section).map { ExactText($0.description) }
        }
        while readers[id]?.sections.map({ [$0.id] + $0.items }) != wanted { try await read() }
      }
    }

    mutating func edit() throws {
      for _ in 0...generator.below(3) {
        let name = "n\(generator.below(40)).yaml"
        if generator.oneIn(4) {
          try? served.folder.remove(name)
        } else {
          try served.folder.write(Life.text(&generator), to: name)
        }
      }
    }

    mutating func reconnect() async throws {
      await client.close()
      try edit()
      client = try await served.open(views: Life.json(chosen), after: position)
      try await begin()
    }

    mutating func change() async throws {
      let id = generator.one(of: ["b", "c"])
      let number = generator.below(views.count)
      chosen[id] = number
      #expect(try await served.change(stream, "{\"\(id)\":\(views[number].json)}").status == 204)
    }
  }

  @Test(arguments: Randomness.seeds(30))
  func `a client always folds the stream to the list`(seed: UInt64) async throws {
    var life = try await Life(seed)
    do {
      for _ in 0..<20 {
        switch life.generator.below(6) {
        case 0: try await life.reconnect()
        case 1: try await life.change()
        default: try life.edit()
        }
        // Sometimes the connection is lost, or the view changes, before everything was read.
        if !life.generator.oneIn(3) { try await life.readAll() }
      }
      try await life.readAll()
    } catch {
      Issue.record("\(error), \(seedNote(seed))")
    }
    await life.client.close()
  }
}
