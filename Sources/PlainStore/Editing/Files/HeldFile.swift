import CLinux
import DirectoryWatch
import Glibc
import PlainText

/// What was in a file: what a change is made to.
struct FileContent: Sendable {
  let bytes: [UInt8]
  let stamp: FileStamp
  /// Its values, or why it is no item.
  let fields: Result<PackedValue, TextError>

  init(_ bytes: [UInt8], _ stamp: FileStamp, as format: TextFormat, _ limits: ReadLimits) {
    self.bytes = bytes
    self.stamp = stamp
    fields = FileContent.fields(of: bytes, as: format, limits)
  }

  static func fields(of bytes: [UInt8], as format: TextFormat, _ limits: ReadLimits) -> Result<PackedValue, TextError> {
    var reader = TextReader(limits: limits)
    return bytes.withUnsafeBytes { raw in Result { () throws(TextError) in try reader.readItem(raw, as: format) } }
  }
}

/// A file that was read and is to be replaced or deleted, held open: so its number is not given to another, and, where the system allows it,
/// nobody can begin to write it unnoticed.
///
/// Somebody who has a file open writes into it whatever name it has by then. A read lease tells whether there is such a one, and stops the next.
/// Only the owner and root get one.
final class HeldFile: Sendable {
  let content: FileContent
  private let file: OpenFile
  private let hasLease: Bool

  enum Finding {
    case missing
    /// Somebody has it open for writing.
    case inUse
    case held(HeldFile)
  }

  static func read(
    _ name: RelativePath, in folder: OpenFolder, as format: TextFormat, _ limits: ReadLimits, usesLease: Bool
  ) throws(Problem) -> Finding {
    guard let file = try folder.openFile(name) else { return .missing }
    // Before it is read: what is half written must not be taken for the text.
    let hasLease = usesLease && clinux_take_lease(file.descriptor) == 0
    if usesLease, !hasLease, errno == EAGAIN { return .inUse }
    var buffer: [UInt8] = []
    let count = try file.read(into: &buffer, within: limits)
    let content = FileContent(Array(buffer[..<count]), file.stamp, as: format, limits)
    return .held(HeldFile(content, file, hasLease: hasLease))
  }

  private init(_ content: FileContent, _ file: consuming OpenFile, hasLease: Bool) {
    self.content = content
    self.file = file
    self.hasLease = hasLease
  }

  var descriptor: CInt { file.descriptor }

  /// Whether what has this name in the folder is this file, not written since it was read, and nobody is about to.
  func isUntouched(at name: RelativePath, in folder: SaveFolder) -> Bool {
    guard let found = folder.stamp(of: name), found.size == content.stamp.size else { return false }
    guard found.device == content.stamp.device, found.inode == content.stamp.inode else {
      return found.modified == content.stamp.modified && hasSameBytes(name, in: folder)
    }
    return hasSameBytes && (!hasLease || clinux_lease_holds(file.descriptor) == 1)
  }

  /// An overlay may give a file another number when it gets another name. If it is not that, it is at least the same text, written at the same moment.
  private func hasSameBytes(_ name: RelativePath, in folder: SaveFolder) -> Bool {
    var buffer: [UInt8] = []
    do throws(Problem) {
      guard let other = try folder.folder.openFile(name) else { return false }
      let count = try other.read(into: &buffer, within: ReadLimits(maximumSize: .max))
      return buffer[..<count] == content.bytes[...]
    } catch {
      return false
    }
  }

  /// Where times are coarse, two writes within one tick differ in nothing but what they wrote.
  private var hasSameBytes: Bool {
    let count = content.bytes.count
    let now = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let got = pread(file.descriptor, buffer.baseAddress.map { $0 + initialized }, count - initialized, off_t(initialized))
        if got < 0, errno == EINTR { continue }
        if got <= 0 { return }
        initialized += got
      }
    }
    return now == content.bytes
  }
}
