import CLinux
import Glibc
import SystemPackage

/// A file that an interrupted save left in a folder.
///
/// `sweep` deletes it, under the lock of the folder, if no text of another program can be lost: a text
/// that never had the name of an item, and of two files that were to exchange their names the new
/// text, which never got its place, and the old one, once no other program can write to it. Any other
/// file may be what an editor saved at that moment. It stays for a person to decide.
struct Leftover: Hashable {
  enum Kind: Sendable, Hashable {
    case unfinished
    case replaced
    /// A text that another program may have saved meanwhile. A person must decide about it.
    case saved
  }

  let name: RelativePath
  let kind: Kind
  /// The name of the item's file that it belongs to; nil if that is unknown.
  var item: RelativePath?

  /// From this age in seconds, a leftover is deleted if leases cannot show whether a program has it open. It
  /// is far longer than any grace period: the save is over even if its lock is not visible.
  fileprivate static let uncertainAge = Int64(60)

  /// Deletes leftovers. Returns those that stay, without those in use.
  static func sweep(_ folder: SaveFolder, _ abilities: FileSaver.Abilities, now: Int64 = Int64(time(nil)))
    -> [Leftover]
  {
    all(in: folder) { leftover, name, file in
      if leftover.kind == .saved { return leftover }
      if let file {
        // The lease, if there is one, is held until the name is deleted.
        let code = abilities.acquireLease(file.rawValue)
        guard code == 0 || file.isUnused(in: folder, abilities, refusedWith: code, now) else { return nil }
        // A program may have written to it since it was checked.
        guard file.isDispensable(as: name) else {
          return Leftover(name: leftover.name, kind: .saved, item: leftover.item)
        }
        // A program is waiting to write to it.
        if code == 0, clinux_lease_holds(file.rawValue) != 1 { return nil }
      }
      return [0, ENOENT].contains(folder.unlink(leftover.name)) ? nil : leftover
    }
  }

  /// Returns the leftovers that no running save uses and that `keep` returns, in the order of their
  /// names. An unfinished text is not opened.
  static func all(
    in folder: SaveFolder,
    _ keep: (Leftover, TemporaryName, FileDescriptor?) -> Leftover? = { leftover, _, _ in leftover }
  ) -> [Leftover] {
    let candidates = folder.entries(where: TemporaryName.isPossible).sorted { $0.name < $1.name }
    // Most folders have none, and then the other names are not needed.
    let entries =
      candidates.contains { TemporaryName($0.name.name) != nil }
      ? folder.entries { $0.first != UInt8(ascii: ".") } : []
    return candidates.compactMap { entry in
      guard let name = TemporaryName(entry.name.name) else { return nil }
      guard case .old(let read, let new, _) = name else {
        return keep(Leftover(name: entry.name, kind: .unfinished), name, nil)
      }
      guard let opened = folder.openForReading(entry.name) else { return nil }
      let file = FileDescriptor(rawValue: opened)
      defer { close(opened) }
      if file.isInUseByUs { return nil }
      let item = entries.first { $0.inode == new?.inode } ?? entries.first { $0.inode == read.inode }
      let kind = file.isDispensable(as: name) ? Kind.replaced : .saved
      return keep(Leftover(name: entry.name, kind: kind, item: item?.name), name, file)
    }
  }
}

extension FileDescriptor {
  /// True if one of our saves keeps it for a grace period; false if files cannot be locked.
  fileprivate var isInUseByUs: Bool {
    defer { _ = flock(rawValue, LOCK_UN) }
    return flock(rawValue, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK
  }

  /// Returns true if it holds the text that was replaced, or the new one that did not get its place.
  fileprivate func isDispensable(as name: TemporaryName) -> Bool {
    guard case .old(let read, let new, let digest) = name, let stamp = (try? FileStatus(of: rawValue))?.stamp
    else { return false }
    let identity = TemporaryName.ContentStamp(stamp)
    return identity == new
      || identity == read && (digest == nil || digest == (try? contents()).map(TemporaryName.digest))
  }

  /// Returns true if a file that got no lease is so old that no other program can still write to it.
  fileprivate func isUnused(
    in folder: SaveFolder, _ abilities: FileSaver.Abilities, refusedWith code: CInt, _ now: Int64
  ) -> Bool {
    // Another program has it open for writing, unless the file system refuses all leases with this error.
    if code == EAGAIN, folder.grantsLeases(abilities) { return false }
    guard let stamp = (try? FileStatus(of: rawValue))?.stamp else { return false }
    return now - stamp.changed.seconds > Leftover.uncertainAge
  }
}

extension SaveFolder {
  /// Returns the names and inodes of files in the folder; none if it cannot be listed.
  fileprivate func entries(where isWanted: (UnsafeRawBufferPointer) -> Bool) -> [(
    name: RelativePath, inode: UInt64
  )] {
    guard let copy = try? Descriptor.reopening(folder: folder.descriptor).release() else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(stream) }
    var entries: [(RelativePath, UInt64)] = []
    while let entry = readdir(stream) {
      let inode = UInt64(entry.pointee.d_ino)
      withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        let name = UnsafeRawBufferPointer(rebasing: raw[..<(raw.firstIndex(of: 0) ?? raw.count)])
        if isWanted(name) { entries.append((RelativePath(bytes: name), inode)) }
      }
    }
    return entries
  }
}

