import Store
import TestSupport
import Testing

@testable import Streams

@Suite struct RecentPositionsTests {
  private static func list(_ count: Int) throws -> ListSnapshot<Item> {
    let folder = try TemporaryFolder(
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0).yaml", "a: 1\n") }))
    return try ItemStore(at: folder.path).list(FetchRequest()).snapshot
  }

  private static func token(_ number: Int) -> StreamPosition {
    StreamPosition(seq: number, token: "t\(number)")
  }

  @Test func `a position is found for its view and its folder`() throws {
    let positions = RecentPositions()
    positions.begin(1, in: "/a", view: "v")
    positions.record(1, try Self.list(1), at: Self.token(1))
    #expect(positions.find("t1", in: "/a", view: "v")?.position == Self.token(1))
    #expect(positions.find("t1", in: "/a", view: "w") == nil)
    #expect(positions.find("t1", in: "/b", view: "v") == nil)
    #expect(positions.find("t2", in: "/a", view: "v") == nil)
    positions.end(1)
    #expect(positions.find("t1", in: "/a", view: "v") != nil)
  }

  @Test func `the last positions of a stream are kept`() throws {
    let positions = RecentPositions()
    let list = try Self.list(1)
    positions.begin(1, in: "/a", view: "v")
    for number in 0..<20 { positions.record(1, list, at: Self.token(number)) }
    let known = (0..<20).filter { positions.find("t\($0)", in: "/a", view: "v") != nil }
    #expect(known == Array(20 - RecentPositions.maxEntries..<20))
  }

  @Test func `a position that is recorded twice counts once`() throws {
    let positions = RecentPositions()
    let list = try Self.list(1)
    positions.begin(1, in: "/a", view: "v")
    positions.record(1, list, at: Self.token(0))
    for _ in 0..<20 { positions.record(1, list, at: Self.token(1)) }
    #expect(positions.find("t0", in: "/a", view: "v") != nil)
    #expect(positions.find("t1", in: "/a", view: "v") != nil)
  }

  @Test func `after a change of view one list of the view before is kept`() throws {
    let positions = RecentPositions()
    let list = try Self.list(1)
    let folder = try TemporaryFolder()
    let other = try ItemStore(at: folder.path).list(FetchRequest(sort: ["-a"])).snapshot
    positions.begin(1, in: "/a", view: "v")
    for number in 0..<5 { positions.record(1, list, at: Self.token(number)) }
    positions.record(1, other, at: Self.token(5))
    #expect((0..<6).filter { positions.find("t\($0)", in: "/a", view: "v") != nil } == [4, 5])
  }

  @Test func `few ended streams are kept, the last ones`() throws {
    let positions = RecentPositions()
    let list = try Self.list(1)
    for number in 0..<100 {
      positions.begin(UInt64(number), in: "/a", view: "v")
      positions.record(UInt64(number), list, at: Self.token(number))
      positions.end(UInt64(number))
    }
    let known = (0..<100).filter { positions.find("t\($0)", in: "/a", view: "v") != nil }
    #expect(known == Array(100 - RecentPositions.maxEnded..<100))
  }

  @Test func `a stream that sent nothing is not kept`() {
    let positions = RecentPositions()
    positions.begin(1, in: "/a", view: "v")
    positions.end(1)
    #expect(positions.find("", in: "/a", view: "v") == nil)
  }
}
