import Files
import Testing

@testable import Watch

@Suite struct MountTableTests {
  @Test func `ids and escaped mount points are read`() {
    let text = """
      24 1 259:0 / / rw,relatime shared:1 - ext4 /dev/root rw
      36 24 0:32 / /mnt/with\\040blank\\134and\\012more rw - tmpfs none rw
      short line

      """
    let points = MountTable.mounts(in: text.utf8).map {
      "\($0.id) \(String(decoding: $0.point, as: UTF8.self))"
    }
    #expect(points.sorted() == ["24 /", "36 /mnt/with blank\\and\nmore"])
  }

  @Test func `an unchanged table reports no change`() throws {
    let table = try #require(MountTable())
    #expect(table.hasChanged(around: "/proc"))
    #expect(!table.hasChanged(around: "/proc"))
  }
}