extension Leftover {
  func sentence(in directory: RelativePath) -> String {
    let problem = problem(in: directory)
    return "\(problem.path): \(problem.message)"
  }

  func problem(in directory: RelativePath) -> Problem {
    let path = directory.appending(name: name.bytes)
    let item = item.map { directory.appending(name: $0.bytes).description }
    return switch kind {
    case .unfinished:
      Problem(
        path: path,
        message:
          "An interrupted save left this unfinished text. The next save in this folder deletes it; you can delete it too."
      )
    case .replaced:
      Problem(
        path: path,
        message:
          "An interrupted save left the previous text of \(item ?? "a file"). The next save in this folder "
          + "deletes it; you can delete it too.")
    case .saved:
      Problem(
        path: path,
        message:
          "Another program may have saved this version of \(item ?? "a file in this folder") while a save "
          + "was interrupted.",
        advice: "Compare them, keep what you need, and delete this file.")
    }
  }
}

/// The name of a temporary file of a save, beside the item. Its dot hides it from watches and lists.
///
/// If a writer is killed, the next save decides by the name what to do with the file.
enum TemporaryName: Hashable {
  /// A text that never had the name of an item.
  case new
  /// A file that exchanges its name with the file that was read, or a file to be deleted. Before the exchange
  /// it is the new file, afterwards the file that was read; any other content was written by another program.
  /// `digest` is that of the text that was read; nil in names by older versions.
  case old(read: ContentStamp, new: ContentStamp?, digest: UInt64?)

  /// The properties of a file that neither a new name nor a new mode changes.
  struct ContentStamp: Hashable {
    let inode: UInt64
    let size: UInt64
    let seconds: Int64
    let nanoseconds: UInt32

    init(_ stamp: FileStamp) {
      inode = stamp.identity.inode
      size = stamp.size
      seconds = stamp.modified.seconds
      nanoseconds = stamp.modified.nanoseconds
    }

    fileprivate init?(_ words: ArraySlice<Substring>) {
      let start = words.startIndex
      guard words.count == 4, let inode = UInt64(words[start]), let size = UInt64(words[start + 1]),
        let seconds = Int64(words[start + 2]),
        let nanoseconds = UInt32(words[start + 3])
      else { return nil }
      self.inode = inode
      self.size = size
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }

    fileprivate var text: String { "\(inode).\(size).\(seconds).\(nanoseconds)" }
  }

  static let prefix = ".notes-watch."

  func make() -> RelativePath {
    let own = String(UInt64.random(in: 0 ... .max), radix: 16)
    let text =
      switch self {
      case .new: "new.\(own)"
      case .old(let read, let new, let digest):
        (["old", read.text, new?.text, digest.map { "x" + String($0, radix: 16) }, own] as [String?])
          .compactMap { $0 }.joined(
            separator: ".")
      }
    return RelativePath(bytes: (TemporaryName.prefix + text).utf8)
  }

  /// Makes a name for the file that was read and the one that is to replace it; nil to delete it.
  static func old(_ read: FileContent, new: FileStamp?) -> RelativePath {
    old(
      read: ContentStamp(read.stamp), new: new.map(ContentStamp.init), digest: digest(read.bytes)
    ).make()
  }

  /// Returns true if a name has the right prefix. Cheap, since a folder may have very many names.
  static func isPossible(_ name: UnsafeRawBufferPointer) -> Bool { name.starts(with: prefix.utf8) }

  init?(_ name: Substring) {
    guard name.hasPrefix(TemporaryName.prefix) else { return nil }
    let words = name.dropFirst(TemporaryName.prefix.count).split(
      separator: ".", omittingEmptySubsequences: false)
    guard let own = words.last, !own.isEmpty, UInt64(own, radix: 16) != nil else { return nil }
    switch words.first {
    case "new" where words.count == 2: self = .new
    case "old":
      let digest = words.dropLast().last.flatMap { $0.first == "x" ? UInt64($0.dropFirst(), radix: 16) : nil }
      let count = words.count - (digest == nil ? 2 : 3)
      guard count == 4 || count == 8, let read = ContentStamp(words[1..<5]) else { return nil }
      let new = count == 8 ? ContentStamp(words[5..<9]) : nil
      if new == nil, count == 8 { return nil }
      self = .old(read: read, new: new, digest: digest)
    default: return nil
    }
  }

  /// Returns the FNV-1a hash (64 bits), which distinguishes texts of the same size and time.
  fileprivate static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
