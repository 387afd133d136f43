import Foundation

/// The Swift code of a page of documentation, and whether a test file does the same: so examples that no longer compile or hold are noticed.
struct DocumentationPage {
  /// Its lines of code, without comments.
  let lines: [String]

  /// - Parameters:
  ///   - path: from the top of the package.
  ///   - test: the `#filePath` of a test two folders below it.
  init(_ path: String, below test: String) throws {
    let top = URL(fileURLWithPath: test).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: top.appendingPathComponent(path), encoding: .utf8)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    lines = blocks.flatMap(DocumentationPage.code)
  }

  /// The first line that the test file does not have behind those before it, perhaps within a line of its own; nil where it has them all.
  func firstLineMissing(in test: String) throws -> String? {
    var rest = DocumentationPage.code(try String(contentsOfFile: test, encoding: .utf8))[...]
    for line in lines {
      guard let place = rest.firstIndex(where: { $0.contains(line) }) else { return line }
      rest = rest[place...]
    }
    return nil
  }

  private static func code(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      line.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
  }
}
