/// Limits on what reading a file may cost, so that no file can exhaust time, memory or stack.
///
/// Reading stops with a `TextError` when a limit is exceeded.
public struct ReadLimits: Sendable, Hashable {
  /// The number of lists and maps that may be nested in one another, from 1 to 1,000.
  public var depth: Int
  /// The number of bytes that aliases and merge keys may add to one file, in packed form, up to 256
  /// MiB.
  public var expandedSize: Int
  /// The number of bytes that aliases and merge keys may add to all files of a store together, in
  /// packed form.
  public var totalExpandedSize: Int
  /// The size of a file in bytes, up to 256 MiB.
  ///
  /// Check the size with `sizeError(forFileOf:)` before reading a file into memory. `TextReader`
  /// checks it again.
  public var maxSize: Int

  /// Creates limits. Values outside of the documented ranges are replaced by the nearest allowed
  /// value.
  ///
  /// - Parameters:
  ///   - depth: the limit of nested lists and maps, by default 1,000.
  ///   - expandedSize: the limit of bytes that aliases add to one file, by default 16 MiB.
  ///   - totalExpandedSize: the limit of bytes that aliases add to all files of a store, by default
  ///     256 MiB.
  ///   - maxSize: the limit of a file's size in bytes, by default 16 MiB.
  public init(depth: Int = 1_000, expandedSize: Int = 16 << 20, totalExpandedSize: Int = 256 << 20, maxSize: Int = 16 << 20) {
    // `PackedBuilder` stores the length of a list or map in 32 bits, and packing can make a text up
    // to five times longer.
    let maxBytes = 256 << 20
    self.depth = min(max(depth, 1), 1_000)
    self.expandedSize = min(max(expandedSize, 0), maxBytes)
    self.totalExpandedSize = max(totalExpandedSize, 0)
    self.maxSize = min(max(maxSize, 0), maxBytes)
  }

  /// The message of the error that is thrown when aliases exceed `expandedSize`.
  package var expansionMessage: String {
    "Aliases and merge keys add more than \(expandedSize) bytes to this file. Use fewer of them."
  }

  /// Returns the error for a file of this size; nil if it may be read.
  public func sizeError(forFileOf size: Int) -> TextError? {
    guard size > maxSize else { return nil }
    return TextError(
      line: 1, column: 1,
      message: "The file has \(size) bytes, and the limit is \(maxSize). Split it, or raise the limit.")
  }
}
