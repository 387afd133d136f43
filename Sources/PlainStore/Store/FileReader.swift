import CLinux
package import DirectoryWatch
import Glibc
package import LinuxFiles
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
