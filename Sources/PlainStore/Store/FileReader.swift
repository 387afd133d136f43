import CLinux
package import DirectoryWatch
import Glibc
package import PlainText

/// What is at a path now.
package enum FileFinding: Sendable {
  /// Nothing, or nothing below the root.
  case missing
  /// What is there has the stamp that was known.
  case unchanged
  case item(FileStamp, PackedValue)
  case problem(Problem)
  /// A file that was read, but to which aliases add more than is left for the store.
  case tooExpanded
}

/// A file to be read.
package struct ReadRequest: Sendable {
  package let path: RelativePath
  package let format: TextFormat
  /// Whether the folder's listing said that it is a regular file, so that it may be opened without looking first.
  package let isRegular: Bool
  /// Where it still has this stamp, it need not be read.
  package var known: FileStamp? { knownStamp?.stamp }
  // A first walk asks for every file and knows none: a stamp in each request would be most of the request.
  private let knownStamp: KnownStamp?

  private final class KnownStamp: Sendable {
    let stamp: FileStamp

    init(_ stamp: FileStamp) {
      self.stamp = stamp
    }
  }

  package init(path: RelativePath, format: TextFormat, isRegular: Bool, known: FileStamp?) {
    self.path = path
    self.format = format
    self.isRegular = isRegular
    knownStamp = known.map(KnownStamp.init)
  }
}

/// Reads item files, one after the other, each to a value or to a problem. It keeps its buffers; each thread has one of its own.
package struct FileReader {
  private let limits: ReadLimits
  private var reader: TextReader
  private var buffer: [UInt8] = []

  package init(limits: ReadLimits) {
    self.limits = limits
    reader = TextReader(limits: limits)
  }

  /// Looks at a path below the folder `root`. Only a regular file is opened, never through a link, and never so that it could block.
  ///
  /// - Parameter mayExpand: false where aliases may add no more than is ordinary.
  package mutating func read(_ request: ReadRequest, below root: OpenFolder, mayExpand: Bool = true) -> FileFinding {
    let path = request.path
    do throws(Problem) {
      guard let file = try root.openFile(path, isRegular: request.isRegular) else { return .missing }
      if file.stamp == request.known { return .unchanged }
      let count = try file.read(into: &buffer, within: limits)
      if !mayExpand { return try parseOrdinary(path, request.format, count, file.stamp) }
      return try parse(path, request.format, count, file.stamp)
    } catch {
      return .problem(error)
    }
  }

  private mutating func parseOrdinary(
    _ path: RelativePath, _ format: TextFormat, _ count: Int, _ stamp: FileStamp
  ) throws(Problem) -> FileFinding {
    var ordinary = limits
    ordinary.expandedSize = min(limits.expandedSize, ExpansionBudget.ordinarySize(fileSize: UInt64(count)))
    let usual = reader
    reader = TextReader(limits: ordinary)
    defer { reader = usual }
    do throws(Problem) {
      return try parse(path, format, count, stamp)
    } catch {
      if error.message == ordinary.expansionMessage, ordinary.expandedSize < limits.expandedSize { return .tooExpanded }
      throw error
    }
  }

  private mutating func parse(_ path: RelativePath, _ format: TextFormat, _ count: Int, _ stamp: FileStamp) throws(Problem) -> FileFinding {
    do throws(TextError) {
      let fields = try buffer.withUnsafeBufferPointer { bytes throws(TextError) in
        try reader.readItem(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])), as: format)
      }
      return .item(stamp, fields)
    } catch {
      throw Problem(path: path, line: error.line, column: error.column, message: error.message)
    }
  }
}

