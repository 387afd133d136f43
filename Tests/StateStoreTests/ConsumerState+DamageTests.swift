import Foundation
import Store
import Streams
import TestSupport
import Testing

@testable import StateStore

/// A damaged file is noticed: it serves exactly a list that was acknowledged, or nothing.
@Suite(.timeLimit(.minutes(5)))
struct ConsumerStateDamageTests {
  /// A state with some steps that were acknowledged, and some that were only offered.
  private struct Original {
    let fixture: StateFixture
    /// The files as they are while the state is open, with a log, and after it was closed.
    let open, closed: [String: [UInt8]]
    let lists: [String: ListSnapshot<Item>]

    init(seed: UInt64) throws {
      fixture = try StateFixture()
      var random = RandomList(seed: seed, count: 30)
      var lists = ["t0": try random.list]
      let state = try fixture.begin(try random.list, "t0")
      var last = try random.list
      for step in 1...12 {
        random.change(most: 6)
        let list = try random.list
        state.offer(from: last, to: list, "t\(step)", seq: step)
        if step < 10, random.generator.oneIn(2) { #expect(state.acknowledge("t\(step)")) }
        (lists["t\(step)"], last) = (list, list)
      }
      open = try Original.files(fixture)
      state.close()
      closed = try Original.files(fixture)
      self.lists = lists
    }

    private static func files(_ fixture: StateFixture) throws -> [String: [UInt8]] {
      var files: [String: [UInt8]] = [:]
      for name in ["state.db", "state.db-wal"] { files[name] = try? fixture.folder.bytes(of: name) }
      return files
    }

    func restore(_ files: [String: [UInt8]]) throws {
      try fixture.folder.shell("rm -rf state.db* .state*")
      for (name, bytes) in files { try fixture.folder.write(bytes, to: name) }
    }

    /// Opens the state and checks what it serves.
    ///
    /// - Returns: True if it served a list.
    func check(since token: String?, _ note: String) throws -> Bool {
      let opening = try fixture.open(since: token)
      defer { opening.state?.close() }
      guard let resumed = opening.resumed else {
        #expect(!opening.isNew, "\(note)")
        return false
      }
      let expected = try #require(lists[resumed.position.token], "\(note)")
      #expect(Shown(resumed.list) == Shown(expected), "\(note)")
      if let token { #expect(resumed.position.token == token, "\(note)") }
      return true
    }
  }

  @Test(arguments: Randomness.seeds(6)) func `damaged bytes are noticed`(seed: UInt64) throws {
    let original = try Original(seed: seed)
    var generator = SeededGenerator(seed: seed)
    var served = 0, gone = 0
    for round in 0..<40 {
      var files = generator.oneIn(2) ? original.open : original.closed
      let name = files["state.db-wal"]?.isEmpty == false && generator.oneIn(2) ? "state.db-wal" : "state.db"
      var bytes = try #require(files[name])
      switch generator.below(5) {
      case 0...1:
        for _ in 0...generator.below(4) { bytes[generator.below(bytes.count)] = UInt8(generator.below(256)) }
      case 2:
        let page = generator.below(bytes.count / 4_096 + 1) * 4_096
        for index in page..<min(page + 4_096, bytes.count) { bytes[index] = 0 }
      case 3: bytes.removeLast(generator.below(bytes.count))
      default:
        let other = generator.below(bytes.count / 4_096 + 1) * 4_096
        let page = generator.below(bytes.count / 4_096 + 1) * 4_096
        if page + 4_096 <= bytes.count, other + 4_096 <= bytes.count {
          bytes.replaceSubrange(page..<page + 4_096, with: Array(bytes[other..<other + 4_096]))
        }
      }
      files[name] = bytes
      try original.restore(files)
      let token = generator.oneIn(2) ? nil : "t\(generator.below(13))"
      if try original.check(since: token, "\(name), round \(round), \(seedNote(seed))") {
        served += 1
      } else {
        gone += 1
      }
    }
    #expect(served > 0)
    #expect(gone > 0)
  }

  @Test func `a state without damage is served, open or closed`() throws {
    let original = try Original(seed: 1)
    for files in [original.open, original.closed] {
      for token in original.lists.keys {
        try original.restore(files)
        #expect(try original.check(since: token, token))
      }
    }
  }

  /// The position of the acknowledged list, changed so that it names another one.
  @Test(.enabled(if: Machine.has("python3"), "needs python3")) func `a position that was changed is noticed`()
    throws
  {
    let original = try Original(seed: 2)
    try original.restore(original.closed)
    let script = """
      import sqlite3
      db = sqlite3.connect('state.db')
      db.execute('UPDATE state SET acknowledged = newest')
      db.commit()
      """
    try original.fixture.folder.shell("python3 -c \"\(script)\"")
    #expect(try original.fixture.open().gone == .damaged)
  }

  @Test func `a damaged state is written again when the consumer begins`() throws {
    let fixture = try StateFixture()
    let list = try RandomList(seed: 3, count: 100).list
    try fixture.begin(list).close()
    var bytes = try fixture.folder.bytes(of: "state.db")
    for index in 4_096..<bytes.count { bytes[index] = 7 }
    try fixture.folder.write(bytes, to: "state.db")
    let opening = try fixture.open()
    #expect(opening.gone == .damaged)
    #expect(try fixture.folder.bytes(of: "state.db") == bytes)
    let state = try #require(opening.state)
    state.begin(list, at: StreamPosition(seq: 1, token: "n1"), isAcknowledged: false)
    #expect(state.acknowledge("n1"))
    state.close()
    #expect(try fixture.open().resumed.map { Shown($0.list) } == Shown(list))
    #expect(fixture.reported == [])
  }

  @Test func `a log of another file is not applied to a new one`() throws {
    let fixture = try StateFixture()
    let list = try RandomList(seed: 4, count: 100).list
    let state = try fixture.begin(list)
    let log = try fixture.folder.bytes(of: "state.db-wal")
    state.close()
    try fixture.folder.remove("state.db")
    try fixture.folder.write(log, to: "state.db-wal")
    let opening = try fixture.open()
    #expect(opening.isNew)
    opening.state?.close()
    #expect(try fixture.open().isNew)
  }
}
