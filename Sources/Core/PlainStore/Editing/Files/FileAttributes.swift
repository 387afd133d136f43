import CLinux
import Glibc

/// The owner, mode, extended attributes and access control lists of a file. The lists are extended
/// attributes too.
struct FileAttributes {
  /// Sentences about attributes that could not be kept.
  private(set) var warnings: [String] = []

  /// Copies the attributes of an old file to a new one, both open. Nobody gets more rights than
  /// before.
  ///
  /// - Returns: Sentences about attributes that could not be kept.
  static func copy(from old: CInt, to new: CInt) throws(SystemFailure) -> [String] {
    var was = stat()
    var now = stat()
    guard fstat(old, &was) == 0, fstat(new, &now) == 0 else {
      throw SystemFailure("Reading its attributes", errno)
    }
    var attributes = FileAttributes()
    var mode = attributes.copyOwner(was, now, to: new)
    if was.st_nlink > 1 {
      attributes.warnings.append("The file has other names (hard links). They keep the old text.")
    }
    // Copied before the mode: with an access list, the group bits of the mode are only the mask of
    // the list.
    let hasGroup = now.st_gid == was.st_gid || fileGroup(new) == was.st_gid
    // With a list, the group bits are that mask, which is kept.
    if try attributes.copyAccessLists(from: old, to: new, keepsGroup: hasGroup) {
      mode = mode & ~0o070 | was.st_mode & 0o070
    }
    // Some file systems give all files one mode, which cannot be set.
    guard fstat(new, &now) == 0, now.st_mode & 0o7777 == mode || fchmod(new, mode) == 0 else {
      throw SystemFailure("Keeping its mode", errno)
    }
    attributes.copyExtended(from: old, to: new)
    return attributes.warnings
  }

  /// Copies owner and group. Returns the mode that is safe with those that could be kept.
  private mutating func copyOwner(_ was: stat, _ now: stat, to new: CInt) -> mode_t {
    let mode = was.st_mode & 0o7777
    if was.st_uid == now.st_uid && was.st_gid == now.st_gid || fchown(new, was.st_uid, was.st_gid) == 0 {
      return mode
    }
    let hasGroup = was.st_gid == now.st_gid || fchown(new, uid_t.max, was.st_gid) == 0
    if was.st_uid != now.st_uid { warnings.append("Its owner could not be kept. You own the file now.") }
    if hasGroup { return mode & 0o777 }
    warnings.append("Its group could not be kept. The new group has the rights of everybody.")
    return mode & 0o707 | (mode & 0o007) << 3
  }

  private static func fileGroup(_ file: CInt) -> gid_t? {
    var found = stat()
    return fstat(file, &found) == 0 ? found.st_gid : nil
  }

  /// Copies the access list. Returns true if the old file has one.
  ///
  /// - Throws: if the list cannot be kept, because other users could then access the file.
  private mutating func copyAccessLists(from old: CInt, to new: CInt, keepsGroup: Bool) throws(SystemFailure)
    -> Bool
  {
    let wanted = try FileAttributes.accessLists(of: old)
    // New files may get a list from their folder.
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
    for name in FileAttributes.names(of: new) ?? []
    where !wanted.contains(name) && !FileAttributes.isAccessList(name) {
      _ = clinux_remove_attribute(new, name)
    }
    for name in wanted {
      guard let value = FileAttributes.value(of: name, of: old),
        value != FileAttributes.value(of: name, of: new)
      else { continue }
      if value.withUnsafeBytes({ clinux_set_attribute(new, name, $0.baseAddress, $0.count) }) < 0,
        !name.hasPrefix("security.")
      {
        warnings.append("Its attribute \(name) could not be kept.")
      }
    }
  }

  private static let accessList = "system.posix_acl_access"

  private static func isAccessList(_ name: String) -> Bool { name == accessList }

  /// Returns an access list in which the owning group has the rights of everybody, for a file whose
  /// group could not be kept. Format (`linux/posix_acl_xattr.h`): 4 bytes version, then per entry 2
  /// bytes tag, 2 bytes rights, 4 bytes id.
  static func withGroupAsOthers(_ list: [UInt8]) -> [UInt8] {
    let entries = stride(from: 4, through: list.count - 8, by: 8)
    func entry(_ tag: UInt8) -> Int? { entries.first { list[$0] == tag && list[$0 + 1] == 0 } }
    guard let group = entry(0x04), let others = entry(0x20) else { return list }
    var list = list
    list[group + 2] = list[others + 2]
    list[group + 3] = list[others + 3]
    return list
  }

  // The limits of the kernel: XATTR_LIST_MAX, XATTR_SIZE_MAX.
  private static let maxBytes = 65_536

  /// Returns the names of the extended attributes; nil and `errno` if they cannot be read.
  private static func names(of file: CInt) -> [String]? {
    // Most files have none and need no buffer.
    let size = clinux_list_attributes(file, nil, 0)
    if size < 0, ![ENOTSUP, ENOSYS, EPERM].contains(errno) { return nil }
    if size <= 0 { return [] }
    let list = [CChar](unsafeUninitializedCapacity: maxBytes) { buffer, count in
      count = max(0, clinux_list_attributes(file, buffer.baseAddress, buffer.count))
    }
    return list.split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
  }

  private static func value(of name: String, of file: CInt) -> [UInt8]? {
    var length = -1
    let value = [UInt8](unsafeUninitializedCapacity: maxBytes) { buffer, count in
      length = clinux_get_attribute(file, name, buffer.baseAddress, buffer.count)
      count = max(0, length)
    }
    return length < 0 ? nil : value
  }
}
