import CLinux
import Glibc

/// What a file has besides its text and its name: owner, mode, extended attributes, and access control lists, which are such attributes.
struct FileAttributes {
  /// Sentences about what could not be kept.
  private(set) var warnings: [String] = []

  /// Gives a new file those of an old one, both open. Nobody may do more with the new one than with the old.
  static func copy(from old: CInt, to new: CInt) throws(SystemFailure) -> [String] {
    var was = stat()
    var now = stat()
    guard fstat(old, &was) == 0, fstat(new, &now) == 0 else { throw SystemFailure("Looking at its attributes", errno) }
    var attributes = FileAttributes()
    var mode = attributes.copyOwner(was, now, to: new)
    if was.st_nlink > 1 {
      attributes.warnings.append("The file has other names (hard links), which keep the old text.")
    }
    // Before the mode: with an access list, the mode's rights of the group are no more than the limit of the list.
    let hasGroup = now.st_gid == was.st_gid || fileGroup(new) == was.st_gid
    // And then they are that limit, which stays.
    if try attributes.copyAccessLists(from: old, to: new, keepsGroup: hasGroup) { mode = mode & ~0o070 | was.st_mode & 0o070 }
    // Where all files have one mode it is kept, and cannot be set.
    guard fstat(new, &now) == 0, now.st_mode & 0o7777 == mode || fchmod(new, mode) == 0 else {
      throw SystemFailure("Keeping its mode", errno)
    }
    attributes.copyExtended(from: old, to: new)
    return attributes.warnings
  }

  /// Answers the mode that goes with the owner and the group that could be kept.
  private mutating func copyOwner(_ was: stat, _ now: stat, to new: CInt) -> mode_t {
    let mode = was.st_mode & 0o7777
    if was.st_uid == now.st_uid && was.st_gid == now.st_gid || fchown(new, was.st_uid, was.st_gid) == 0 { return mode }
    let hasGroup = was.st_gid == now.st_gid || fchown(new, uid_t.max, was.st_gid) == 0
    if was.st_uid != now.st_uid { warnings.append("Its owner could not be kept: the file is yours now.") }
    if hasGroup { return mode & 0o777 }
    warnings.append("Its group could not be kept; the new one may do what everybody may.")
    return mode & 0o707 | (mode & 0o007) << 3
  }

  private static func fileGroup(_ file: CInt) -> gid_t? {
    var found = stat()
    return fstat(file, &found) == 0 ? found.st_gid : nil
  }

  /// Returns true if the old file has a list. Throws where it cannot be kept: without it, the file would be open to others than before.
  private mutating func copyAccessLists(from old: CInt, to new: CInt, keepsGroup: Bool) throws(SystemFailure) -> Bool {
    let wanted = try FileAttributes.accessLists(of: old)
    // A folder can give its new files a list.
    for name in try FileAttributes.accessLists(of: new) where !wanted.contains(name) {
      if clinux_remove_attribute(new, name) < 0, ![ENODATA, ENOTSUP].contains(errno) {
        throw SystemFailure("Keeping its access list (\(name))", errno)
      }
    }
    for name in wanted {
      guard var value = FileAttributes.value(of: name, of: old) else {
        let code = errno
        if code == ENODATA { continue }
        throw SystemFailure("Reading its access list (\(name))", code)
      }
      if !keepsGroup, name == FileAttributes.accessList { value = FileAttributes.withGroupAsOthers(value) }
      if value == FileAttributes.value(of: name, of: new) { continue }
      if value.withUnsafeBytes({ clinux_set_attribute(new, name, $0.baseAddress, $0.count) }) < 0 {
        throw SystemFailure("Keeping its access list (\(name))", errno)
      }
    }
    return !wanted.isEmpty
  }

  private static func accessLists(of file: CInt) throws(SystemFailure) -> [String] {
    guard let names = names(of: file) else { throw SystemFailure("Reading its attributes", errno) }
    return names.filter(isAccessList)
  }

  private mutating func copyExtended(from old: CInt, to new: CInt) {
    let wanted = (FileAttributes.names(of: old) ?? []).filter { !FileAttributes.isAccessList($0) }
    for name in FileAttributes.names(of: new) ?? [] where !wanted.contains(name) && !FileAttributes.isAccessList(name) {
      _ = clinux_remove_attribute(new, name)
    }
    for name in wanted {
      guard let value = FileAttributes.value(of: name, of: old), value != FileAttributes.value(of: name, of: new) else { continue }
      if value.withUnsafeBytes({ clinux_set_attribute(new, name, $0.baseAddress, $0.count) }) < 0, !name.hasPrefix("security.") {
        warnings.append("Its attribute \(name) could not be kept.")
      }
    }
  }

  private static let accessList = "system.posix_acl_access"

  private static func isAccessList(_ name: String) -> Bool { name == accessList }

  /// An access list (`linux/posix_acl_xattr.h`: 4 bytes of a version, then 2 of a tag, 2 of rights and 4 of an id for each entry) by which the owning group may do
  /// what everybody may: it is not the group that the rights were given to.
  static func withGroupAsOthers(_ list: [UInt8]) -> [UInt8] {
    let entries = stride(from: 4, through: list.count - 8, by: 8)
    func entry(_ tag: UInt8) -> Int? { entries.first { list[$0] == tag && list[$0 + 1] == 0 } }
    guard let group = entry(0x04), let others = entry(0x20) else { return list }
    var list = list
    list[group + 2] = list[others + 2]
    list[group + 3] = list[others + 3]
    return list
  }

  // More than that the kernel does not take: XATTR_LIST_MAX, XATTR_SIZE_MAX.
  private static let mostBytes = 65_536

  /// Nil where they cannot be read; `errno` says why.
  private static func names(of file: CInt) -> [String]? {
    // Most files have none, and then there is nothing to make room for.
    let size = clinux_list_attributes(file, nil, 0)
    if size < 0, ![ENOTSUP, ENOSYS, EPERM].contains(errno) { return nil }
    if size <= 0 { return [] }
    let list = [CChar](unsafeUninitializedCapacity: mostBytes) { buffer, count in
      count = max(0, clinux_list_attributes(file, buffer.baseAddress, buffer.count))
    }
    return list.split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
  }

  private static func value(of name: String, of file: CInt) -> [UInt8]? {
    var length = -1
    let value = [UInt8](unsafeUninitializedCapacity: mostBytes) { buffer, count in
      length = clinux_get_attribute(file, name, buffer.baseAddress, buffer.count)
      count = max(0, length)
    }
    return length < 0 ? nil : value
  }
}
