import Foundation
import Testing

@testable import Files

/// The files and the types that `docs/architecture.md` names exist, and the walks through the code are as short as they are meant to be.
@Suite struct ArchitecturePageTests {
  private static func page() throws -> String {
    try MarkdownPage("docs/architecture.md").text
  }

  /// The names of all Swift files of a folder of the package.
  private static func fileNames(in folder: String) -> Set<String> {
    let files = FileManager.default.enumerator(atPath: MarkdownPage.top.appendingPathComponent(folder).path)
    return Set(
      (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.map { String($0.split(separator: "/").last ?? "") })
  }

  @Test func `Every file that the page names exists`() throws {
    let names = Set(try Self.page().matches(of: /`([A-Za-z+]+\.swift)`/).map { String($0.output.1) })
    #expect(names.count > 40)
    let missing = names.subtracting(Self.fileNames(in: "Sources")).subtracting(Self.fileNames(in: "Tests"))
    #expect(missing.isEmpty)
  }

  /// The first groups of all matches of a regular expression in the sources, each with the name of its file.
  private static func sources(matching pattern: Regex<(Substring, Substring)>) throws -> [(file: String, match: String)] {
    let folder = MarkdownPage.top.appendingPathComponent("Sources")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.flatMap { path in
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      return text.matches(of: pattern).map { (String(path.split(separator: "/").last ?? ""), String($0.output.1)) }
    }
  }

  @Test func `The page lists every queue`() throws {
    let page = try Self.page()
    let labels = Set(try Self.sources(matching: /(?:QueueExecutor\(|DispatchQueue\(label: )"([^"]+)"/).map(\.match))
    #expect(labels.count > 8)
    #expect(labels.filter { !page.contains("`\($0)`") }.isEmpty)
  }

  @Test func `The page lists every type that has a lock`() throws {
    let page = try Self.page()
    let files = Set(try Self.sources(matching: /let ([a-zA-Z]+)(?:: Mutex<| = Mutex[(<])/).map(\.file))
    #expect(files.count > 8)
    let types = files.map { $0.split { $0 == "+" || $0 == "." }[0] }
    #expect(types.filter { !page.contains("`\($0)") }.isEmpty)
  }

  /// The page says so. The tasks of an observable object are for programs with a user interface.
  @Test func `Nothing uses the shared pool`() throws {
    let uses = try Self.sources(matching: /\n *[^ \/][^\n]*(Task\.sleep|Task\.detached|DispatchQueue\.global|make(?:Read|Write)Source)\(/)
    #expect(uses.map(\.file).filter { $0 != "OwnedTask.swift" }.isEmpty)
    #expect(uses.map(\.file) == ["OwnedTask.swift"])
  }

  @Test(arguments: [("From a saved file to a JSON line", 25), ("From `set` to bytes on the disk", 20)])
  func `A walk through the code goes through few files`(heading: String, limit: Int) throws {
    let page = try Self.page()
    let start = try #require(page.range(of: "## \(heading)\n"))
    let section = page[start.upperBound...].components(separatedBy: "\n## ")[0]
    let steps = section.matches(of: /(?:^|\n)[0-9]+\. `/).count
    #expect(steps > 10)
    #expect(steps <= limit)
  }
}
