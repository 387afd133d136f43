import Foundation

/// The public declarations that `import PlainStore` shows, read from the sources: those of the types that it
/// exports, and those that the library adds to types of others.
///
/// It relies on the formatting, as `SourceDeclarations` does.
struct PublicSymbols {
  struct Symbol {
    /// The name with its type and its labels: `ItemStore.rename(_:to:)`.
    let name: String
    /// The file and the line.
    let place: String
    let isDocumented: Bool
  }

  /// A type or an extension, and the column at which it begins.
  private struct Scope {
    let indent: Int
    let name: String
    let keyword: String
    let isPublic: Bool
  }

  private static let types: Set = ["struct", "enum", "class", "actor", "extension", "protocol"]
  private static let members: Set = [
    "func", "var", "let", "init", "subscript", "typealias", "associatedtype", "case",
  ]
  private static let modifiers: Set = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect", "static", "mutating",
    "nonmutating", "convenience", "required", "override", "nonisolated", "lazy", "weak", "unowned",
    "isolated",
  ]

  private var found: [(owner: String, name: String, place: String, isDocumented: Bool)] = []
  /// All types of the library; true for the public ones.
  private var declared: [String: Bool] = [:]

  /// Returns the symbols in the order of their names.
  static func all() throws -> [Symbol] {
    let exports = try MarkdownPage("Sources/PlainStore/PlainStore.swift").text
    let exported = Set(exports.matches(of: /@_exported public import \w+ \w+\.(\w+)/).map(\.output.1))
    var symbols = PublicSymbols()
    let folders = SourceDeclarations.folders.filter { $0 != "Sources/Streams" }
    for file in try SourceFile.all(below: folders) { symbols.read(file) }
    let own = Set(symbols.declared.keys.map { $0.prefix { $0 != "." } })
    return symbols.found.filter { symbol in
      let root = symbol.owner.prefix { $0 != "." }
      return !own.contains(root) || exported.contains(root) && symbols.declared[symbol.owner] == true
    }
    .map { Symbol(name: "\($0.owner).\($0.name)", place: $0.place, isDocumented: $0.isDocumented) }
    .sorted { $0.name < $1.name }
  }

  private mutating func read(_ file: SourceFile) {
    var scopes: [Scope] = []
    for (index, line) in file.lines.enumerated() {
      let words = line.split(separator: " ")
      let start = words.prefix { word in
        word.first == "@" || PublicSymbols.modifiers.contains(String(word.prefix { $0 != "(" }))
      }
      guard let first = words.dropFirst(start.count).first else { continue }
      let (keyword, rest) = (first.prefix(while: \.isLetter), words[start.count...].joined(separator: " "))
      let isType = PublicSymbols.types.contains(String(first))
      guard isType || PublicSymbols.members.contains(String(keyword)) else { continue }
      let indent = line.prefix { $0 == " " }.count
      while let last = scopes.last, last.indent >= indent { scopes.removeLast() }
      let owner = scopes.map(\.name).joined(separator: ".")
      var isPublic = start.contains("public")
      let text = rest.dropFirst(keyword.count).trimmingCharacters(in: .whitespaces)
      var names = [PublicSymbols.identifier(text)]
      if isType {
        if keyword != "extension" {
          let name = (scopes.map(\.name) + names).joined(separator: ".")
          declared[name] = isPublic || declared[name] == true
        }
        scopes.append(Scope(indent: indent, name: names[0], keyword: String(keyword), isPublic: isPublic))
        isPublic = isPublic && keyword != "extension" && !owner.isEmpty
      } else if let scope = scopes.last {
        let isImplied = scope.keyword == "protocol" || scope.keyword == "enum" && keyword == "case"
        isPublic = isPublic || isImplied && scope.isPublic && indent == scope.indent + 2
        let more = file.lines[index...].dropFirst().prefix(11).joined(separator: " ")
        names = PublicSymbols.names(keyword, text, more)
      } else {
        continue
      }
      guard isPublic else { continue }
      let above = file.lines[..<index].last { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("@") }
      let isDocumented = above?.trimmingCharacters(in: .whitespaces).hasPrefix("///") ?? false
      for name in names where !PublicSymbols.isConformance(name, of: owner) {
        found.append((owner, name, "\(file.path):\(index + 1)", isDocumented))
      }
    }
  }

  /// What a conformance to a protocol of the standard library says already.
  private static let conformances: Set = [
    "==", "<", "description", "debugDescription", "startIndex", "endIndex", "makeIterator()", "hash(into:)",
    "makeAsyncIterator()", "AsyncIterator", "StringInterpolation", "Element", "Failure", "Value",
    "next(isolation:)", "encode(to:)", "init(from:)", "init(stringInterpolation:)", "errorDescription",
    "subscript(position:)",
  ]

  private static func isConformance(_ name: String, of owner: String) -> Bool {
    conformances.contains(name) || name.wholeMatch(of: /init\(\w+Literal:\)/) != nil
      || owner.contains("AsyncIterator") || owner.contains("StringInterpolation")
  }

  private static func identifier(_ text: String) -> String {
    String(text.prefix { $0.isLetter || $0.isNumber || "_.`".contains($0) })
  }

  /// Returns the names that a line declares, with their labels.
  private static func names(_ keyword: Substring, _ text: String, _ more: String) -> [String] {
    switch keyword {
    case "case": return parts(text).map { identifier($0) + ($0.contains("(") ? labels($0) : "") }
    case "init", "subscript": return [keyword + labels("\(text) \(more)")]
    case "func":
      let name = identifier(text)
      return [name.isEmpty ? String(text.prefix { $0 != " " }) : name + labels("\(text) \(more)")]
    default: return [identifier(text)]
    }
  }

  /// Returns the labels of the first parameters in a text: `(_:to:)`.
  private static func labels(_ text: String) -> String {
    var depth = 0
    let end = text.drop { $0 != "(" }.prefix { character in
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      return depth > 0
    }
    let labels = parts(String(end.dropFirst())).map { part in
      part.contains(":") ? part.prefix { $0 != " " && $0 != ":" } : "_"
    }
    return "(\(labels.map { "\($0):" }.joined()))"
  }

  /// Returns what commas separate, except those in brackets.
  private static func parts(_ text: String) -> [String] {
    var depth = 0
    return text.replacing("->", with: "").split { character in
      depth += "([{<".contains(character) ? 1 : ")]}>".contains(character) ? -1 : 0
      return character == "," && depth == 0
    }
    .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