/// The root of a data set, open, so that what is read in one go is read from one folder even if its name is given to another meanwhile.
package final class OpenFolder: Sendable {
  let descriptor: CInt

  /// Nil where it cannot be opened; `errno` says why.
  package init?(_ path: String) {
    let folder = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    // Before it is kept: a folder that is not open must not be closed by `deinit`, which would also set another `errno`.
    if folder < 0 { return nil }
    if Descriptor.isRemoved(folder) {
      close(folder)
      errno = ENOENT
      return nil
    }
    descriptor = folder
  }

  /// Takes over an open descriptor.
  init(owning descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Nil where nothing is there. Throws a `Problem` where something is that cannot be an item or cannot be opened.
  func openFile(_ path: RelativePath, isRegular: Bool = false) throws(Problem) -> OpenFile? {
    if !isRegular, let kind = try kind(of: path), kind != S_IFREG {
      throw Problem(path: path, isNoFileBut: kind)
    }
    let file = path.withCString { path in retrying { clinux_open_beneath(descriptor, path, O_RDONLY | O_NONBLOCK) } }
    guard file >= 0 else {
      let code = errno
      if OpenFolder.meansMissing(code) { return nil }
      throw Problem(path: path, action: "opened", errno: code)
    }
    return try OpenFile(descriptor: file, path: path)
  }

  /// The file type bits of what is there.
  private func kind(of path: RelativePath) throws(Problem) -> UInt32? { try look(at: path).map { $0.mode & S_IFMT } }

  /// What is at a path now; nil where nothing is. It is not opened: opening a device can already do something.
  func stamp(of path: RelativePath) throws(Problem) -> FileStamp? { try look(at: path).map(FileStamp.init) }

  private func look(at path: RelativePath) throws(Problem) -> clinux_stamp? {
    var raw = clinux_stamp()
    if path.withCString({ path in retrying { clinux_stat_beneath(descriptor, path, &raw) } }) == 0 { return raw }
    let code = errno
    if OpenFolder.meansMissing(code) { return nil }
    throw Problem(path: path, action: "looked at", errno: code)
  }

  /// Whether nothing is there that lies below the root; anything else that the system says leaves open what is there.
  private static func meansMissing(_ code: CInt) -> Bool { [ENOENT, ENOTDIR, ELOOP, EXDEV].contains(code) }
}

/// An open regular file.
package struct OpenFile: ~Copyable {
  let descriptor: CInt
  private let path: RelativePath
  package let stamp: FileStamp

  fileprivate init(descriptor: CInt, path: RelativePath) throws(Problem) {
    self.descriptor = descriptor
    self.path = path
    var raw = clinux_stamp()
    let failure = retrying { clinux_stat(descriptor, "", &raw) } < 0 ? errno : 0
    stamp = FileStamp(raw)
    if failure != 0 { throw Problem(path: path, action: "looked at", errno: failure) }
    if raw.mode & S_IFMT != S_IFREG {
      throw Problem(path: path, message: "This is \(FileKind.name(of: raw.mode & S_IFMT)), not a file; nothing was read from it.")
    }
  }

  deinit {
    close(descriptor)
  }

  /// How many bytes there were, now at the front of `buffer`, which grows but is not shrunk.
  borrowing func read(into buffer: inout [UInt8], within limits: ReadLimits) throws(Problem) -> Int {
    var count = 0
    try check(Int(clamping: stamp.size), limits)
    // One more than is expected: a read that fills the room says that there may be more.
    buffer.reserveAtLeast(Int(clamping: stamp.size) + 1)
    while true {
      let got = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count) }
      if got < 0 {
        let code = errno
        if code == EINTR { continue }
        throw Problem(path: path, action: "read", errno: code)
      }
      count += got
      // What has the size that it had when it was opened is whole, as far as can be known; what grows is told of by an event.
      if got == 0 || count == Int(clamping: stamp.size) { return count }
      try check(count, limits)
      if count == buffer.count { buffer.reserveAtLeast(count * 2) }
    }
  }
}

extension OpenFile {
  private borrowing func check(_ size: Int, _ limits: ReadLimits) throws(Problem) {
    guard let error = limits.sizeError(forFileOf: size) else { return }
    throw Problem(path: path, line: error.line, column: error.column, message: error.message)
  }
}

extension Problem {
  /// Something other than a file has an item's extension.
  package init(path: RelativePath, isNoFileBut kind: UInt32) {
    self.init(path: path, message: "This is \(FileKind.name(of: kind)), not a file; it was not opened.")
  }

  init(openingRoot root: String, errno code: CInt) {
    self.init(path: .root, message: WatchError.opening(root, code).description)
    isTransient = true
    errno = code
  }

  /// What the system said when something was to be done with a file.
  fileprivate init(path: RelativePath, action: String, errno code: CInt) {
    self.init(path: path, message: "The file cannot be \(action): \(FileKind.reason(code)).")
    isTransient = code != ENAMETOOLONG
    errno = code
  }
}

extension [UInt8] {
  fileprivate mutating func reserveAtLeast(_ size: Int) {
    if count < size { append(contentsOf: repeatElement(0, count: size - count)) }
  }
}

enum FileKind {
  static func name(of type: UInt32) -> String {
    switch type {
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link (links are not followed)"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something unknown"
    }
  }

  static func reason(_ code: CInt) -> String {
    switch code {
    case EACCES, EPERM: "permission denied"
    case EIO: "the disk reports an input/output error"
    case EMFILE, ENFILE: "too many files are open (raise `ulimit -n`)"
    case ENOMEM: "there is not enough memory"
    default: String(cString: strerror(code))
    }
  }
}
