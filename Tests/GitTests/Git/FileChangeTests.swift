import Files
import Testing

@testable import Git

@Suite struct FileChangeTests {
  private static let (a, b, none) = (
    String(repeating: "a", count: 40), String(repeating: "b", count: 40), String(repeating: "0", count: 40)
  )

  private func list(_ text: String, below folder: String = "") -> [String] {
    FileChange.list(Array(text.utf8), below: Array(folder.utf8)).map(pair)
  }

  private func pair(_ change: FileChange) -> String {
    "\(change.old?.path.description ?? "-") \(change.new?.path.description ?? "-")"
  }

  @Test func `the changes between two trees are parsed`() {
    let (a, b, none) = (FileChangeTests.a, FileChangeTests.b, FileChangeTests.none)
    let text =
      ":100644 100644 \(a) \(b) M\0c/x.yaml\0:000000 100644 \(none) \(b) A\0c/new\nline.yaml\0:100644 000000 \(a) \(none) D\0c/:gone\0"
      + ":100644 100755 \(a) \(b) R086\0c/old.yaml\0c/d/new.yaml\0:120000 100644 \(a) \(b) T\0c/link\0:160000 160000 \(a) \(b) M\0c/sub\0"
    #expect(
      list(text, below: "c") == [
        "x.yaml x.yaml", "- new%0Aline.yaml", ":gone -", "old.yaml d/new.yaml", "- link",
      ])
  }

  @Test func `truncated lines are skipped`() {
    for text in ["", "abc", ":100644 100644", ":100644 1\0p\0"] { #expect(list(text) == [], "\(text)") }
  }

  @Test func `commits are parsed from chunks of any size`() throws {
    let (a, b, none) = (FileChangeTests.a, FileChangeTests.b, FileChangeTests.none)
    let text =
      "\(a) 1700000000 \(b) \(b)\0n\0%aI\0merge\0\0::000000 100644 100644 \(none) \(a) \(b) AM\0x.yaml\0"
      + "\(b) 1600000000 \0: n\02020-01-01T00:00:00Z\0:\0\n:000000 100644 \(none) \(a) A\0x.yaml\0:000000 100644 \(none) \(a) A\0:y.yaml\0"
    let bytes = Array(text.utf8)
    for size in 1...bytes.count {
      var parser = CommitParser()
      var steps: [CommitStep] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        parser.add(Array(bytes[start..<min(bytes.count, start + size)]))
        while let step = try parser.next(below: []) { steps.append(step) }
      }
      if let step = parser.last() { steps.append(step) }
      #expect(steps.map(\.commit.subject) == ["merge", ":"], "\(size)")
      #expect(
        steps.map { $0.changes.map { $0.map(pair) } } == [
          [["- x.yaml"], ["x.yaml x.yaml"]], [["- x.yaml", "- :y.yaml"]],
        ])
      #expect(steps.first?.commit.date == "1970-01-01T00:00:00Z")
    }
  }
}
