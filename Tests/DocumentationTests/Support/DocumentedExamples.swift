import Foundation

/// A block of Swift code in a documentation comment.
struct DocumentedExample {
  /// The file, from the top of the package.
  let file: String
  /// The line at which the block begins.
  let line: Int
  /// The lines of code, without comments and imports.
  let code: [String]

  /// Returns the blocks of all documentation comments below `Sources/` of the library modules.
  static func all() throws -> [DocumentedExample] {
    try SourceFile.all(below: SourceDeclarations.folders).flatMap(examples)
  }

  private static func examples(in file: SourceFile) -> [DocumentedExample] {
    var examples: [DocumentedExample] = []
    var block: (line: Int, text: [String])?
    for (index, line) in file.lines.enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard line.hasPrefix("///") else {
        block = nil
        continue
      }
      let text = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
      if let (start, lines) = block, text.hasPrefix("```") {
        let code = DocumentationPage.code(lines.joined(separator: "\n"))
        examples.append(DocumentedExample(file: file.path, line: start, code: code))
        block = nil
      } else if block != nil {
        block?.text.append(text)
      } else if text == "```swift" {
        block = (index + 1, [])
      }
    }
    return examples
  }

  /// Returns true if `lines` of a test contain the code, line by line. A line of the test may be
  /// longer, as in `#expect(…)`, and further expectations may be in between; or the code is there as a
  /// whole, with other line breaks.
  func isContained(in lines: [String]) -> Bool {
    guard let first = code.first else { return true }
    return lines.indices.contains { lines[$0].contains(first) && isContained(in: lines[$0...]) }
      || DocumentationPage.unspaced(lines).contains(DocumentationPage.unspaced(code))
  }

  private func isContained(in lines: ArraySlice<String>) -> Bool {
    var rest = lines
    for line in code {
      while let next = rest.first, !next.contains(line), next.hasPrefix("#expect") { rest.removeFirst() }
      guard let next = rest.popFirst(), next.contains(line) else { return false }
    }
    return true
  }

  /// The test file to which a missing example is added.
  var place: String {
    if file.hasPrefix("Sources/Models/") { return "PlainStoreModelExamples.swift" }
    let module = file.split(separator: "/")[2]
    guard ["Folder", "Query", "Store"].contains(module) else { return "\(module)Examples.swift" }
    if file.contains("/Editing/") || file.contains("Saving") { return "PlainStoreEditingExamples.swift" }
    if file.contains("/Predicate/") { return "PlainStorePredicateExamples.swift" }
    return "PlainStoreListExamples.swift"
  }
}
