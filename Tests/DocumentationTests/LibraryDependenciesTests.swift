import Foundation
import Testing

/// A package that uses the libraries resolves only the packages that they need themselves. SwiftPM
/// leaves out a dependency that no product of the package uses.
///
/// `swift package show-dependencies` in a package that depends on this one prints the same, but
/// needs the network.
@Suite struct LibraryDependenciesTests {
  private static func manifest() throws -> String {
    try String(contentsOf: MarkdownPage.top.appendingPathComponent("Package.swift"), encoding: .utf8)
  }

  /// The part of the manifest that declares a target.
  private static func declaration(of target: Substring) throws -> String {
    let parts = try manifest().components(separatedBy: "arget(")
    return try #require(
      parts.first { $0.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("name: \"\(target)\"") })
  }

  @Test func `The program is not a product`() throws {
    #expect(!(try Self.manifest()).contains(".executable("))
  }

  @Test func `The libraries need no package of the program`() throws {
    var targets = try Self.manifest().matches(of: /\.library\(name: "([A-Za-z]+)"/).map { $0.output.1 }
    #expect(targets.count == 7)
    var seen: Set<Substring> = []
    var packages: Set<Substring> = []
    while let target = targets.popLast() {
      guard seen.insert(target).inserted, target != "CLibYAML" else { continue }
      let declaration = try Self.declaration(of: target)
      packages.formUnion(declaration.matches(of: /package: "([A-Za-z.-]+)"/).map { $0.output.1 })
      let names = declaration.matches(of: /"([A-Za-z]+)"/).map { $0.output.1 }
      let all = try Self.manifest()
      targets += names.filter { name in
        name != target && all.contains("arget(\n      name: \"\(name)\"")
          || all.contains("arget(name: \"\(name)\"")
      }
    }
    #expect(seen.contains("Files"))
    #expect(packages == ["swift-collections", "swift-system"])
  }
}
