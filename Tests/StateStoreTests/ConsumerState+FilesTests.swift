import Foundation
import Store
import Streams
import TestSupport
import Testing

@testable import StateStore

/// Something else is in the place of the state, or comes there.
@Suite(.timeLimit(.minutes(2)))
struct ConsumerStateFilesTests {
  @Test(arguments: ["text\n", "SQLite format 3\0 and more", String(repeating: "x", count: 10_000)])
  func `a file that is not ours is left as it is`(text: String) throws {
    let fixture = try StateFixture()
    try fixture.folder.write(text, to: "state.db")
    let opening = try fixture.open()
    #expect(opening.gone == .damaged)
    #expect(opening.state == nil)
    #expect(fixture.reported.count == 1)
    #expect(fixture.reported.first?.contains("is not a state of notes-watch") == true, "\(fixture.reported)")
    #expect(try fixture.folder.bytes(of: "state.db") == Array(text.utf8))
    #expect(try fixture.folder.shell("ls -A") == "state.db\n")
  }

  @Test(.enabled(if: Machine.has("python3"), "needs python3"))
  func `a database of another program is left as it is`() throws {
    let fixture = try StateFixture()
    try fixture.folder.shell(
      "python3 -c \"import sqlite3; d = sqlite3.connect('state.db'); d.execute('CREATE TABLE a (b)'); d.commit()\""
    )
    let before = try fixture.folder.bytes(of: "state.db")
    #expect(try fixture.open().state == nil)
    #expect(try fixture.folder.bytes(of: "state.db") == before)
  }

  @Test func `a named state with foreign content is replaced when the consumer begins`() throws {
    let folder = try TemporaryFolder()
    let fixture = try StateFixture(folder, file: "site")
    let list = try RandomList(seed: 1, count: 5).list
    try fixture.begin(list).close()
    try "rubbish".write(toFile: fixture.location.file, atomically: false, encoding: .utf8)
    let opening = try fixture.open()
    #expect(opening.gone == .damaged)
    let state = try #require(opening.state)
    state.begin(list, at: StreamPosition(seq: 1, token: "n1"), isAcknowledged: false)
    #expect(state.acknowledge("n1"))
    state.close()
    #expect(try fixture.open().resumed?.position.token == "n1")
  }

  @Test(arguments: ["mkdir state.db", "mkfifo state.db", "ln -s . state.db", "ln -s gone/other state.db"])
  func `a path that is not a regular file is reported`(script: String) throws {
    let fixture = try StateFixture()
    try fixture.folder.shell(script)
    let before = try fixture.folder.shell("ls -lA --time-style=+")
    let opening = try fixture.open()
    let list = try RandomList(seed: 2, count: 5).list
    if let state = opening.state {
      state.begin(list, at: StreamPosition(seq: 1, token: "t1"), isAcknowledged: false)
      state.close()
    } else {
      #expect(fixture.reported.count == 1)
      #expect(try fixture.folder.shell("ls -lA --time-style=+") == before)
    }
  }

  @Test func `a folder that does not exist is reported`() throws {
    let folder = try TemporaryFolder()
    let fixture = try StateFixture(folder, file: "\(folder.path)/gone/state.db")
    let opening = try fixture.open()
    #expect(opening.state == nil)
    #expect(opening.isNew)
    #expect(
      fixture.reported.first?.contains("there is no such file or folder") == true, "\(fixture.reported)")
  }

  @Test func `an empty file becomes a state`() throws {
    let fixture = try StateFixture()
    try fixture.folder.write("", to: "state.db")
    #expect(try fixture.open().isNew)
    #expect(try fixture.folder.shell("stat -c %a state.db") == "600\n")
  }

  @Test func `a link leads to the state`() throws {
    let fixture = try StateFixture()
    try fixture.folder.makeFolder("elsewhere")
    try fixture.folder.write("", to: "elsewhere/real.db")
    try fixture.folder.link("state.db", to: "elsewhere/real.db")
    let list = try RandomList(seed: 3, count: 5).list
    try fixture.begin(list).close()
    #expect(try fixture.open().resumed != nil)
    #expect(try fixture.folder.shell("find . -type l") == "./state.db\n")
  }

  @Test func `a state of a newer version is left as it is`() throws {
    let fixture = try StateFixture()
    try fixture.begin(try RandomList(seed: 4, count: 5).list).close()
    var bytes = try fixture.folder.bytes(of: "state.db")
    bytes[63] += 1
    try fixture.folder.write(bytes, to: "state.db")
    let opening = try fixture.open()
    #expect(opening.gone == .newerVersion)
    #expect(opening.state == nil)
    #expect(fixture.reported.count == 1)
    #expect(try fixture.folder.bytes(of: "state.db") == bytes)
  }

  @Test(arguments: [
    "rm -f state.db*", "rm -f state.db", "mv state.db other", "cp state.db copy; mv copy state.db",
    "printf '' > new; mv new state.db",
  ])
  func `a file that is deleted or replaced is written again`(script: String) throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 5, count: 50)
    var last = try random.list
    let state = try fixture.begin(last)
    for step in 2...4 {
      random.change(most: 5)
      let list = try random.list
      state.offer(from: last, to: list, "t\(step)", seq: step)
      if step == 2 { try fixture.folder.shell(script) }
      #expect(state.acknowledge("t\(step)"))
      last = list
    }
    state.close()
    #expect(fixture.reported.count == 1)
    #expect(fixture.reported.first?.contains("deleted or replaced") == true, "\(fixture.reported)")
    let resumed = try #require(try fixture.open().resumed)
    #expect(resumed.position.token == "t4")
    #expect(Shown(resumed.list) == Shown(last))
  }

  @Test func `a foreign file that comes in the place of the state is left as it is`() throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: 6, count: 50)
    let first = try random.list
    let state = try fixture.begin(first)
    try fixture.folder.shell("rm -f state.db*; echo mine > state.db")
    random.change(most: 5)
    let second = try random.list
    state.offer(from: first, to: second, "t2")
    #expect(state.acknowledge("t2"))
    #expect(try fixture.folder.bytes(of: "state.db") == Array("mine\n".utf8))
    #expect(fixture.reported.contains { $0.contains("cannot be recorded") }, "\(fixture.reported)")
    try fixture.folder.shell("rm -f state.db")
    state.close()
    #expect(try fixture.open().resumed?.position.token == "t2")
  }
}
