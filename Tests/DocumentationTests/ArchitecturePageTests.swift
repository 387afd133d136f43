import Foundation
import Testing

/// What `docs/architecture.md` says is there, and what it leaves to the declarations is said there.
@Suite struct ArchitecturePageTests {
  private static func page() throws -> String {
    try MarkdownPage("docs/architecture.md").text
  }

  /// The Swift files of a folder of the package, by their names.
  private static func fileNames(in folder: String) -> Set<String> {
    let files = FileManager.default.enumerator(atPath: MarkdownPage.top.appendingPathComponent(folder).path)
    return Set(
      (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
        .map { String($0.split(separator: "/").last ?? "") })
  }

  /// The lines of all sources that have one of the words, each with the comment right before it.
  private static func lines(
    with words: String...
  ) throws -> [(file: String, comment: String, line: String)] {
    let folder = MarkdownPage.top.appendingPathComponent("Sources")
    var lines: [(file: String, comment: String, line: String)] = []
    for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      let all = text.split(separator: "\n", omittingEmptySubsequences: false)
      func isComment(_ line: Substring) -> Bool { line.drop { $0 == " " }.hasPrefix("//") }
      for (number, line) in all.enumerated()
      where words.contains(where: { line.utf8.contains($0.utf8) }) && !isComment(line) {
        let comment = all[..<number].reversed().prefix(while: isComment)
        lines.append((path, comment.reversed().joined(separator: "\n"), String(line)))
      }
    }
    return lines
  }

  @Test func `Every file that the page names exists`() throws {
    let names = Set(try Self.page().matches(of: /`([A-Za-z+]+\.swift)`/).map { String($0.output.1) })
    #expect(names.count > 40)
    let missing = names.subtracting(Self.fileNames(in: "Sources")).subtracting(Self.fileNames(in: "Tests"))
    #expect(missing.isEmpty)
  }

  @Test func `Every target is in the table of the layers`() throws {
    let manifest = try MarkdownPage("Package.swift").text
    let targets = manifest.matches(of: /path: "Sources\/[^"]*?([A-Za-z-]+)"/).map { String($0.output.1) }
      .filter { $0.wholeMatch(of: /C[A-Z].*/) == nil }
    #expect(targets.count > 12)
    let page = try Self.page()
    #expect(targets.filter { !page.contains("`\($0)`") }.isEmpty)
  }

  @Test func `Every lock says what it guards`() throws {
    let locks = try Self.lines(with: "Mutex").filter {
      $0.line.contains(/let [a-zA-Z]+(: Mutex<| = Mutex[(<])/)
    }
    #expect(locks.count > 8)
    #expect(locks.filter { !$0.comment.contains("Lock: ") }.map(\.file).isEmpty)
  }

  @Test func `Every queue says what it is for`() throws {
    let queues = try Self.lines(with: "QueueExecutor(", "DispatchQueue(").filter {
      $0.line.contains(#/(QueueExecutor\(|DispatchQueue\(label: )"[^"]+"/#)
    }
    #expect(queues.count > 8)
    #expect(queues.filter { !$0.comment.contains("Queue: ") }.map(\.file).isEmpty)
  }

  /// The page says so.
  @Test func `Nothing uses the shared pool`() throws {
    let calls = /(Task\.sleep|Task\.detached|DispatchQueue\.global|make(Read|Write)Source)\(/
    let uses = try Self.lines(with: "Task.", "DispatchQueue.", "Source(").filter { $0.line.contains(calls) }
    // The source of `QueueExecutor` reports on its own queue.
    #expect(uses.map { $0.file.split(separator: "/").last } == ["QueueExecutor.swift"])
  }

  @Test(arguments: [("From a saved file to a JSON line", 22), ("From `set` to bytes on the disk", 13)])
  func `A walk through the code goes through few files`(heading: String, limit: Int) throws {
    let page = try Self.page()
    let start = try #require(page.range(of: "## \(heading)\n"))
    let section = page[start.upperBound...].components(separatedBy: "\n## ")[0]
    let steps = section.components(separatedBy: "\n\n").filter { $0.contains(#/(^|\n)[0-9]+\. /#) }.joined()
    let files = Set(steps.matches(of: /`([A-Za-z+]+\.swift)`/).map { String($0.output.1) })
    #expect(files.count > 8)
    #expect(files.count <= limit)
  }

  @Test func `The page can be read in ten minutes`() throws {
    let lines = try Self.page().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 220)
  }
}
