import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Packaging

/// The manual pages of the built program and of `docs`.
@Suite(.timeLimit(.minutes(3))) struct ManualTests {
  private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Writes all pages to a new folder.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (page, inline) in try manual().pages() {
      try folder.write(page.source(date: "November 22, 2026", inline), to: "man\(page.name.section)/\(page.name.file)")
    }
    return folder
  }

  private static func manual() throws -> Manual {
    let docs = top.appendingPathComponent("docs")
    var pages: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: docs.path) where file.hasSuffix(".md") {
      pages[file] = try String(contentsOf: docs.appendingPathComponent(file), encoding: .utf8)
    }
    return Manual(try DescribedProgram(path: BuiltProgram.path).command(), docs: pages)
  }

  @Test(.enabled(if: Machine.has("mandoc"), "needs mandoc")) func `mandoc finds no fault with any page`() throws {
    // A reference to a page of another package is reported if that package is not installed.
    let faults = try Self.folder().shell("mandoc -M \"$PWD\" -T lint man?/* 2>&1 | grep -v 'referenced manual not found' || :")
    #expect(faults.isEmpty, "\(faults)")
  }

  @Test func `there is a page for each command, the stream and the settings`() throws {
    let names = try Set(Self.manual().pages().map(\.page.name.file))
    let help = try Shell.run("'\(BuiltProgram.path)' --help", in: "/")
    let commands =
      help.split(separator: "\nSUBCOMMANDS:\n").last?.matches(of: #/(?m)^  ([a-z]+) /#).map { "notes-watch-\($0.output.1).1" } ?? []
    #expect(commands.count > 11)
    #expect(names.isSuperset(of: commands))
    #expect(names.isSuperset(of: ["notes-watch.1", "notes-watch-stream.7", "notes-watch.yaml.5"]))
  }

  @Test func `links to other pages name their manual pages`() throws {
    let source = String(decoding: try Self.folder().bytes(of: "man7/notes-watch-serve.7"), as: UTF8.self)
    #expect(source.contains("(\\fBnotes\\-watch\\-http\\fP(7))"))
    #expect(!source.contains(".md"))
  }

  @Test func `each option of the help is on the page of its command`() async throws {
    let folder = try Self.folder()
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/man1").filter { $0.hasPrefix("notes-watch-") }
    let counts = Mutex<[Int]>([])
    try await concurrently(names) { name in
      let command = name.dropFirst("notes-watch-".count).dropLast(".1".count)
      let help = try Shell.run("'\(BuiltProgram.path)' \(command) --help", in: "/")
      let source = String(decoding: try folder.bytes(of: "man1/\(name)"), as: UTF8.self).replacing("\\-", with: "-")
      let options = help.matches(of: #/(?m)^  (?:-., )?-(-[a-z-]+)(\[=)?/#)
      for option in options {
        #expect(source.contains("Fl \(option.output.1)\(option.output.2 == nil ? "" : " Ns Oo Ns =")"), "\(name)")
      }
      counts.withLock { $0.append(options.count) }
    }
    #expect(counts.withLock { $0.reduce(0, +) } > 60)
  }

  @Test(.enabled(if: Machine.has("mandoc"), "needs mandoc"), arguments: Randomness.seeds(1))
  func `a page shows every character of a text`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = [
      ".", "'", "\\", "\\&", ".Sh", "Pp", "El", "\"", "a", "-x", "--long", "\\fB", "\\n", "é", "…", "漢", "%", "~", "^", "``", "T{", "!",
      "?", "|", ".\\\"",
    ]
    let texts = (0..<200).map { _ in (0...random.below(6)).map { _ in random.one(of: words) }.joined(separator: random.oneIn(2) ? " " : "")
    }
    var writer = MdocWriter(InlineText { _ in nil })
    writer.code(texts)
    let page = ".Dd November 22, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd x\n.Sh DESCRIPTION\n\(writer.text)"
    let folder = try TemporaryFolder(["x.1": page])
    let shown = try folder.shell("LC_ALL=C.UTF-8 && export LC_ALL && mandoc -T utf8 -O width=1000 x.1 | col -bx").split(separator: "\n").map
    {
      $0.trimmingPrefix { $0 == " " }
    }
    let start = try #require(shown.firstIndex(of: "DESCRIPTION"))
    let end = start + 1 + texts.count { !$0.allSatisfy { $0 == " " } }
    #expect(shown[(start + 1)..<min(end, shown.count)].map(String.init) == texts, "\(seedNote(seed))")
  }
}
