import CLinux
import Glibc
import TestSupport
import Testing

@testable import PlainStore

struct FileAttributesTests {
  private static let name = "system.posix_acl_access"

  /// The owner, user 4321, the group, the mask and everybody.
  private static func accessList(group: UInt8, others: UInt8) -> [UInt8] {
    func entry(_ tag: UInt8, _ rights: UInt8, _ id: [UInt8] = [255, 255, 255, 255]) -> [UInt8] { [tag, 0, rights, 0] + id }
    return [2, 0, 0, 0] + entry(1, 6) + entry(2, 6, [0xE1, 0x10, 0, 0]) + entry(4, group) + entry(16, 6) + entry(32, others)
  }

  @Test func `In an access list another group gets what everybody has`() {
    #expect(FileAttributes.withGroupAsOthers(Self.accessList(group: 6, others: 4)) == Self.accessList(group: 4, others: 4))
    for broken: [UInt8] in [[], [2, 0, 0], [2, 0, 0, 0], [2, 0, 0, 0, 4, 0, 6], Array(Self.accessList(group: 6, others: 0).dropLast())] {
      #expect(FileAttributes.withGroupAsOthers(broken) == broken)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "only root gives a file away"))
  func `A group that cannot be kept hands its rights to no other by the access list`() throws {
    let folder = try TemporaryFolder(["old": "", "new": ""])
    let list = Self.accessList(group: 6, others: 0)
    try #require(chown(folder.path + "/old", 0, 12_345) == 0 && chown(folder.path + "/new", 65_534, 0) == 0)
    let old = open(folder.path + "/old", O_RDWR | O_CLOEXEC)
    let new = open(folder.path + "/new", O_RDWR | O_CLOEXEC)
    try #require(old >= 0 && new >= 0)
    defer { close(old); close(new) }
    // Not every file system has them.
    guard clinux_set_attribute(old, Self.name, list, list.count) == 0 else { return }
    let warnings = try withoutRoot { try FileAttributes.copy(from: old, to: new) }
    #expect(warnings.contains { $0.hasPrefix("Its group could not be kept") })
    var found = [UInt8](repeating: 0, count: 100)
    let count = clinux_get_attribute(new, Self.name, &found, found.count)
    #expect(Array(found.prefix(max(0, count))) == Self.accessList(group: 0, others: 0))
  }
}
