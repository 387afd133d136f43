package import PlainText

/// An item as lines, one a field: what git's `diff` and `log -p` compare in place of the file.
///
/// ```
/// address.city: Paris
/// tags[]: new
/// body:
///   A text of several lines,
///   line by line.
/// ```
///
/// The same values always give the same lines, however they are written; another order of keys gives another order of lines. What stands in a
/// list has `[]` for its number, so that an element more changes no other line.
///
/// The lines depend on the bytes and the format alone, never on a data set's settings: git may keep them.
package enum FieldLines {
  /// Goes up whenever the same bytes give other lines, so that git forgets those that it kept.
  package static let version = 1

  /// Nil where the text is no item, or its keys are so long that its lines would be far more text: git then shows it as it is.
  package static func lines(of bytes: [UInt8], as format: TextFormat, limits: ReadLimits = ReadLimits()) -> [UInt8]? {
    guard let value = try? PackedValue(reading: bytes, as: format, limits: limits).value, case .map = value else { return nil }
    var writer = Writer(limit: 16 * bytes.count + (1 << 16))
    writer.write(value, at: "")
    return writer.isFull ? nil : writer.bytes
  }

  /// Of a file, or the file as it is. What cannot be read would stop a `git diff` of many files at this one.
  package static func lines(ofFile path: String) throws(GitError) -> [UInt8] {
    let bytes = try WholeFile.read(path)
    return TextFormat(pathExtension: path.fileExtension).flatMap { lines(of: bytes, as: $0) } ?? bytes
  }

  private struct Writer {
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    /// Every line has the whole way to its field, and that can be long: no more is written than a good deal more than was read.
    private let limit: Int

    var isFull: Bool { bytes.count > limit }

    /// What lies deeper stands in one line.
    private static let deepest = 64

    init(limit: Int) {
      self.limit = limit
    }

    mutating func write(_ value: Value, at name: String) {
      if isFull { return }
      depth += 1
      defer { depth -= 1 }
      switch value {
      case .map(let fields) where !fields.isEmpty && depth <= Writer.deepest:
        for (key, value) in fields { write(value, at: name.isEmpty ? Writer.name(of: key) : "\(name).\(Writer.name(of: key))") }
      case .list(let elements) where !elements.isEmpty && depth <= Writer.deepest:
        for element in elements { write(element, at: "\(name)[]") }
      case .string(let text) where text.utf8.contains(0x0A): writeLines(text, at: name)
      default: line("\(name): \(Writer.text(of: value))")
      }
    }

    private mutating func writeLines(_ text: String, at name: String) {
      var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      // As YAML marks it: whether the text ends with a line break.
      let isEnded = lines.last?.isEmpty == true
      if isEnded { lines.removeLast() }
      line("\(name):\(isEnded ? "" : " -")")
      for part in lines { line(part.isEmpty ? "" : "  " + Writer.escaped(String(Substring(part)))) }
    }

    private mutating func line(_ text: String) { bytes += Array(text.utf8) + [0x0A] }

    /// Quoted where the bare text would be taken for something else.
    private static func text(of value: Value) -> String {
      switch value {
      case .string(let text): PlainScalar.isSafe(text, inFlow: false) ? text : YAMLQuoting.double(text)
      case .null: "null"
      case .date(let date): date.text
      default: JSONWriter.text(of: value)
      }
    }

    private static func name(of key: String) -> String {
      let isPlain =
        !key.isEmpty && key.unicodeScalars.allSatisfy { PlainScalar.isPrintable($0) && !". []:\t\"".unicodeScalars.contains($0) }
      return isPlain ? key : JSONWriter.text(of: .string(key))
    }

    private static func escaped(_ text: String) -> String {
      guard !text.unicodeScalars.allSatisfy(PlainScalar.isPrintable) else { return text }
      return text.unicodeScalars.map { PlainScalar.isPrintable($0) ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
    }
  }
}
