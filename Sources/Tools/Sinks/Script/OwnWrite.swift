import Files
import PlainStore

/// One entry of a record file, or several that follow each other.
struct OwnWrite: Equatable, Sendable {
  /// A version of a file.
  struct Version: Equatable, Sendable {
    let content: ContentDigest
    let stamp: ContentDigest

    init(_ file: FileVersion) {
      content = ContentDigest(of: file.bytes)
      stamp = Version.digest(of: file.stamp)
    }

    /// Reads 64 hexadecimal digits; nil if `text` is something else.
    init?(_ text: String) {
      guard text.utf8.count == 64, let content = ContentDigest(String(text.prefix(32))), let stamp = ContentDigest(String(text.suffix(32)))
      else { return nil }
      (self.content, self.stamp) = (content, stamp)
    }

    var text: String { content.text + stamp.text }

    /// Returns a digest of what a write or a replacement changes. Not of the time of the attributes,
    /// which another name of the file changes, too.
    static func digest(of stamp: FileStamp) -> ContentDigest {
      let (file, time) = (stamp.identity, stamp.modified)
      return ContentDigest(of: Array("\(file.device) \(file.inode) \(stamp.size) \(time.seconds) \(time.nanoseconds)".utf8))
    }
  }

  /// The absolute path.
  let path: [UInt8]
  /// The digest of the content; nil if the file was removed.
  let digest: ContentDigest?
  /// The version that was there before; nil if there was no file.
  var replaced: Version?

  /// Returns the absolute path of a file.
  static func path(_ root: [UInt8], _ path: RelativePath) -> [UInt8] {
    (root == [UInt8(ascii: "/")] ? [] : root) + [UInt8(ascii: "/")] + path.bytes
  }

  /// Returns this write together with an earlier one, if it replaced exactly what that one wrote.
  /// Otherwise somebody else changed the file in between, and only this write counts.
  func following(_ earlier: OwnWrite?) -> OwnWrite {
    guard let earlier, earlier.digest == replaced?.content else { return self }
    return OwnWrite(path: path, digest: digest, replaced: earlier.replaced)
  }

  /// The entry as it is stored.
  var bytes: [UInt8] { Array((digest?.text ?? "-").utf8) + [0] + Array((replaced?.text ?? "-").utf8) + [0] + path + [0] }

  /// Reads the complete entries at the start of `bytes`.
  ///
  /// - Returns: The entries and their length in bytes; nil if the bytes are not entries.
  static func entries(in bytes: ArraySlice<UInt8>) -> (entries: [OwnWrite], length: Int)? {
    var entries: [OwnWrite] = []
    var rest = bytes
    while let first = rest.firstIndex(of: 0), let second = rest[(first + 1)...].firstIndex(of: 0),
      let end = rest[(second + 1)...].firstIndex(of: 0)
    {
      let digest = String(decoding: rest[..<first], as: UTF8.self)
      let replaced = String(decoding: rest[(first + 1)..<second], as: UTF8.self)
      let entry = OwnWrite(path: Array(rest[(second + 1)..<end]), digest: ContentDigest(digest), replaced: Version(replaced))
      guard entry.path.first == UInt8(ascii: "/"), digest == "-" || entry.digest != nil, replaced == "-" || entry.replaced != nil else {
        return nil
      }
      entries.append(entry)
      rest = rest[(end + 1)...]
    }
    return (entries, rest.startIndex - bytes.startIndex)
  }
}
