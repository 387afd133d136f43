import TextEdits
package import Values

/// An item as text with one line per field. `git diff` and `git log -p` compare these lines instead
/// of the file.
///
/// ```
/// address.city: Paris
/// tags[]: new
/// body:
///   A text of several lines,
///   line by line.
/// ```
///
/// Equal values in the same order give equal lines, however the file is formatted. List elements
/// have `[]` instead of a number, so that a new element changes no other line.
///
/// The lines depend only on the bytes and the format, not on settings, because git caches them.
package enum FieldLines {
  /// The version of this format. Increase it when the same bytes give other lines, so that git
  /// discards its cache.
  package static let version = 1

  /// Returns the lines of an item. Nil if the text is not an item, or if long keys would make the
  /// lines many times larger than the text. git then shows the text itself.
  package static func lines(of bytes: [UInt8], as format: TextFormat) -> [UInt8]? {
    guard let value = try? PackedValue(reading: bytes, as: format).value, case .map = value
    else { return nil }
    var writer = Writer(limit: 16 * bytes.count + (1 << 16))
    writer.write(value, at: "")
    return writer.isFull ? nil : writer.bytes
  }

  /// Returns the lines of a file, or its bytes if it is not a valid item, as a file with conflict
  /// markers: an error would end a `git diff` of many files here.
  package static func lines(ofFile path: String) throws(GitError) -> [UInt8] {
    let bytes = try WholeFile.read(path)
    return TextFormat(pathExtension: path.fileExtension).flatMap { lines(of: bytes, as: $0) } ?? bytes
  }

  private struct Writer {
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    /// The maximum output in bytes. Each line contains the full path of its field, so long keys can
    /// multiply the size.
    private let limit: Int

    var isFull: Bool { bytes.count > limit }

    /// Values nested deeper than this are written as JSON in one line.
    private static let maxDepth = 64

    init(limit: Int) {
      self.limit = limit
    }

    mutating func write(_ value: Value, at name: String) {
      if isFull { return }
      depth += 1
      defer { depth -= 1 }
      switch value {
      case .map(let fields) where !fields.isEmpty && depth <= Writer.maxDepth:
        for (key, value) in fields {
          write(value, at: name.isEmpty ? Writer.name(of: key) : "\(name).\(Writer.name(of: key))")
        }
      case .list(let elements) where !elements.isEmpty && depth <= Writer.maxDepth:
        for element in elements { write(element, at: "\(name)[]") }
      case .string(let text) where text.utf8.contains(0x0A): writeLines(text, at: name)
      default: line("\(name): \(Writer.text(of: value))")
      }
    }

    private mutating func writeLines(_ text: String, at name: String) {
      var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      // The `-` means that the text does not end with a line break, as in YAML's block scalars.
      let isEnded = lines.last?.isEmpty == true
      if isEnded { lines.removeLast() }
      line("\(name):\(isEnded ? "" : " -")")
      for part in lines { line(part.isEmpty ? "" : "  " + Writer.escaped(String(Substring(part)))) }
    }

    private mutating func line(_ text: String) { bytes += Array(text.utf8) + [0x0A] }

    /// Returns the text of a value. A string is quoted if it would read as another value.
    private static func text(of value: Value) -> String {
      switch value {
      case .string(let text): YAMLString.isSafe(text, inFlow: false) ? text : YAMLString.double(text)
      case .null: "null"
      case .date(let date): date.text
      default: JSONWriter.text(of: value)
      }
    }

    private static func name(of key: String) -> String {
      let isPlain =
        !key.isEmpty
        && key.unicodeScalars.allSatisfy {
          YAMLString.isPrintable($0) && !". []:\t\"".unicodeScalars.contains($0)
        }
      return isPlain ? key : JSONWriter.text(of: .string(key))
    }

    private static func escaped(_ text: String) -> String {
      guard !text.unicodeScalars.allSatisfy(YAMLString.isPrintable) else { return text }
      return text.unicodeScalars.map {
        YAMLString.isPrintable($0) ? String($0) : "\\u{\(String($0.value, radix: 16))}"
      }.joined()
    }
  }
}
