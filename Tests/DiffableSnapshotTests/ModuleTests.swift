import Foundation
import Testing

/// The module imports nothing, not even Foundation, so it uses only the standard library.
@Suite struct ModuleTests {
  @Test func `the module imports nothing`() throws {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let sources = try files(below: top.appendingPathComponent("Sources/Core/DiffableSnapshot"))
    #expect(sources.count > 25)
    for source in sources { #expect(try imports(of: source) == [], "\(source.path)") }
    // The check finds the imports of this file.
    #expect(try imports(of: URL(fileURLWithPath: #filePath)) == ["Foundation", "Testing"])
    let manifest = try String(contentsOf: top.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(
      manifest.contains(
        #".target(name: "DiffableSnapshot", path: "Sources/Core/DiffableSnapshot", swiftSettings: strict)"#),
      "The target has a dependency.")
  }

  private func files(below folder: URL) throws -> [URL] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0) }
  }

  /// Returns the modules that a file imports, with any kind of import declaration.
  private func imports(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), words[..<place].allSatisfy({ !$0.hasPrefix("//") })
      else { return nil }
      return words.last.map { String($0) }
    }
  }
}
