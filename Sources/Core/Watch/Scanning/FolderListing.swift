package import Files
import Glibc

/// The entries of one folder that a filter includes, in the order of the file system.
///
/// The names are stored end to end in one buffer, each followed by a NUL, so that listing 100,000
/// files allocates a few buffers instead of 100,000 paths, and a system call gets a name as it is.
package struct FolderListing {
  package struct Entry {
    /// The start of the name in `names`.
    package let start: UInt32
    package let count: UInt16
    package let kind: EntryKind
    /// True if `WatchFilter.includesFile` accepts the entry.
    package let isIncluded: Bool
    /// True if it is a folder that `WatchFilter.includesDirectory` accepts.
    package let isEntered: Bool

    package init(start: UInt32, count: UInt16, kind: EntryKind, isIncluded: Bool, isEntered: Bool) {
      self.start = start
      self.count = count
      self.kind = kind
      self.isIncluded = isIncluded
      self.isEntered = isEntered
    }
  }

  package let path: RelativePath
  /// The stamp that the open folder had before it was listed; nil unless requested.
  package var stamp: FileStamp?
  /// True if the folder contains a `.git` of any kind.
  package var isWorkTree = false
  package private(set) var entries: [Entry] = []
  package private(set) var names: [UInt8] = []

  /// Creates a listing that was stored. Nil unless each entry has the name of a file: within `names`, with
  /// a NUL after it, not empty, not `.` or `..`, and without `/` and NUL.
  package init?(path: RelativePath, stamp: FileStamp, entries: [Entry], names: [UInt8]) {
    let areNames = names.withUnsafeBytes { names in
      entries.allSatisfy { entry in
        let end = Int(entry.start) + Int(entry.count)
        guard end < names.count, names[end] == 0 else { return false }
        return FolderListing.isName(UnsafeRawBufferPointer(rebasing: names[Int(entry.start)..<end]))
      }
    }
    guard areNames else { return nil }
    self.path = path
    self.stamp = stamp
    self.entries = entries
    self.names = names
  }

  private static func isName(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let start = name.baseAddress, let first = name.first else { return false }
    if first == UInt8(ascii: "."), name.count == 1 || name.count == 2 && name[1] == first { return false }
    return memchr(start, CInt(UInt8(ascii: "/")), name.count) == nil && memchr(start, 0, name.count) == nil
  }

  package init(path: RelativePath, stamp: FileStamp? = nil) {
    self.path = path
    self.stamp = stamp
  }

  /// Adds an entry. A name of Linux has at most 255 bytes; a longer one is not added.
  package mutating func append(
    _ name: UnsafeRawBufferPointer, _ kind: EntryKind, isIncluded: Bool, isEntered: Bool
  ) {
    guard let start = UInt32(exactly: names.count), let count = UInt16(exactly: name.count) else { return }
    entries.append(
      Entry(start: start, count: count, kind: kind, isIncluded: isIncluded, isEntered: isEntered))
    names.append(contentsOf: name)
    names.append(0)
  }

  /// Calls `body` with the name of an entry: its bytes without the NUL that follows them in memory.
  package func withName<Result, Failure: Error>(
    of entry: Entry, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try names.withUnsafeBufferPointer { names throws(Failure) in
      let start = Int(entry.start)
      return try body(
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: names[start..<start + Int(entry.count)])))
    }
  }

  package func path(of entry: Entry) -> RelativePath {
    withName(of: entry) { path.appending(name: $0.bindMemory(to: UInt8.self)) }
  }
}

/// Returns the complete listing that a folder had in an earlier walk when it had this stamp; nil if it must
/// be listed again. Called by the thread that walks, once per folder, after a watch was set on the folder.
///
/// The listing is used without a look at the folder, so it must be returned only if a folder with
/// this stamp cannot have another content.
package typealias KnownListing = @Sendable (_ folder: RelativePath, _ stamp: FileStamp) -> FolderListing?
