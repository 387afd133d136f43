import DirectoryWatch
import PlainStore

/// One entry of a record file.
struct OwnWrite: Equatable, Sendable {
  /// The absolute path.
  let path: [UInt8]
  /// The digest of the content; nil if the file was removed.
  let digest: ContentDigest?

  /// Returns the absolute path of a file.
  static func path(_ root: [UInt8], _ path: RelativePath) -> [UInt8] {
    (root == [UInt8(ascii: "/")] ? [] : root) + [UInt8(ascii: "/")] + path.bytes
  }

  /// The entry as it is stored.
  var bytes: [UInt8] { Array((digest?.text ?? "-").utf8) + [0] + path + [0] }

  /// Reads the complete entries at the start of `bytes`.
  ///
  /// - Returns: The entries and their length in bytes; nil if the bytes are not entries.
  static func entries(in bytes: ArraySlice<UInt8>) -> (entries: [OwnWrite], length: Int)? {
    var entries: [OwnWrite] = []
    var rest = bytes
    while let middle = rest.firstIndex(of: 0), let end = rest[(middle + 1)...].firstIndex(of: 0) {
      let digest = String(decoding: rest[..<middle], as: UTF8.self)
      let path = rest[(middle + 1)..<end]
      guard path.first == UInt8(ascii: "/") else { return nil }
      if digest == "-" {
        entries.append(OwnWrite(path: Array(path), digest: nil))
      } else if let digest = ContentDigest(digest) {
        entries.append(OwnWrite(path: Array(path), digest: digest))
      } else {
        return nil
      }
      rest = rest[(end + 1)...]
    }
    return (entries, rest.startIndex - bytes.startIndex)
  }
}
