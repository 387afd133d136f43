import DirectoryWatch
import LinuxFiles

/// The names of the files that a save has for a moment, beside the item. They begin with a dot: no watch and no list shows them.
///
/// The name says what may be in the file, for the next save to decide what to do with it where a writer was killed.
enum TemporaryName: Hashable {
  /// A text that was never seen under an item's name.
  case new
  /// What is to exchange its name with a file that was read, or a file that is to be deleted. Behind the exchange it is the file that was read, before it the new one;
  /// whatever else is found there somebody else has written. `digest` is that of the text that was read; nil in names that older versions made.
  case old(read: Identity, new: Identity?, digest: UInt64?)

  /// Of a file: what neither another name nor another mode changes.
  struct Identity: Hashable {
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
      guard words.count == 4, let inode = UInt64(words[start]), let size = UInt64(words[start + 1]), let seconds = Int64(words[start + 2]),
        let nanoseconds = UInt32(words[start + 3])
      else { return nil }
      (self.inode, self.size, self.seconds, self.nanoseconds) = (inode, size, seconds, nanoseconds)
    }

    fileprivate var text: String { "\(inode).\(size).\(seconds).\(nanoseconds)" }
  }

  static let prefix = ".notes-watch."

  /// One that is nobody else's.
  func make() -> RelativePath {
    let own = String(UInt64.random(in: 0 ... .max), radix: 16)
    let text =
      switch self {
      case .new: "new.\(own)"
      case .old(let read, let new, let digest):
        (["old", read.text, new?.text, digest.map { "x" + String($0, radix: 16) }, own] as [String?]).compactMap { $0 }.joined(
          separator: ".")
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
      let digest = words.dropLast().last.flatMap { $0.first == "x" ? UInt64($0.dropFirst(), radix: 16) : nil }
      let count = words.count - (digest == nil ? 2 : 3)
      guard count == 4 || count == 8, let read = Identity(words[1..<5]) else { return nil }
      let new = count == 8 ? Identity(words[5..<9]) : nil
      if new == nil, count == 8 { return nil }
      self = .old(read: read, new: new, digest: digest)
    default: return nil
    }
  }

  /// FNV-1a, 64 bits: tells a text from another that has the same size and the same time.
  static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
