import CLinux
import Glibc
import Query
@testable import Store
import TestSupport
import Testing

struct FileAttributesTests {
  private static let name = "system.posix_acl_access"

  /// Returns a list with the owner, user 4321, the group, the mask and everybody.
  private static func accessList(group: UInt8, others: UInt8) -> [UInt8] {
    func entry(_ tag: UInt8, _ rights: UInt8, _ id: [UInt8] = [255, 255, 255, 255]) -> [UInt8] {
      [tag, 0, rights, 0] + id
    }
    return [2, 0, 0, 0] + entry(1, 6) + entry(2, 6, [0xE1, 0x10, 0, 0]) + entry(4, group) + entry(16, 6)
      + entry(32, others)
  }

  /// True if the file system of the tests stores access lists.
  private static let hasAccessLists: Bool = {
    guard let folder = try? TemporaryFolder(["file": ""]) else { return false }
    let file = open(folder.path + "/file", O_RDWR | O_CLOEXEC)
    defer { close(file) }
    let list = accessList(group: 6, others: 0)
    return clinux_set_attribute(file, name, list, list.count) == 0
  }()

  @Test func `an access list gives another group the rights of everybody`() {
    #expect(
      FileSaver.withGroupAsOthers(Self.accessList(group: 6, others: 4))
        == Self.accessList(group: 4, others: 4))
    for broken: [UInt8] in [
      [], [2, 0, 0], [2, 0, 0, 0], [2, 0, 0, 0, 4, 0, 6],
      Array(Self.accessList(group: 6, others: 0).dropLast()),
    ] {
      #expect(FileSaver.withGroupAsOthers(broken) == broken)
    }
  }

  @Test(
    .enabled(if: Machine.isRoot, "only root can give a file away"),
    .enabled(if: hasAccessLists, "needs access lists"))
  func `a group that cannot be kept does not pass its rights on through the access list`() throws {
    let folder = try TemporaryFolder(["old": "", "new": ""])
    let list = Self.accessList(group: 6, others: 0)
    try #require(chown(folder.path + "/old", 0, 12_345) == 0)
    try #require(chown(folder.path + "/new", 65_534, 0) == 0)
    let old = open(folder.path + "/old", O_RDWR | O_CLOEXEC)
    let new = open(folder.path + "/new", O_RDWR | O_CLOEXEC)
    try #require(old >= 0)
    try #require(new >= 0)
    defer { close(old); close(new) }
    try #require(clinux_set_attribute(old, Self.name, list, list.count) == 0)
    let warnings = try withoutRoot { try FileSaver.copyAttributes(from: old, to: new) }
    #expect(warnings.contains { $0.hasPrefix("Its group could not be kept") })
    var found = [UInt8](repeating: 0, count: 100)
    let count = clinux_get_attribute(new, Self.name, &found, found.count)
    #expect(Array(found.prefix(max(0, count))) == Self.accessList(group: 0, others: 0))
  }
}
