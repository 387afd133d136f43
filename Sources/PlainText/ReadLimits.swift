/// How much a file may ask for before it is refused: what is inside a file must not exhaust time, memory or stack.
public struct ReadLimits: Sendable, Hashable {
  /// Lists and maps inside of one another.
  public var depth: Int
  /// Bytes that aliases and merge keys may add to what is written out, in the packed form.
  public var expandedSize: Int
  /// The same of all files of a store together, beyond what their texts could take without aliases.
  public var totalExpandedSize: Int
  /// Bytes of a file. Whoever opens the file should look before reading it; the reader looks again.
  public var maximumSize: Int

  public init(depth: Int = 1_000, expandedSize: Int = 16 << 20, totalExpandedSize: Int = 256 << 20, maximumSize: Int = 16 << 20) {
    // A packed list or map counts its bytes in 32 bits, and packing makes text at most five times longer.
    let most = 256 << 20
    self.depth = min(max(depth, 1), 1_000)
    self.expandedSize = min(max(expandedSize, 0), most)
    self.totalExpandedSize = max(totalExpandedSize, 0)
    self.maximumSize = min(max(maximumSize, 0), most)
  }

  /// What is said of a file to which aliases add more.
  package var expansionMessage: String {
    "Aliases and merge keys add more than \(expandedSize) bytes to this file. Write out fewer of them."
  }

  /// What is wrong with a file of this size, if anything.
  public func sizeError(forFileOf size: Int) -> TextError? {
    guard size > maximumSize else { return nil }
    return TextError(
      line: 1, column: 1,
      message: "The file has \(size) bytes, and at most \(maximumSize) are read. Split it, or raise the limit.")
  }
}
