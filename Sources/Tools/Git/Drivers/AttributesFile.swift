import Values

/// The text of git's `info/attributes`, with one block of lines per data set that uses our drivers.
///
/// New blocks go to the top, so that lines that people wrote override them. Removing a block leaves
/// all other bytes unchanged.
struct AttributesFile: Hashable {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Adds the block of a folder, or replaces it. The path is from the top of the repository, without
  /// a slash at either end; empty for the top itself.
  mutating func add(_ folder: [UInt8], withDiff: Bool) {
    remove(folder)
    bytes = AttributesFile.block(folder, withDiff) + bytes
  }

  mutating func remove(_ folder: [UInt8]) {
    guard let range = range(of: folder) else { return }
    bytes.removeSubrange(range)
  }

  func has(_ folder: [UInt8]) -> Bool { range(of: folder) != nil }

  func hasDiff(_ folder: [UInt8]) -> Bool {
    range(of: folder).map { AttributesFile.assignsDiff(bytes[$0]) } ?? false
  }

  /// Returns true if the folder's block is one that this version of the program writes.
  func isCurrent(_ folder: [UInt8]) -> Bool {
    range(of: folder).map { bytes[$0].elementsEqual(AttributesFile.block(folder, hasDiff(folder))) } ?? false
  }

  var hasBlocks: Bool { !blocks.isEmpty }

  var hasDiffBlocks: Bool { blocks.contains(where: AttributesFile.assignsDiff) }

  private static func assignsDiff(_ block: ArraySlice<UInt8>) -> Bool {
    String(decoding: block, as: UTF8.self).contains(" diff=\(TextFormat.yaml.diffDriver)")
  }

  private var blocks: [ArraySlice<UInt8>] {
    let starts = lines.filter { bytes[$0].starts(with: Array(AttributesFile.first.utf8)) }
    return starts.map { start in
      let end = lines.first {
        $0.lowerBound > start.lowerBound && bytes[$0].starts(with: Array(AttributesFile.last.utf8))
      }
      return bytes[start.lowerBound..<(end ?? start).upperBound]
    }
  }

  private static let first = "# notes-watch begins: "
  private static let last = "# notes-watch ends: "

  static func patterns(_ folder: [UInt8], withDiff: Bool) -> [[UInt8]] {
    TextFormat.allCases.flatMap { format in
      format.pathExtensions.map { suffix in
        let path = folder.isEmpty ? Array("*".utf8) : Array("/".utf8) + literal(folder) + Array("/**/*".utf8)
        return quoted(path + Array(".\(suffix)".utf8))
          + Array(" merge=notes-watch\(withDiff ? " diff=\(format.diffDriver)" : "")".utf8)
      }
    }
  }

  private static func block(_ folder: [UInt8], _ withDiff: Bool) -> [UInt8] {
    let name = title(folder)
    let lines =
      [Array("\(first)\(name)".utf8)] + patterns(folder, withDiff: withDiff) + [Array("\(last)\(name)".utf8)]
    return Array(lines.map { $0 + [0x0A] }.joined())
  }

  private static func title(_ folder: [UInt8]) -> String {
    folder.isEmpty ? "." : String(decoding: quoted(folder), as: UTF8.self)
  }

  private var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for index in bytes.indices where bytes[index] == 0x0A {
      lines.append(start..<index + 1)
      start = index + 1
    }
    return lines
  }

  private func range(of folder: [UInt8]) -> Range<Int>? {
    let name = AttributesFile.title(folder)
    func line(_ text: String) -> Range<Int>? {
      let wanted = Array("\(text)\(name)\n".utf8)
      return lines.first { bytes[$0].elementsEqual(wanted) }
    }
    guard let first = line(AttributesFile.first), let last = line(AttributesFile.last),
      first.lowerBound < last.lowerBound
    else {
      return nil
    }
    return first.lowerBound..<last.upperBound
  }

  private static func literal(_ path: [UInt8]) -> [UInt8] {
    path.flatMap { "*?[\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
  }

  /// Quotes a pattern in C style if a blank or control character would end it.
  private static func quoted(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\"") }) else { return text }
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 8)
        quoted += Array("\\\(String(repeating: "0", count: 3 - digits.utf8.count))\(digits)".utf8)
      default: quoted.append(byte)
      }
    }
    return quoted + [UInt8(ascii: "\"")]
  }
}

extension TextFormat {
  /// The name of git's diff driver for this format. Each format has its own driver, because git
  /// caches a driver's output by content alone, and the same content is a different item in another
  /// format.
  var diffDriver: String {
    switch self {
    case .yaml: "notes-watch"
    case .json: "notes-watch-json"
    case .markdown: "notes-watch-markdown"
    }
  }
}
