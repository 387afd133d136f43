import Files
import Store
import Streams
import TestSupport
import Testing

@testable import StateStore

/// What was offered and not acknowledged is known after a restart, and nothing else.
struct ConsumerStateOfferTests {
  /// A command: it gets updates from the list that it has acknowledged.
  private struct Consumer {
    let fixture: StateFixture
    var state: ConsumerState?
    var pending: PendingChanges
    var seq = 1

    init(_ list: ListSnapshot<Item>) throws {
      fixture = try StateFixture()
      state = try fixture.begin(list)
      pending = PendingChanges(after: list)
    }

    mutating func offer(_ update: ListUpdate<Item>) -> String {
      seq += 1
      pending.offer(update)
      state?.offer(update, at: StreamPosition(seq: seq, token: "t\(seq)"))
      return "t\(seq)"
    }

    mutating func acknowledge(_ update: ListUpdate<Item>, _ token: String) {
      pending.acknowledge(update)
      #expect(state?.acknowledge(token) == true)
    }

    /// Starts again from what is recorded.
    mutating func restart(_ newest: ListSnapshot<Item>, _ note: String) throws {
      state?.close()
      let opening = try fixture.open()
      let resumed = try #require(opening.resumed)
      #expect(Shown(resumed.list) == Shown(pending.acknowledged), "\(note)")
      #expect(opening.offer == pending.offer, "\(note)")
      state = opening.state
      pending = PendingChanges(after: resumed.list, offering: opening.offer)
      pending.add(
        ListUpdate<Item>(from: resumed.list, to: newest, touched: nil, origin: .files, cause: .resumed))
    }
  }

  @Test(arguments: Randomness.seeds(30)) func `a state has exactly the rows that were offered`(seed: UInt64)
    throws
  {
    var random = RandomList(seed: seed, count: 12)
    var consumer = try Consumer(try random.list)
    var offers = 0
    for _ in 0..<40 {
      let old = try random.list
      if random.generator.oneIn(2) { random.change(most: 4) }
      let list = try random.list
      consumer.pending.add(ListUpdate<Item>(from: old, to: list, touched: nil, origin: .files))
      if let update = consumer.pending.update {
        offers += 1
        let token = consumer.offer(update)
        if random.generator.oneIn(3) { consumer.acknowledge(update, token) }
      }
      if random.generator.oneIn(4) { try consumer.restart(list, seedNote(seed)) }
    }
    #expect(offers > 0)
    if let update = consumer.pending.update {
      let token = consumer.offer(update)
      consumer.acknowledge(update, token)
    }
    #expect(consumer.pending.isEmpty, "\(seedNote(seed))")
    consumer.state?.close()
    #expect(try consumer.fixture.open().offer.isEmpty, "\(seedNote(seed))")
  }

  @Test func `a stream acknowledges the updates before its token, too`() throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 4, count: 10)
    var lists = [try random.list]
    let state = try fixture.begin(lists[0])
    var offers: [Offer] = []
    for step in 2...5 {
      var update: ListUpdate<Item>
      repeat {
        random.change(most: 3)
        update = ListUpdate<Item>(from: lists[step - 2], to: try random.list, touched: nil, origin: .files)
      } while Offer(of: update).isEmpty
      lists.append(update.new)
      offers.append(Offer(of: update))
      state.offer(update, at: StreamPosition(seq: step, token: "t\(step)"))
    }
    #expect(state.acknowledge("t4"))
    state.close()
    let opening = try fixture.open()
    #expect(opening.resumed?.position.token == "t4")
    #expect(opening.offer == offers[3])
    #expect(!opening.offer.isEmpty)
  }

  @Test func `what the first acknowledgement of a reader takes back was offered`() throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 5, count: 10)
    var lists = [try random.list]
    let state = try fixture.begin(lists[0])
    for step in 2...4 {
      random.change(most: 3)
      lists.append(try random.list)
      state.offer(from: lists[step - 2], to: lists[step - 1], "t\(step)", seq: step)
      #expect(state.acknowledge("t\(step)"))
    }
    #expect(state.takeBack(to: "t2", from: nil))
    state.close()
    let opening = try fixture.open()
    #expect(opening.resumed?.position.token == "t2")
    var expected = Offer()
    for step in 3...4 {
      expected.formUnion(
        Offer(of: ListUpdate<Item>(from: lists[step - 2], to: lists[step - 1], touched: nil, origin: .files)))
    }
    for row in expected.rows { #expect(opening.offer.paths(of: row).isSuperset(of: expected.paths(of: row))) }
  }

  @Test func `a state of the version before is continued, with what its runs were offered`() throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 6, count: 10)
    let first = try random.list
    let state = try fixture.begin(first)
    random.change(most: 6)
    let second = try random.list
    state.offer(from: first, to: second, "t2")
    state.close()
    // Version 1 had no table of offers.
    let connection = try Connection("\(fixture.folder.path)/state.db", [])
    for statement in ["DROP TABLE offered", "PRAGMA user_version = 1"] { try connection.execute(statement) }
    connection.close()
    let opening = try fixture.open()
    let resumed = try #require(opening.resumed)
    #expect(resumed.position.token == "t1")
    #expect(Shown(resumed.list) == Shown(first))
    let offered = Offer(of: ListUpdate<Item>(from: first, to: second, touched: nil, origin: .files))
    #expect(!offered.isEmpty)
    for row in offered.rows { #expect(opening.offer.paths(of: row) == offered.paths(of: row)) }
    opening.state?.close()
    // It was recorded.
    #expect(try fixture.open().offer == opening.offer)
    #expect(fixture.reported == [])
  }

  @Test func `a consumer that takes nothing back has no offers`() throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 7, count: 10)
    let first = try random.list
    let state = try fixture.begin(first)
    random.change(most: 6)
    state.offer(from: first, to: try random.list, "t2")
    state.close()
    let opening = try ConsumerState.open(
      fixture.location, view: StateFixture.view, request: RandomList.request, keepsOffers: false, since: nil,
      report: { _ in })
    #expect(opening.offer.isEmpty)
    opening.state?.close()
    #expect(try fixture.open().offer.isEmpty)
  }
}
