import Foundation

/// The Swift code of a page of documentation, to be compared with a test file that contains the
/// same code. So a test fails if an example no longer compiles, or no longer does what the page
/// says.
struct DocumentationPage {
  /// Its lines of code, without comments and imports.
  let lines: [String]

  /// - Parameters:
  ///   - path: the page, from the top of the package.
  ///   - test: the `#filePath` of a test that is two folders below the top.
  init(_ path: String, below test: String) throws {
    let top = URL(fileURLWithPath: test).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: top.appendingPathComponent(path), encoding: .utf8)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    lines = blocks.flatMap(DocumentationPage.code)
  }

  /// Returns the first line that a test file does not contain after the lines before it; nil if it
  /// contains all of them in this order. The formatter may have broken the lines of the test.
  func firstLineMissing(in test: String) throws -> String? {
    let code = DocumentationPage.code(try String(contentsOfFile: test, encoding: .utf8))
    var rest = DocumentationPage.unspaced(code)[...]
    for line in lines {
      guard let place = rest.range(of: DocumentationPage.unspaced([line])) else { return line }
      rest = rest[place.lowerBound...]
    }
    return nil
  }

  /// Returns lines of code as one line without blanks, and without the comma that the formatter adds
  /// to the last line of a list.
  static func unspaced(_ lines: [String]) -> String {
    lines.joined().filter { !$0.isWhitespace }.replacing(",]", with: "]")
  }

  static func code(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      line.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty && !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
  }
}
