import DirectoryWatch
import Testing

@testable import GitHistory

@Suite struct FileChangeTests {
  private static let (a, b, none) = (
    String(repeating: "a", count: 40), String(repeating: "b", count: 40), String(repeating: "0", count: 40)
  )

  private func lists(_ text: String, below folder: String = "") -> [[String]] {
    FileChange.lists(Array(text.utf8), below: Array(folder.utf8)).map { list in
      list.map { change in "\(change.old?.path.description ?? "-") \(change.new?.path.description ?? "-")" }
    }
  }

  @Test func whatGitPrints() {
    let (a, b, none) = (FileChangeTests.a, FileChangeTests.b, FileChangeTests.none)
    let text = """
      \(a) \(b)
      :100644 100644 \(a) \(b) M\0c/x.yaml\0:000000 100644 \(none) \(b) A\0c/new\nline.yaml\0:100644 000000 \(a) \(none) D\0c/:gone\0\(b) \(a)
      \(a) \(a)
      :100644 100755 \(a) \(b) R086\0c/old.yaml\0c/d/new.yaml\0:120000 100644 \(a) \(b) T\0c/link\0:160000 160000 \(a) \(b) M\0c/sub\0
      """
    #expect(
      lists(text, below: "c") == [["x.yaml x.yaml", "- new%0Aline.yaml", ":gone -"], [], ["old.yaml d/new.yaml", "- link"]])
  }

  @Test func whatIsCutShort() {
    #expect(lists("") == [] && lists("abc") == [] && lists(":100644 100644") == [] && lists("x y\n:100644 1\0p\0") == [[]])
  }
}
