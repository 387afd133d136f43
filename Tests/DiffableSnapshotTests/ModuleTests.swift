import Foundation
import Testing

/// The module is pure Swift: it imports nothing, Foundation least of all, so that nothing but the standard library can be in it.
@Suite struct ModuleTests {
  @Test func theModuleImportsNothing() throws {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let sources = try files(below: top.appendingPathComponent("Sources/DiffableSnapshot"))
    #expect(sources.count > 25)
    for source in sources { #expect(try imports(of: source) == [], "\(source.path)") }
    // The same look finds those of this file.
    #expect(try imports(of: URL(fileURLWithPath: #filePath)) == ["Foundation", "Testing"])
    let manifest = try String(contentsOf: top.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(manifest.contains(#".target(name: "DiffableSnapshot", swiftSettings: strict)"#), "it depends on another target")
  }

  private func files(below folder: URL) throws -> [URL] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0) }
  }

  /// The modules that a file imports, however the import is written.
  private func imports(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), words[..<place].allSatisfy({ !$0.hasPrefix("//") }) else { return nil }
      return words.last.map { String($0) }
    }
  }
}
