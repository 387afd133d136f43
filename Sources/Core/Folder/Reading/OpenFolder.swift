package import Files
import Glibc
package import Query
package import SystemPackage
package import Values
package import Watch

/// The open root of a data set. Everything that is read through it comes from one folder, even if
/// another folder gets its name in the meantime.
package final class OpenFolder: Sendable {
  private let folder: Descriptor
  package var descriptor: CInt { folder.raw }

  package init(_ path: String) throws(Errno) {
    folder = try Descriptor.folder(path)
  }

  /// `name` is the path that errors show.
  package init(_ path: String, named name: String) throws(StoreError) {
    do throws(Errno) {
      folder = try Descriptor.folder(path)
    } catch {
      throw StoreError(.opening(name, error.rawValue))
    }
  }

  package init(_ folder: consuming Descriptor) {
    self.folder = folder
  }

  /// Opens a regular file below the folder; nil if nothing is there. With `isRegular`, as a listing said,
  /// its kind is not checked first. Throws a problem if it can't be an item or can't be opened.
  package func openFile(_ path: RelativePath, isRegular: Bool = false) throws(Problem) -> OpenFile? {
    if !isRegular, let status = try status(of: path), !status.isRegularFile {
      throw Problem(path: path, isNoFileBut: status.kind)
    }
    let file: Descriptor
    do throws(Errno) {
      file = try Descriptor.beneath(descriptor, path, O_RDONLY | O_NONBLOCK)
    } catch {
      if error.meansMissing(path) { return nil }
      throw Problem(path: path, action: "opened", error)
    }
    return try OpenFile(file, path: path)
  }

  /// Returns the stamp of what is at a path; nil if nothing is there. It is not opened.
  package func stamp(of path: RelativePath) throws(Problem) -> FileStamp? { try status(of: path)?.stamp }

  package func status(of path: RelativePath) throws(Problem) -> FileStatus? {
    do throws(Errno) {
      return try path.withCString { path throws(Errno) in try FileStatus(beneath: descriptor, path) }
    } catch {
      if error.meansMissing(path) { return nil }
      throw Problem(path: path, action: "examined", error)
    }
  }
}

extension Errno {
  /// Returns true if nothing is at the path below the root. Any other error doesn't show whether
  /// anything exists.
  fileprivate func meansMissing(_ path: RelativePath) -> Bool {
    // No file can have a longer name than its file system allows. The system also refuses a long
    // path, although its file may exist.
    if self == .fileNameTooLong { return path.bytes.count < PATH_MAX }
    return [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .improperLink].contains(self)
  }
}

extension Problem {
  package init(openingRoot root: String, _ error: Errno) { self.init(ofRoot: .opening(root, error.rawValue)) }

  /// Makes the problem of a root that is missing or cannot be read. It is tried again in any case:
  /// the watch may see the root again before this process does.
  package init(ofRoot error: WatchError) {
    self.init(path: .root, message: error.description)
    advice = error.advice
    isTransient = true
    self.error = Errno(rawValue: error.errno)
  }
}

package struct OpenFile: ~Copyable {
  private let file: Descriptor
  private let path: RelativePath
  package let stamp: FileStamp

  package var descriptor: CInt { file.raw }

  package init(_ file: consuming Descriptor, path: RelativePath) throws(Problem) {
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(of: file.raw) } catch {
      throw Problem(path: path, action: "examined", error)
    }
    guard status.isRegularFile else {
      throw Problem(
        path: path,
        message: "This is \(Problem.kindName(of: status.kind)), not a file; nothing was read from it.")
    }
    self.file = file
    self.path = path
    stamp = status.stamp
  }

  /// Reads the file to the front of `buffer`, which grows but never shrinks, and returns the number
  /// of bytes.
  package borrowing func read(into buffer: inout [UInt8], within limits: ReadLimits) throws(Problem) -> Int {
    var count = 0
    try check(Int(clamping: stamp.size), limits)
    // One byte more than expected: a read that fills the buffer shows that there may be more.
    buffer.reserveAtLeast(Int(clamping: stamp.size) + 1)
    while true {
      let start = count
      do throws(Errno) {
        count += try systemCall {
          buffer.withUnsafeMutableBytes {
            Glibc.read(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
          }
        }
      } catch {
        throw Problem(path: path, action: "read", error)
      }
      // A file that has the size of its stamp counts as complete. If it grows later, an event reports it.
      if count == start || count == Int(clamping: stamp.size) { return count }
      try check(count, limits)
      if count == buffer.count { buffer.reserveAtLeast(count * 2) }
    }
  }

  package borrowing func bytes(within limits: ReadLimits) throws(Problem) -> [UInt8] {
    var buffer: [UInt8] = []
    let count = try read(into: &buffer, within: limits)
    return Array(buffer[..<count])
  }

  private borrowing func check(_ size: Int, _ limits: ReadLimits) throws(Problem) {
    guard let error = limits.sizeError(forFileOf: size) else { return }
    throw Problem(path: path, line: error.line, column: error.column, message: error.message)
  }
}

extension [UInt8] {
  fileprivate mutating func reserveAtLeast(_ size: Int) {
    if count < size { append(contentsOf: repeatElement(0, count: size - count)) }
  }
}
