import Foundation
import Glibc
import Store
import Streams
import Synchronization
import TestSupport
import Testing

@testable import StateStore

@Suite struct ConsumerStateTests {
  @Test func `a state without a file is new`() throws {
    let fixture = try StateFixture()
    let opening = try fixture.open()
    #expect(opening.isNew)
    #expect(opening.state != nil)
    #expect(fixture.reported == [])
  }

  @Test func `what was acknowledged is there after a restart`() throws {
    let fixture = try StateFixture()
    let list = try RandomList(seed: 1, count: 50).list
    try fixture.begin(list).close()
    let resumed = try #require(try fixture.open().resumed)
    #expect(resumed.position == StreamPosition(seq: 1, token: "t1"))
    #expect(Shown(resumed.list) == Shown(list))
  }

  @Test func `an offer is not an acknowledgement`() throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 2, count: 50)
    let first = try random.list
    let state = try fixture.begin(first)
    random.change(most: 20)
    let second = try random.list
    state.offer(from: first, to: second, "t2")
    state.close()
    let resumed = try #require(try fixture.open().resumed)
    #expect(resumed.position.token == "t1")
    #expect(Shown(resumed.list) == Shown(first))
  }

  @Test func `an offered token is known, and is the position from then on`() throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 3, count: 50)
    let first = try random.list
    let state = try fixture.begin(first)
    random.change(most: 20)
    let second = try random.list
    state.offer(from: first, to: second, "t2")
    state.close()
    let opening = try fixture.open(since: "t2")
    #expect(opening.resumed.map { Shown($0.list) } == Shown(second))
    opening.state?.close()
    let again = try fixture.open()
    #expect(again.resumed?.position.token == "t2")
    again.state?.close()
    // A consumer that goes back has lost what came after.
    try fixture.open(since: "t1").state?.close()
    #expect(try fixture.open().resumed?.position.token == "t1")
  }

  @Test func `a list that was only offered is not a position`() throws {
    let fixture = try StateFixture()
    let state = try #require(try fixture.open().state)
    state.begin(
      try RandomList(seed: 4, count: 5).list, at: StreamPosition(seq: 1, token: "t1"), isAcknowledged: false)
    state.close()
    let opening = try fixture.open()
    #expect(opening.isNew)
    opening.state?.close()
    #expect(try fixture.open(since: "t1").resumed?.position.seq == 1)
  }

  @Test func `an unknown token is gone, and the state stays until it begins again`() throws {
    let fixture = try StateFixture()
    let list = try RandomList(seed: 5, count: 5).list
    try fixture.begin(list).close()
    let opening = try fixture.open(since: "other")
    #expect(opening.gone == .unknownToken)
    opening.state?.close()
    #expect(try fixture.open().resumed != nil)
  }

  @Test func `a token of a state that does not exist is gone`() throws {
    let fixture = try StateFixture()
    #expect(try fixture.open(since: "t1").gone == .unknownToken)
  }

  @Test func `a state of another view is gone until it begins again`() throws {
    let fixture = try StateFixture()
    let list = try RandomList(seed: 6, count: 5).list
    try fixture.begin(list).close()
    let opening = try fixture.open(view: [1])
    #expect(opening.gone == .viewMismatch)
    opening.state?.close()
    #expect(try fixture.open().resumed != nil)
    let state = try #require(try fixture.open(view: [1]).state)
    state.begin(list, at: StreamPosition(seq: 1, token: "n1"), isAcknowledged: false)
    #expect(state.acknowledge("n1"))
    state.close()
    #expect(try fixture.open(view: [1]).resumed?.position.token == "n1")
    #expect(try fixture.open().gone == .viewMismatch)
  }

  @Test func `a list that the consumer has is begun and acknowledged in one commit`() throws {
    let folder = try TemporaryFolder()
    let fixture = try StateFixture(folder, file: "\(folder.path)/site")
    let list = try RandomList(seed: 12, count: 5).list
    let state = try #require(try fixture.open().state)
    state.begin(list, at: StreamPosition(seq: 1, token: "t1"), isAcknowledged: true)
    // What a process leaves that is killed now.
    try folder.shell("cp site copy")
    state.close()
    let copy = try StateFixture(folder, file: "\(folder.path)/copy")
    #expect(try copy.open().resumed?.position.token == "t1")
  }

  @Test func `a state has one process and one consumer at a time`() throws {
    let fixture = try StateFixture()
    let state = try #require(try fixture.open().state)
    #expect { try fixture.open() } throws: { error in
      (error as? StateError)?.code == .locked(process: getpid())
    }
    state.close()
    #expect(try fixture.open().isNew)
  }

  @Test func `an unknown token is not acknowledged`() throws {
    let fixture = try StateFixture()
    let state = try fixture.begin(try RandomList(seed: 7, count: 5).list)
    #expect(!state.acknowledge("t2"))
    #expect(state.acknowledge("t1"))
  }

  @Test func `a reader that acknowledges by itself is known after a restart, a new list and a deletion`()
    throws
  {
    let fixture = try StateFixture()
    let lists = try (0..<3).map { try RandomList(seed: 10, count: 5 + $0).list }
    let state = try fixture.begin(lists[0])
    state.requireAcknowledgements()
    state.offer(from: lists[0], to: lists[1], "t2")
    state.close()
    let second = try fixture.open()
    #expect(second.readerAcknowledges)
    #expect(second.resumed?.position.token == "t1")
    second.state?.begin(lists[2], at: StreamPosition(seq: 1, token: "n1"), isAcknowledged: false)
    second.state?.close()
    let third = try fixture.open()
    #expect(third.readerAcknowledges)
    try fixture.folder.shell("rm state.db*")
    third.state?.begin(lists[1], at: StreamPosition(seq: 1, token: "m1"), isAcknowledged: false)
    third.state?.close()
    #expect(try fixture.open().readerAcknowledges)
  }

  @Test func `an acknowledgement is taken back, but not to before the start`() throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 9, count: 50)
    var lists = [try random.list]
    let state = try fixture.begin(lists[0])
    for number in 2...6 {
      random.change(most: 20)
      lists.append(try random.list)
      state.offer(from: lists[number - 2], to: lists[number - 1], "t\(number)")
      #expect(state.acknowledge("t\(number)"))
    }
    #expect(!state.takeBack(to: "t7", from: nil))
    #expect(state.takeBack(to: "t1", from: "t3"))
    #expect(state.acknowledge("t2"))
    random.change(most: 20)
    lists.append(try random.list)
    state.offer(from: lists[5], to: lists[6], "t7")
    state.close()
    func shown(since token: String? = nil, acknowledging next: String? = nil) throws -> Shown? {
      let opening = try fixture.open(since: token)
      if let next { #expect(opening.state?.acknowledge(next) == true) }
      opening.state?.close()
      return opening.resumed.map { Shown($0.list) }
    }
    #expect(try shown(acknowledging: "t4") == Shown(lists[2]))
    #expect(try shown() == Shown(lists[3]))
    #expect(try shown(since: "t7") == Shown(lists[6]))
    #expect(try shown(since: "t5") == Shown(lists[4]))
  }

  @Test(arguments: ["state.db-journal", "state.db-shm", "state.db-wal"])
  func `a file of the user with the name of a log is kept`(name: String) throws {
    let fixture = try StateFixture()
    try fixture.folder.write("my journal\n", to: name)
    let opening = try fixture.open()
    #expect(opening.state == nil)
    #expect(try fixture.folder.shell("cat \(name)") == "my journal\n")
    #expect(try fixture.folder.shell("ls") == "\(name)\n")
    #expect(fixture.reported.count { $0.contains(name) } == 1, "\(fixture.reported)")
  }

  @Test func `a log without its state does not keep the state from starting`() throws {
    let fixture = try StateFixture()
    let list = try RandomList(seed: 11, count: 5).list
    let state = try fixture.begin(list)
    try fixture.folder.shell("cp state.db-wal kept")
    state.close()
    try fixture.folder.shell("rm state.db; mv kept state.db-wal")
    #expect(try fixture.open().isNew)
  }

  @Test func `the folder and the file are for this user alone`() throws {
    let folder = try TemporaryFolder()
    let fixture = try StateFixture(folder, file: "site")
    let state = try fixture.begin(try RandomList(seed: 8, count: 5).list)
    let modes = try folder.shell("find home/notes-watch -printf '%y %m\\n' | sort | uniq")
    #expect(modes == "d 700\nf 600\n")
    state.close()
    #expect(try folder.shell("find home -name '*-wal' -o -name '.*'") == "")
  }

  @Test func `a closed state records nothing, and whoever would deliver waits for the end`() throws {
    let fixture = try StateFixture()
    let list = try RandomList(seed: 9, count: 5).list
    let state = try fixture.begin(list)
    state.close()
    let hasReturned = Mutex(false)
    // This thread never ends, like one that delivers while the process ends.
    Thread.detachNewThread {
      state.offer(from: list, to: list, "t2")
      hasReturned.withLock { $0 = true }
    }
    #expect(try fixture.open().resumed?.position.token == "t1")
    #expect(hasReturned.withLock { $0 } == false)
  }
}
