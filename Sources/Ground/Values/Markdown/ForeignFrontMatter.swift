/// Front matter that is recognized but not read: TOML, JSON and other languages of static site generators,
/// or YAML below whitespace, which some of them skip.
///
/// Such a page has only the field `body`, which is the complete text. It cannot be edited: a new YAML
/// block above would turn the front matter into text. The first line decides the language, and what
/// follows must look like a key or end the block, so that ordinary text is not mistaken for it.
/// Linear in the front matter.
package enum ForeignFrontMatter: String {
  case toml = "TOML"
  case json = "JSON"
  case javaScript = "JavaScript"
  case coffeeScript = "CoffeeScript"
  case ini = "INI"
  /// `---yaml`, which some generators read as YAML. For all others it is text.
  case markedYAML = "marked YAML"
  /// YAML with spaces or blank lines above it, which other generators read.
  case indentedYAML = "indented YAML"

  package init?(_ page: UnsafeRawBufferPointer) {
    let bytes = ForeignFrontMatter.withoutBlanks(page)
    switch bytes.first {
    case "+" where ForeignFrontMatter.isTOML(bytes): self = .toml
    case "{" where ForeignFrontMatter.isJSON(bytes): self = .json
    case ";" where ForeignFrontMatter.isJSONBetweenSemicolons(bytes): self = .json
    case "-":
      if let language = ForeignFrontMatter.language(bytes) {
        self = language
      } else if bytes.count < page.count, ForeignFrontMatter.isYAML(bytes) {
        self = .indentedYAML
      } else {
        return nil
      }
    default: return nil
    }
  }

  package init?(of file: [UInt8], as format: TextFormat) {
    guard format == .markdown else { return nil }
    let found = file.withRawBytes { ForeignFrontMatter(SourceText.withoutByteOrderMark($0)) }
    guard let found else { return nil }
    self = found
  }

  package init?(of fields: PackedValue) {
    let found = fields.bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      return reader.firstString(ofKey: "body").flatMap { ForeignFrontMatter($0) }
    }
    guard let found else { return nil }
    self = found
  }

  package var phrase: String {
    switch self {
    case .markedYAML: "front matter that begins with `---yaml`"
    case .indentedYAML: "YAML front matter below blank lines or after spaces"
    default: "\(rawValue) front matter"
    }
  }

  package static let advice = "Convert it to YAML, or edit the file by hand."

  package var finding: String {
    "The page has \(phrase). Only YAML between `---` lines at the top of a file is read and edited."
  }

  package var sentence: String { "\(finding) \(ForeignFrontMatter.advice)" }

  private static func withoutBlanks(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var rest = bytes
    while let byte = rest.first {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        rest = UnsafeRawBufferPointer(rebasing: rest[1...])
      } else {
        let unmarked = SourceText.withoutByteOrderMark(rest)
        if unmarked.count == rest.count { return rest }
        rest = unmarked
      }
    }
    return rest
  }

  /// True for a line `+++` with an end line, or, without one, with a `key =` in the next line.
  private static func isTOML(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let opening = FrontMatter.line(bytes, from: 0), FrontMatter.isRule(bytes[opening.text], "+") else {
      return false
    }
    if let first = FrontMatter.line(bytes, from: opening.next), isAssignment(bytes[first.text]) {
      return true
    }
    var start = opening.next
    while let line = FrontMatter.line(bytes, from: start) {
      if FrontMatter.isRule(bytes[line.text].drop { $0 == 0x20 || $0 == 0x09 }, "+") { return true }
      start = line.next
    }
    return false
  }

  /// True for a line `;;;` before `"key":`, with or without a brace before it, or before the end line.
  private static func isJSONBetweenSemicolons(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let opening = FrontMatter.line(bytes, from: 0), FrontMatter.isRule(bytes[opening.text], ";") else {
      return false
    }
    var scanner = ByteCursor(bytes: bytes, position: opening.next)
    scanner.skipBlanks()
    if scanner.next == ";", let line = FrontMatter.line(bytes, from: scanner.position) {
      return FrontMatter.isRule(bytes[line.text], ";")
    }
    if scanner.skip("{") {
      scanner.skipBlanks()
      if scanner.next == "}" { return true }
    }
    guard scanner.skipString() else { return false }
    scanner.skipBlanks()
    return scanner.next == ":"
  }

  /// Returns the language after the dashes of the first line, if generators read it.
  private static func language(_ bytes: UnsafeRawBufferPointer) -> ForeignFrontMatter? {
    guard let opening = FrontMatter.line(bytes, from: 0), opening.text.count < 32,
      bytes[opening.text].starts(with: "---".utf8)
    else {
      return nil
    }
    let words = bytes[opening.text].dropFirst(3).split { $0 == 0x20 || $0 == 0x09 }
    guard words.count == 1 else { return nil }
    return switch String(decoding: words[0], as: UTF8.self).lowercased() {
    case "toml": .toml
    case "json", "json5", "jsonc", "hjson": .json
    case "js", "javascript": .javaScript
    case "coffee", "coffeescript", "cson": .coffeeScript
    case "ini": .ini
    case "yaml", "yml": .markedYAML
    default: nil
    }
  }

  /// True for a line `---`, a `key:` in the next line and an end line. A `---` alone may begin a text.
  private static func isYAML(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let found = FrontMatter(bytes)
    guard let yaml = found.yaml, let first = FrontMatter.line(bytes, from: yaml.lowerBound) else {
      return false
    }
    return FrontMatter.isKey(bytes[first.text])
  }

  private static func isAssignment(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let key = line[..<sign].drop { $0 == 0x20 || $0 == 0x09 }
    return key.contains { $0 > 0x20 }
      && key.allSatisfy {
        [0x20, 0x09, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "\"")].contains($0)
          || FrontMatter.isAlphanumeric($0)
      }
  }

  /// Returns true for a `{` that is empty or begins with `"key":`, and whose `}` is missing or ends its line:
  /// not for `{% include %}`, `{{< shortcode >}}`, `{: .class}` and `{"a": 1} as text`.
  private static func isJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var scanner = ByteCursor(bytes: bytes, position: 1)
    scanner.skipBlanks()
    if scanner.next == "}" { return scanner.isLineEnd(after: scanner.position) }
    guard scanner.skipString() else { return false }
    scanner.skipBlanks()
    guard scanner.next == ":" else { return false }
    guard let end = scanner.closingBrace() else { return true }
    return scanner.isLineEnd(after: end)
  }
}

extension ByteCursor {
  fileprivate mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Skips a string. Returns false if none begins here or if it does not end on this line.
  fileprivate mutating func skipString() -> Bool {
    guard skip("\"") else { return false }
    while let byte = next, byte != 0x0A, byte != 0x0D {
      position += 1
      if byte == "\"" { return true }
      if byte == "\\", position < bytes.count { position += 1 }
    }
    return false
  }

  fileprivate mutating func closingBrace() -> Int? {
    var depth = 1
    while let byte = next {
      switch byte {
      case "\"":
        if !skipString() { return nil }
        continue
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      default: break
      }
      if depth == 0 { return position }
      position += 1
    }
    return nil
  }

  fileprivate func isLineEnd(after index: Int) -> Bool {
    let rest = bytes[(index + 1)...].prefix { $0 != 0x0A && $0 != 0x0D }
    return rest.allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }
}
