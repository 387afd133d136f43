import Foundation

/// The public types of the library modules and what they conform to, read from their sources.
///
/// It relies on the formatting: a declaration begins on a line of its own, and what is nested in it
/// is indented.
struct SourceDeclarations {
  struct PublicType {
    let name: String
    /// The keyword, such as `struct`.
    let kind: String
    let file: String
    let indent: Int
    /// True for an enumeration whose cases carry values.
    var hasPayload = false
  }

  /// The folders of what a user imports.
  static let folders = ["Sources/Ground", "Sources/Core", "Sources/Models", "Sources/Streams"]

  private(set) var types: [PublicType] = []
  private var conformances: [String: Set<String>] = [:]

  init() throws {
    for file in try SourceFile.all(below: SourceDeclarations.folders) { read(file) }
  }

  /// Returns true if a type, or a protocol that it conforms to, names a protocol.
  func conforms(_ type: String, to name: String) -> Bool {
    conformances[type]?.contains { $0 == name || $0 != type && conforms($0, to: name) } ?? false
  }

  private mutating func read(_ file: SourceFile) {
    var open: [(indent: Int, name: String)] = []
    for (index, line) in file.lines.enumerated() {
      let indent = line.prefix { $0 == " " }.count
      let words = line.split(whereSeparator: { " (".contains($0) })
      if words.first == "case", words.count > 2, !words[1].hasPrefix("."), line.contains("case \(words[1])("),
        let place = types.indices.last, types[place].file == file.path, types[place].indent + 2 == indent
      {
        types[place].hasPayload = true
      }
      guard let keyword = words.firstIndex(where: { SourceDeclarations.keywords.contains(String($0)) }),
        words[..<keyword].allSatisfy({ SourceDeclarations.modifiers.contains(String($0)) }),
        keyword + 1 < words.count
      else { continue }
      while let last = open.last, last.indent >= indent { open.removeLast() }
      let name = String(words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
      let fullName = (open.map(\.name) + [name]).joined(separator: ".")
      open.append((indent, name))
      conformances[fullName, default: []].formUnion(SourceDeclarations.inherited(file.lines[index...]))
      let kind = String(words[keyword])
      if words[..<keyword].contains("public"), kind != "extension", kind != "protocol" {
        types.append(PublicType(name: fullName, kind: kind, file: file.path, indent: indent))
      }
    }
  }

  private static let keywords: Set<String> = ["struct", "enum", "class", "actor", "extension", "protocol"]
  private static let modifiers: Set<String> = [
    "public", "package", "final", "indirect", "@MainActor", "@Observable", "private", "fileprivate",
  ]

  /// Returns the names after the colon of a declaration.
  private static func inherited(_ lines: ArraySlice<String>) -> [String] {
    let head = lines.prefix(6).joined(separator: " ").components(separatedBy: "{")[0].components(
      separatedBy: " where ")[0]
    // A colon in angle brackets belongs to a generic parameter.
    var depth = 0
    guard
      let colon = head.firstIndex(where: {
        depth += $0 == "<" ? 1 : $0 == ">" ? -1 : 0
        return $0 == ":" && depth == 0
      })
    else { return [] }
    return head[head.index(after: colon)...].components(separatedBy: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }
}

/// A Swift file of the package.
struct SourceFile {
  /// The path from the top of the package.
  let path: String
  let lines: [String]

  /// Returns the Swift files below folders, in the order of their paths.
  static func all(below folders: [String]) throws -> [SourceFile] {
    let top = MarkdownPage.top
    return try folders.flatMap { folder -> [SourceFile] in
      let names =
        FileManager.default.enumerator(atPath: top.appendingPathComponent(folder).path)?.compactMap {
          $0 as? String
        } ?? []
      return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
        let text = try String(contentsOf: top.appendingPathComponent("\(folder)/\(name)"), encoding: .utf8)
        return SourceFile(path: "\(folder)/\(name)", lines: text.components(separatedBy: "\n"))
      }
    }
  }
}
