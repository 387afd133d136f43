package import Files
import Glibc
package import Query
import SystemPackage
package import Values

/// An open regular file.
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
      // A file that has the size of its stamp counts as complete. If it grows later, an event
      // reports it.
      if count == start || count == Int(clamping: stamp.size) { return count }
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

extension [UInt8] {
  fileprivate mutating func reserveAtLeast(_ size: Int) {
    if count < size { append(contentsOf: repeatElement(0, count: size - count)) }
  }
}
