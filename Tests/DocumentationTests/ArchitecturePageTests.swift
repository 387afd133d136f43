import Foundation
import Testing

/// The files and the types that `docs/architecture.md` names exist, and the walks through the code are as short as they are meant to be.
@Suite struct ArchitecturePageTests {
  private static let top: URL = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func page() throws -> String {
    try String(contentsOf: top.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
  }

  /// The names of all Swift files of a folder of the package.
  private static func fileNames(in folder: String) -> Set<String> {
    let files = FileManager.default.enumerator(atPath: top.appendingPathComponent(folder).path)
    return Set(
      (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.map { String($0.split(separator: "/").last ?? "") })
  }

  @Test func `Every file that the page names exists`() throws {
    let names = Set(try Self.page().matches(of: /`([A-Za-z+]+\.swift)`/).map { String($0.output.1) })
    #expect(names.count > 40)
    let missing = names.subtracting(Self.fileNames(in: "Sources")).subtracting(Self.fileNames(in: "Tests"))
    #expect(missing.isEmpty)
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
