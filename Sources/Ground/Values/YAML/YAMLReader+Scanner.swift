import Glibc

extension YAMLReader {
  /// False if the environment says `NOTES_WATCH_SCANNER=off`. Read once.
  static let isScannerOn = getenv("NOTES_WATCH_SCANNER").map { String(cString: $0) } != "off"

  /// Appends the value in `range`, a map, to `builder` if the scanner accepts the text. Otherwise
  /// returns false, appends nothing, and libyaml has to read the text.
  mutating func scan(_ source: SourceText, _ range: Range<Int>, into builder: inout PackedBuilder) -> Bool {
    guard usesScanner, !source.utf8.hasSpecialCharacters, (try? source.checkBlankRuns(range)) != nil else {
      return false
    }
    let text = UnsafeRawBufferPointer(rebasing: source.bytes[range])
    guard source.utf8.hasCarriageReturns else { return scan(text, into: &builder) }
    guard normalize(text) else { return false }
    var copy: [UInt8] = []
    swap(&copy, &normalized)
    defer { swap(&copy, &normalized) }
    return copy.withUnsafeBytes { scan($0, into: &builder) }
  }

  private mutating func scan(_ text: UnsafeRawBufferPointer, into builder: inout PackedBuilder) -> Bool {
    let isScanned = builder.write(PackedBuilder.usualSize(ofText: text.count)) { writer in
      guard
        var scanner = YAMLScanner(
          text, depthLimit: limits.depth, reservedKey: reservedKey, writer: writer, memory: &scannerMemory)
      else { return false }
      defer { swap(&scanner.memory, &scannerMemory) }
      guard (try? scanner.scan()) != nil else { return false }
      writer = scanner.writer
      return true
    }
    return isScanned == true
  }

  /// Copies the text to `normalized` with LF for each CRLF. Returns false if it contains a CR
  /// alone.
  private mutating func normalize(_ text: UnsafeRawBufferPointer) -> Bool {
    normalized.removeAll(keepingCapacity: normalized.capacity <= YAMLReader.maxRetainedCapacity)
    normalized.reserveCapacity(text.count)
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
      guard end + 1 < text.count, text[end + 1] == UInt8(ascii: "\n") else { return false }
      normalized.append(contentsOf: rest[..<end])
      rest = rest[(end + 1)...]
    }
    normalized.append(contentsOf: rest)
    return true
  }

  private static let maxRetainedCapacity = 1 << 20
}
