import Files
import Glibc
import StateStore
import SystemPackage
import Values

/// The file of a sink: complete lines of a stream, which is only ever appended to.
///
/// The bytes that were written since `begin()` count after `commit()`, which brings them to the
/// disk. Until then `rollBack()` removes them.
final class StreamFile {
  /// The token of the last line that has one; nil if the stream has to start over.
  let lastToken: String?
  /// The length of everything that counts.
  private(set) var size: Int
  private let path: String
  private let file: Descriptor
  private let identity: FileIdentity
  /// True if there may be bytes after `size` that do not count.
  private var isDirty = false
  /// The number of bytes since `begin()`.
  private var written = 0

  private static let firstBytes = Array(#"{"v":1,"type":"hello","#.utf8)
  private static let lineBytes = Array(#"{"v":1,"type":""#.utf8)
  private static let lineFeed = UInt8(ascii: "\n")

  /// Opens a file, or creates it, and completes its last line: a part of a line of ours is removed,
  /// because it was never acknowledged, and any other one is ended.
  init(_ path: String) throws(StateError) {
    let opened: Descriptor
    do throws(Errno) {
      // A pipe is not waited for.
      opened = try Descriptor.open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY, mode: 0o600)
    } catch {
      throw StateError(error)
    }
    var found = stat()
    guard fstat(opened.raw, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
      throw .refused("it is not a regular file")
    }
    if flock(opened.raw, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw .refused("another process writes it")
    }
    let start = opened.prefix(StreamFile.firstBytes.count)
    if !start.starts(with: StreamFile.lineBytes.prefix(start.count)) {
      throw .refused("its contents are not the lines of a stream")
    }
    // If somebody emptied it while a line was written, it begins with that line.
    let hasStart = start.elementsEqual(StreamFile.firstBytes.prefix(start.count))
    do throws(Errno) {
      identity = try FileStatus(of: opened.raw).stamp.identity
      size = try StreamFile.completed(opened.raw, Int(found.st_size))
    } catch {
      throw StateError(error)
    }
    lastToken = hasStart ? StreamFile.lastToken(opened.raw, size) : nil
    self.path = path
    file = opened
  }

  /// True if the path still names this file, and nobody has shortened it.
  var isCurrent: Bool {
    var found = stat()
    guard stat(path, &found) == 0, let status = try? FileStatus(of: file.raw) else { return false }
    return UInt64(found.st_ino) == identity.inode && status.stamp.size >= UInt64(size)
  }

  /// Lets others open the file. Nothing more may be written to it.
  func release() { flock(file.raw, LOCK_UN) }

  // MARK: Writing

  /// Starts a delivery. Removes what an earlier one left that failed.
  func begin() throws(Errno) {
    try rollBack()
    // Somebody else may have appended to it, which stays.
    size = max(size, try length())
    written = 0
  }

  func write(_ bytes: [UInt8]) throws(Errno) {
    isDirty = true
    written += bytes.count
    try file.write(all: bytes)
  }

  func commit() throws(Errno) {
    try file.sync()
    // A file that is shorter was emptied meanwhile, which `isCurrent` then says.
    size = max(size + written, try length())
    isDirty = false
  }

  func rollBack() throws(Errno) {
    if !isDirty { return }
    // A file that somebody emptied meanwhile must not be filled with zeros.
    if try length() > size { try systemCall { ftruncate(file.raw, off_t(size)) } }
    isDirty = false
  }

  private func length() throws(Errno) -> Int { Int(try FileStatus(of: file.raw).stamp.size) }

  /// Gives the file and its predecessors the next numbers; `FILE.1` is the newest. The path is then free.
  static func rotate(_ path: String, keeping count: Int) throws(Errno) {
    for number in stride(from: count - 1, through: 1, by: -1) {
      if rename("\(path).\(number)", "\(path).\(number + 1)") != 0, errno != ENOENT { throw .current }
    }
    try systemCall { rename(path, "\(path).1") }
    syncFolder(of: path)
  }

  /// Brings the names in a file's folder to the disk. A failure loses no line, so it is ignored.
  static func syncFolder(of path: String) {
    try? Descriptor.folder(parentFolder(of: path)).sync()
  }

  // MARK: Reading

  /// Completes the last line of a file, and returns its size.
  private static func completed(_ file: CInt, _ size: Int) throws(Errno) -> Int {
    let end = endOfLastLine(file, size)
    if end == size { return size }
    let start = FileDescriptor(rawValue: file).bytes(end..<min(size, end + lineBytes.count))
    if start.elementsEqual(lineBytes.prefix(start.count)) {
      try systemCall { ftruncate(file, off_t(end)) }
      return end
    }
    try FileDescriptor(rawValue: file).write(all: [lineFeed])
    return size + 1
  }

  private static func endOfLastLine(_ file: CInt, _ size: Int) -> Int {
    var end = size
    while end > 0 {
      let start = max(0, end - 1 << 16)
      let bytes = FileDescriptor(rawValue: file).bytes(start..<end)
      if let index = bytes.lastIndex(of: lineFeed) { return start + index + 1 }
      if bytes.isEmpty { return size }
      end = start
    }
    return 0
  }

  /// The largest part of a file that is searched for a token.
  private static let maxTail = 64 << 20

  /// Returns the token of the last line that has one, if only lines of problems follow it.
  private static func lastToken(_ file: CInt, _ size: Int) -> String? {
    var length = 1 << 18
    while true {
      let start = max(0, size - length)
      let bytes = FileDescriptor(rawValue: file).bytes(start..<size)
      // The first line may be incomplete.
      let lines = bytes.split(separator: lineFeed, omittingEmptySubsequences: false).dropFirst(
        start == 0 ? 0 : 1)
      for line in lines.reversed() where !line.isEmpty {
        switch Line(line) {
        case .token(let token): return token
        case .other: return nil
        case .withoutToken: continue
        }
      }
      if start == 0 || length >= maxTail { return nil }
      length *= 8
    }
  }

  private enum Line {
    case token(String)
    /// A part of a list, or a problem.
    case withoutToken
    /// The start of a stream, or something else.
    case other

    init(_ bytes: ArraySlice<UInt8>) {
      guard case .map(let fields)? = try? PackedValue(reading: Array(bytes), as: .json).value,
        case .string(let type)? = fields["type"]
      else {
        self = .other
        return
      }
      switch (type, fields["token"], fields["since"]) {
      case ("update", .string(let token)?, _), ("snapshot", .string(let token)?, _),
        ("bookmark", .string(let token)?, _):
        self = .token(token)
      case ("hello", _, .string(let token)?): self = .token(token)
      case ("snapshot", _, _), ("problem", _, _): self = .withoutToken
      default: self = .other
      }
    }
  }
}
