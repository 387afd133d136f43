package import DirectoryWatch
import Glibc
import LinuxFiles
package import PlainStore

/// Records the files that a command of this program writes while it runs inside of a script, so
/// that the watch that started the script can ignore these changes (`--ignore-own`).
///
/// The watch makes one record file per run. Each entry is the digest of the file's new content, or
/// `-` for a file that is removed, the version that it replaces, or `-` for a new file, and the
/// file's absolute path, each followed by NUL.
package struct OwnWrites: Sendable {
  private let file: String
  private let root: [UInt8]

  /// Makes the recorder of a run.
  ///
  /// - Parameters:
  ///   - root: The folder with the items.
  ///   - environment: The variables `NOTES_WATCH_RUN`, `XDG_STATE_HOME` and `HOME`.
  /// - Returns: Nil outside of a run.
  package init?(root: String, environment: [String: String]) {
    guard let run = environment[RunID.variable].flatMap({ RunID($0) }), let folder = OwnWrites.folder(environment),
      let root = realPath(root)
    else { return nil }
    file = "\(folder)/\(run)"
    self.root = Array(root.utf8)
  }

  /// The folder with the record files; nil if no variable names the folder for states.
  static func folder(_ environment: [String: String]) -> String? { StateHome.path(environment).map { "\($0)/notes-watch/runs" } }

  /// Records a write that is about to happen. Does nothing if the watch keeps no record of the run.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - content: The new content; nil if the file is removed.
  ///   - replaced: The file as it was read before; nil if there was none.
  package func record(_ path: RelativePath, _ content: [UInt8]?, replacing replaced: FileVersion?) {
    guard let file = try? Descriptor.open(file, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK),
      (try? FileStatus(of: file.raw))?.isRegularFile == true
    else { return }
    let entry = OwnWrite(
      path: OwnWrite.path(root, path), digest: content.map { ContentDigest(of: $0) }, replaced: replaced.map(OwnWrite.Version.init))
    // Without the entry the change is not ignored, which is safe.
    try? file.write(all: entry.bytes)
  }
}

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
