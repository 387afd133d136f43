package import Files
package import Query
package import Values

package enum FileFinding {
  /// There is nothing, or the path leads out of the root.
  case missing
  /// The file has the known stamp and was not read.
  case unchanged
  case item(FileStamp, PackedValue)
  case problem(Problem)
  /// The file was read, but its aliases add more than the store's budget has left.
  case tooExpanded
}

package typealias Findings = [(path: RelativePath, finding: FileFinding)]

package struct ReadRequest {
  package let path: RelativePath
  package let format: TextFormat
  /// True if the folder's listing said that this is a regular file, so that it can be opened
  /// without checking its kind first.
  package let isRegular: Bool
  /// The known stamp; a file that still has it need not be read.
  package var known: FileStamp?
  /// The file as it was read before the git command was over; if it still has this stamp, it need
  /// not be read again.
  var early: ReadAhead.EarlyFile?

  package init(
    path: RelativePath, format: TextFormat, isRegular: Bool = false, known: FileStamp? = nil,
    early: ReadAhead.EarlyFile? = nil
  ) {
    self.path = path
    self.format = format
    self.isRegular = isRegular
    self.known = known
    self.early = early
  }
}

/// Reads item files, one after the other, each to a value or a problem. It keeps its buffers, so
/// each thread uses its own reader.
package struct FileReader {
  private let limits: ReadLimits
  private var reader: TextReader
  private var buffer: [UInt8] = []

  package init(limits: ReadLimits) {
    self.limits = limits
    reader = TextReader(limits: limits)
  }

  /// Reads a path below the folder `root`. Only a regular file is opened, never through a link, and never
  /// in a way that could block. Without `mayExpand`, aliases may add only the ordinary amount.
  package mutating func read(_ request: ReadRequest, below root: OpenFolder, mayExpand: Bool = true)
    -> FileFinding
  {
    let path = request.path
    do throws(Problem) {
      if let early = request.early, early.bytes == nil, try root.stamp(of: path) == early.stamp {
        return .item(early.stamp, early.fields)
      }
      guard let file = try root.openFile(path, isRegular: request.isRegular) else { return .missing }
      if file.stamp == request.known { return .unchanged }
      let count = try file.read(into: &buffer, within: limits)
      if let early = request.early, let bytes = early.bytes, bytes.count == count,
        buffer[..<count] == bytes[...]
      {
        return .item(file.stamp, early.fields)
      }
      if !mayExpand { return try parseOrdinary(path, request.format, count, file.stamp) }
      return try parse(path, request.format, count, file.stamp)
    } catch {
      return .problem(error)
    }
  }

  /// Reads a regular file of ordinary size in an open folder, in four system calls. The name has no slash,
  /// and a NUL at its end. Nil if the file must be read by its path, which also finds the reason.
  mutating func readSmallFile(
    _ name: UnsafePointer<CChar>, in folder: CInt, at path: RelativePath, _ format: TextFormat
  ) -> FileFinding? {
    if buffer.count < FileReader.smallSize { buffer = [UInt8](repeating: 0, count: FileReader.smallSize) }
    let stamp = buffer.withUnsafeMutableBytes { FileStatus.readSmallFile(in: folder, name, into: $0) }
    guard let stamp, limits.sizeError(forFileOf: Int(clamping: stamp.size)) == nil else { return nil }
    do throws(Problem) {
      return try parse(path, format, Int(clamping: stamp.size), stamp)
    } catch {
      return .problem(error)
    }
  }

  /// The size of the buffer at first. Most files are smaller.
  private static let smallSize = 64 << 10

  private mutating func parseOrdinary(
    _ path: RelativePath, _ format: TextFormat, _ count: Int, _ stamp: FileStamp
  ) throws(Problem) -> FileFinding {
    var ordinary = limits
    ordinary.expandedSize = min(limits.expandedSize, ExpansionBudget.ordinarySize(fileSize: UInt64(count)))
    let unlimited = reader
    reader = TextReader(limits: ordinary)
    defer { reader = unlimited }
    return try parse(path, format, count, stamp, isLimited: ordinary.expandedSize < limits.expandedSize)
  }

  /// With `isLimited`, a file whose aliases add too much may be read with other limits.
  private mutating func parse(
    _ path: RelativePath, _ format: TextFormat, _ count: Int, _ stamp: FileStamp, isLimited: Bool = false
  ) throws(Problem) -> FileFinding {
    do throws(TextError) {
      let fields = try buffer.withUnsafeBufferPointer { bytes throws(TextError) in
        try reader.readItem(
          UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])), as: format)
      }
      return .item(stamp, fields)
    } catch {
      if isLimited, error.isExpansion { return .tooExpanded }
      throw Problem(path: path, line: error.line, column: error.column, message: error.message)
    }
  }
}
