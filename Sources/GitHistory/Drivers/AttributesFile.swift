import PlainText

/// The text of git's `info/attributes`, with a block of lines for each data set whose items our drivers handle.
///
/// Blocks stand in front, so that what a person wrote behind them holds against them, and taking one out leaves every other byte as it was.
struct AttributesFile: Sendable, Hashable {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// - Parameter folder: from the top of the repository, without a slash at either end; empty for the top itself.
  mutating func add(_ folder: [UInt8]) {
    remove(folder)
    bytes = AttributesFile.block(folder) + bytes
  }

  mutating func remove(_ folder: [UInt8]) {
    guard let range = range(of: folder) else { return }
    bytes.removeSubrange(range)
  }

  func has(_ folder: [UInt8]) -> Bool { range(of: folder) != nil }

  /// True if the folder's block is what this version of the program writes.
  func isCurrent(_ folder: [UInt8]) -> Bool { range(of: folder).map { bytes[$0].elementsEqual(AttributesFile.block(folder)) } ?? false }

  /// Whether any data set has a block.
  var hasBlocks: Bool { lines.contains { bytes[$0].starts(with: Array("\(AttributesFile.first)".utf8)) } }

  private static let first = "# notes-watch begins: "
  private static let last = "# notes-watch ends: "

  /// The lines of a block that name files.
  static func patterns(_ folder: [UInt8]) -> [[UInt8]] {
    TextFormat.allCases.flatMap { format in
      format.pathExtensions.map { suffix in
        let path = folder.isEmpty ? Array("*".utf8) : Array("/".utf8) + literal(folder) + Array("/**/*".utf8)
        return quoted(path + Array(".\(suffix)".utf8)) + Array(" merge=notes-watch diff=\(format.diffDriver)".utf8)
      }
    }
  }

  private static func block(_ folder: [UInt8]) -> [UInt8] {
    let name = title(folder)
    let lines = [Array("\(first)\(name)".utf8)] + patterns(folder) + [Array("\(last)\(name)".utf8)]
    return Array(lines.map { $0 + [0x0A] }.joined())
  }

  private static func title(_ folder: [UInt8]) -> String { folder.isEmpty ? "." : String(decoding: quoted(folder), as: UTF8.self) }

  private var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for index in bytes.indices where bytes[index] == 0x0A {
      lines.append(start..<index + 1)
      start = index + 1
    }
    return lines
  }

  /// From the line that begins a folder's block to the one that ends it.
  private func range(of folder: [UInt8]) -> Range<Int>? {
    let name = AttributesFile.title(folder)
    func line(_ text: String) -> Range<Int>? {
      let wanted = Array("\(text)\(name)\n".utf8)
      return lines.first { bytes[$0].elementsEqual(wanted) }
    }
    guard let first = line(AttributesFile.first), let last = line(AttributesFile.last), first.lowerBound < last.lowerBound else {
      return nil
    }
    return first.lowerBound..<last.upperBound
  }

  /// A path as a pattern that matches it alone.
  private static func literal(_ path: [UInt8]) -> [UInt8] {
    path.flatMap { "*?[\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
  }

  /// In quotes, as C has them, where a blank or the like would end the pattern.
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
  /// The name of git's diff driver for files of this format. Each has its own: git keeps what a driver prints by the content alone, and the same
  /// content is other items in other formats.
  var diffDriver: String {
    switch self {
    case .yaml: "notes-watch"
    case .json: "notes-watch-json"
    case .markdown: "notes-watch-markdown"
    }
  }
}
