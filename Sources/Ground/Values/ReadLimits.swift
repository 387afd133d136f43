/// Limits on what reading a file may cost, so that no file can exhaust time, memory or stack.
///
/// Beyond one, reading stops with a `TextError`. A value outside of its range becomes the nearest one in it.
public struct ReadLimits: Sendable, Hashable {
  /// The number of lists and maps that may be nested in one another, from 1 to 1,000.
  public var depth: Int { didSet { depth = ReadLimits.bounded(depth: depth) } }
  /// The bytes that aliases and merge keys may add to one file, in packed form, up to 256 MiB.
  public var expandedSize: Int { didSet { expandedSize = ReadLimits.bounded(expandedSize) } }
  /// The bytes that they may add to all files of a store together, in packed form, up to 1 TiB.
  public var totalExpandedSize: Int {
    didSet { totalExpandedSize = ReadLimits.bounded(total: totalExpandedSize) }
  }
  /// The size of a file in bytes, up to 256 MiB. Check it with `sizeError(forFileOf:)` before reading a file
  /// into memory; `TextReader` checks it again.
  public var maxSize: Int { didSet { maxSize = ReadLimits.bounded(maxSize) } }

  /// Creates limits; the properties say what each one bounds.
  public init(
    depth: Int = 1_000, expandedSize: Int = 16 << 20, totalExpandedSize: Int = 256 << 20,
    maxSize: Int = 16 << 20
  ) {
    self.depth = ReadLimits.bounded(depth: depth)
    self.expandedSize = ReadLimits.bounded(expandedSize)
    self.totalExpandedSize = ReadLimits.bounded(total: totalExpandedSize)
    self.maxSize = ReadLimits.bounded(maxSize)
  }

  private static func bounded(depth: Int) -> Int { min(max(depth, 1), 1_000) }

  /// `PackedBuilder` stores the length of a list or map in 32 bits, and packing can make a text up
  /// to five times longer.
  private static func bounded(_ size: Int) -> Int { min(max(size, 0), 256 << 20) }

  private static func bounded(total: Int) -> Int { min(max(total, 0), 1 << 40) }

  /// Returns the error for a file of this size; nil if it may be read.
  public func sizeError(forFileOf size: Int) -> TextError? {
    guard size > maxSize else { return nil }
    return TextError(
      line: 1, column: 1,
      message: "The file has \(size) bytes, and the limit is \(maxSize). Split it, or raise the limit.")
  }
}

extension ReadLimits: CustomStringConvertible {
  /// The limits with their units.
  public var description: String {
    "\(maxSize) bytes, \(depth) levels, expanded \(expandedSize) bytes per file and \(totalExpandedSize) in all"
  }
}
