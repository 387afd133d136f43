import DirectoryWatch

/// The names of the files that a save has for a moment, beside the item. They begin with a dot: no watch and no list shows them.
///
/// The name says what may be in the file, for the next save to decide what to do with it where a writer was killed.
enum TemporaryName: Hashable {
  /// A text that was never seen under an item's name.
  case new
  /// What an exchange brings out, or what is to be deleted: the file that was read, unless somebody put another in its place.
  case old(Identity)

  /// Of a file: what neither another name nor another mode changes.
  struct Identity: Hashable {
    let inode: UInt64
    let size: UInt64
    let seconds: Int64
    let nanoseconds: UInt32

    init(_ stamp: FileStamp) {
      (inode, size) = (stamp.inode, stamp.size)
      (seconds, nanoseconds) = (stamp.modified.seconds, stamp.modified.nanoseconds)
    }

    fileprivate init?(_ words: [Substring]) {
      guard words.count == 4, let inode = UInt64(words[0]), let size = UInt64(words[1]), let seconds = Int64(words[2]),
        let nanoseconds = UInt32(words[3])
      else { return nil }
      (self.inode, self.size, self.seconds, self.nanoseconds) = (inode, size, seconds, nanoseconds)
    }
  }

  static let prefix = ".notes-watch."

  /// One that is nobody else's.
  func make() -> RelativePath {
    let own = String(UInt64.random(in: 0 ... .max), radix: 16)
    let text =
      switch self {
      case .new: "new.\(own)"
      case .old(let file): "old.\(file.inode).\(file.size).\(file.seconds).\(file.nanoseconds).\(own)"
      }
    return RelativePath(bytes: (TemporaryName.prefix + text).utf8)
  }

  /// Whether a name in a folder may be one; a look at its beginning, since a folder may have very many.
  static func isPossible(_ name: UnsafeRawBufferPointer) -> Bool { name.starts(with: prefix.utf8) }

  /// Nil where a save gave no such name.
  init?(_ name: Substring) {
    guard name.hasPrefix(TemporaryName.prefix) else { return nil }
    let words = name.dropFirst(TemporaryName.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    guard let own = words.last, !own.isEmpty, UInt64(own, radix: 16) != nil else { return nil }
    switch words.first {
    case "new" where words.count == 2: self = .new
    case "old":
      guard let file = Identity(words.dropFirst().dropLast()) else { return nil }
      self = .old(file)
    default: return nil
    }
  }
}

extension TemporaryName.Identity {
  fileprivate init?(_ words: ArraySlice<Substring>) { self.init(Array(words)) }
}
