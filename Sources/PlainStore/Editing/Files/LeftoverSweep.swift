import CLinux
import DirectoryWatch
import Glibc
import LinuxFiles
import SystemPackage

/// A file that an interrupted save left in a folder.
struct Leftover: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A text that never had an item's name.
    case unfinished
    /// The text that an item had before it was replaced or deleted.
    case replaced
    /// A text that may be what another program saved while a save of ours was interrupted. Only a person can decide what to do with it.
    case saved
  }

  /// Its name in the folder.
  let name: RelativePath
  let kind: Kind
  /// The name of the item's file that it belongs to; nil where that is not known.
  var item: RelativePath?
}

/// Deletes what interrupted saves left in a folder, where it is certain that no other program's text is lost. Only while the folder is locked: then no writer
/// of ours is at work in it.
///
/// - A text that never had an item's name belongs to nobody.
/// - What was to exchange its name with a file is removed where it is the new text, which never got there, or the file that had been read: to replace it was meant.
///   It stays while another program may still write to it.
/// - Anything else may be what an editor saved in that moment. It stays for a person to look at.
enum LeftoverSweep {
  /// Where leases do not tell whether a program has a leftover open, it is kept for so many seconds after it got its name. That is far beyond any grace period, so
  /// that the save that left it is over also where its lock cannot be seen.
  private static let uncertainAge = Int64(60)

  /// Returns what stays, other than files that a running save or another program still uses.
  ///
  /// - Parameter now: the time, in seconds since 1970.
  static func sweep(_ folder: SaveFolder, _ abilities: FileSaver.Abilities, now: Int64 = Int64(time(nil))) -> [Leftover] {
    leftovers(in: folder).compactMap { leftover in
      switch leftover.kind {
      case .unfinished: unlink(leftover, in: folder)
      case .saved: leftover
      case .replaced: sweep(leftover, in: folder, abilities, now)
      }
    }
  }

  private static func sweep(_ leftover: Leftover, in folder: SaveFolder, _ abilities: FileSaver.Abilities, _ now: Int64) -> Leftover? {
    guard let name = TemporaryName(leftover.name.name), let file = LeftoverFile(leftover.name, in: folder) else { return nil }
    guard file.isUnused(in: folder, abilities, now) else { return nil }
    // A program may have written to it since it was found.
    guard file.isDispensable(as: name) else { return Leftover(name: leftover.name, kind: .saved, item: leftover.item) }
    // Somebody waits to write to it.
    if file.lostLease { return nil }
    // The lease, where there is one, is held until the name is gone.
    return unlink(leftover, in: folder)
  }

  private static func unlink(_ leftover: Leftover, in folder: SaveFolder) -> Leftover? {
    [0, ENOENT].contains(folder.unlink(leftover.name)) ? nil : leftover
  }

  /// What is there, in the order of the names; what a running save still uses is left out.
  static func leftovers(in folder: SaveFolder) -> [Leftover] {
    var found: [Leftover] = []
    let candidates = folder.entries(where: TemporaryName.isPossible)
    // Most folders have none; all of their names are not of interest then.
    let entries = candidates.contains { TemporaryName($0.name.name) != nil } ? folder.entries { $0.first != UInt8(ascii: ".") } : []
    for entry in candidates {
      guard let name = TemporaryName(entry.name.name) else { continue }
      switch name {
      case .new: found.append(Leftover(name: entry.name, kind: .unfinished))
      case .old(let read, let new, _):
        guard let file = LeftoverFile(entry.name, in: folder), !file.isInUseByUs else { continue }
        let item = entries.first { $0.inode == new?.inode } ?? entries.first { $0.inode == read.inode }
        found.append(Leftover(name: entry.name, kind: file.isDispensable(as: name) ? .replaced : .saved, item: item?.name))
      }
    }
    return found.sorted { $0.name < $1.name }
  }

  /// A leftover, open.
  private final class LeftoverFile {
    private let descriptor: CInt
    private var hasLease = false

    init?(_ name: RelativePath, in folder: SaveFolder) {
      guard let opened = folder.openForReading(name) else { return nil }
      descriptor = opened
    }

    deinit {
      close(descriptor)
    }

    /// True if a save of ours keeps it for a grace period.
    ///
    /// Where files cannot be locked it is false, and the age decides.
    var isInUseByUs: Bool {
      defer { _ = flock(descriptor, LOCK_UN) }
      return flock(descriptor, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK
    }

    /// True if it is, as it is now, the text that was read to be replaced, or the new one that did not get its place.
    func isDispensable(as name: TemporaryName) -> Bool {
      guard case .old(let read, let new, let digest) = name, let stamp = (try? FileStatus(of: descriptor))?.stamp else { return false }
      let identity = TemporaryName.Identity(stamp)
      return identity == new || identity == read && (digest == nil || digest == self.digest)
    }

    private var digest: UInt64? {
      (try? FileDescriptor(rawValue: descriptor).contents()).map(TemporaryName.digest)
    }

    /// True if no other program can still write to it. A lease says so; without one its age has to do.
    func isUnused(in folder: SaveFolder, _ abilities: FileSaver.Abilities, _ now: Int64) -> Bool {
      let code = abilities.acquireLease(descriptor)
      hasLease = code == 0
      if hasLease { return true }
      // A program has it open for writing, unless the file system refuses every lease so.
      if code == EAGAIN, folder.grantsLeases(abilities) { return false }
      guard let stamp = (try? FileStatus(of: descriptor))?.stamp else { return false }
      return now - stamp.changed.seconds > uncertainAge
    }

    var lostLease: Bool { hasLease && clinux_lease_holds(descriptor) != 1 }
  }
}

extension SaveFolder {
  /// The files in it by name and inode; none where it cannot be listed.
  fileprivate func entries(where isWanted: (UnsafeRawBufferPointer) -> Bool) -> [(name: RelativePath, inode: UInt64)] {
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
