import Files
import Store
import Testing
import Values

@testable import StateStore

@Suite struct RecordTests {
  private static let ids: [Item.ID] = [
    "a", "friends/ada", "50% off", "", Item.ID(bytes: [0xFF, 0x25, 0x41]), Item.ID(printed: "%25FF%FF"),
    Item.ID("ada", in: "friends"),
    Item.ID(Item.ID(bytes: [0xFE]), in: ""), Item.ID("a", in: "with\0nul"), "é", "e\u{301}",
  ]

  @Test(arguments: ids) func `a key is the id of its row`(id: Item.ID) {
    let key = Record.key(of: id)
    #expect(key.withUnsafeBytes(Record.row) == id)
    #expect(key.withUnsafeBytes(Record.section) == nil)
  }

  @Test(arguments: ["", "a", "\0", "%", "é"]) func `a key is the id of its section`(text: String) {
    let key = Record.key(of: SectionID(text))
    #expect(key.withUnsafeBytes(Record.section) == SectionID(text))
    #expect(key.withUnsafeBytes(Record.row) == nil)
  }

  @Test func `keys are distinct`() {
    let keys = Self.ids.map(Record.key) + ["", "a", "friends"].map { Record.key(of: SectionID($0)) }
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [[], [9, 1], [2, 0], [2, 0, 65]]) func `other bytes are not a row`(key: [UInt8]) {
    #expect(key.withUnsafeBytes(Record.row) == nil)
  }

  /// A record that differs from another one in one part has another digest.
  @Test func `the digest covers each part of a record`() {
    let record = Record(key: [2, 65], section: [66], rank: 5, path: [67], value: [68])
    let others = [
      Record(key: [2, 66], section: [66], rank: 5, path: [67], value: [68]),
      Record(key: [2, 65, 66], section: [], rank: 5, path: [67], value: [68]),
      Record(key: [2, 65], section: [66], rank: 6, path: [67], value: [68]),
      Record(key: [2, 65], section: [66], rank: 5, path: nil, value: [67, 68]),
      Record(key: [2, 65], section: [66], rank: 5, path: [67, 68], value: []),
      Record(key: [2, 65], section: [66], rank: 5, path: [67, 68], value: nil),
    ]
    let digests = (others + [record]).map { record in
      var digest = RecordDigest()
      digest.add(record)
      return digest
    }
    #expect(Set(digests).count == digests.count)
  }

  @Test func `a digest does not depend on the order, and forgets what is removed`() {
    let records = (0..<100).map {
      Record(key: [2, $0], section: [], rank: Int64($0), path: nil, value: [$0])
    }
    var one = RecordDigest(), other = RecordDigest()
    for record in records { one.add(record) }
    for record in records.reversed() { other.add(record) }
    #expect(one == other)
    #expect(RecordDigest(one.bytes) == one)
    for record in records { one.remove(record) }
    #expect(one == RecordDigest())
    #expect(RecordDigest([1, 2]) == nil)
  }
}
