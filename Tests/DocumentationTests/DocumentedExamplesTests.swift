import Foundation
import Testing

/// The examples in documentation comments are compiled, because each is also in a test file.
struct DocumentedExamplesTests {
  @Test func `every example of a documentation comment is compiled`() throws {
    let examples = try DocumentedExample.all()
    #expect(examples.count > 50)
    let tests = try SourceFile.all(below: ["Tests/DocumentationTests"])
      .filter { !$0.path.contains("/Support/") }.map {
        DocumentationPage.code($0.lines.joined(separator: "\n"))
      }
    for example in examples where !tests.contains(where: example.isContained) {
      Issue.record(
        """
        \(example.file):\(example.line): This example is in no test. Copy its lines into a function of \
        Tests/DocumentationTests/Examples/\(example.place), so that it is compiled:
        \(example.code.joined(separator: "\n"))
        """)
    }
  }

  @Test func `an example is contained in a test line by line`() {
    let example = DocumentedExample(
      file: "Sources/Ground/Values/A.swift", line: 1, code: ["let a = 1", "f(a)", "}"])
    #expect(example.isContained(in: ["let b = 0", "let a = 1", "#expect(f(a))", "#expect(a == 1)", "}"]))
    #expect(!example.isContained(in: ["let a = 1", "g(a)", "f(a)", "}"]))
    #expect(!example.isContained(in: ["let a = 1", "f(a)"]))
    #expect(example.isContained(in: ["let a = 1", "g(a)", "let a = 1", "f(a)", "}"]))
  }
}
