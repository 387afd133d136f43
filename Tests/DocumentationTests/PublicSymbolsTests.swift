import Testing

/// Each symbol that `import PlainStore` shows is a decision, and documented.
struct PublicSymbolsTests {
  /// The list; one line for each declaration, so the same name is there once for each overload.
  private static let list = "Tests/DocumentationTests/PublicSymbols.txt"

  @Test func `the public symbols are those of the list`() throws {
    let found = try PublicSymbols.all().map(\.name)
    let listed = try MarkdownPage(PublicSymbolsTests.list).text.split(separator: "\n").map(String.init)
    for change in found.difference(from: listed) {
      switch change {
      case .insert(_, let name, _):
        Issue.record("\(name) is new: make it `package`, or add a line to \(PublicSymbolsTests.list)")
      case .remove(_, let name, _):
        Issue.record("\(name) is missing: remove a line from \(PublicSymbolsTests.list)")
      }
    }
    #expect(found.count > 200)
    #expect(found.count <= 400)
  }

  @Test func `each public symbol has a documentation comment`() throws {
    for symbol in try PublicSymbols.all() where !symbol.isDocumented {
      Issue.record("\(symbol.place): \(symbol.name) needs a comment right above it")
    }
  }
}
