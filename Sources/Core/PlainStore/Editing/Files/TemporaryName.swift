import Files

/// The name of a temporary file of a save, beside the item. It begins with a dot, so no watch and
/// no list shows it.
///
/// If a writer is killed, the next save decides by the name what to do with the file.
enum TemporaryName: Hashable {
  /// A text that never had the name of an item.
  case new
  /// A file that exchanges its name with the file that was read, or a file to be deleted. Before
  /// the exchange it is the new file, afterwards the file that was read; any other content was
  /// written by another program. `digest` is that of the text that was read; nil in names by older
  /// versions.
  case old(read: ContentStamp, new: ContentStamp?, digest: UInt64?)

  /// The properties of a file that neither a new name nor a new mode changes.
  struct ContentStamp: Hashable {
    let inode: UInt64
    let size: UInt64
    let seconds: Int64
    let nanoseconds: UInt32

    init(_ stamp: FileStamp) {
      (inode, size) = (stamp.identity.inode, stamp.size)
      (seconds, nanoseconds) = (stamp.modified.seconds, stamp.modified.nanoseconds)
    }

    fileprivate init?(_ words: ArraySlice<Substring>) {
      let start = words.startIndex
      guard words.count == 4, let inode = UInt64(words[start]), let size = UInt64(words[start + 1]),
        let seconds = Int64(words[start + 2]),
        let nanoseconds = UInt32(words[start + 3])
      else { return nil }
      (self.inode, self.size, self.seconds, self.nanoseconds) = (inode, size, seconds, nanoseconds)
    }

    fileprivate var text: String { "\(inode).\(size).\(seconds).\(nanoseconds)" }
  }

  static let prefix = ".notes-watch."

  /// Returns a unique file name.
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

  /// Returns true if a name has the right prefix. Cheap, since a folder may have very many names.
  static func isPossible(_ name: UnsafeRawBufferPointer) -> Bool { name.starts(with: prefix.utf8) }

  /// Parses a name; nil if no save makes such a name.
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
  static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
