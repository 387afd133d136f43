#if DEBUG
  import Query
  import TestSupport
  import Testing
  import TextEdits
  import Values

  @testable import Store

  /// The number of passes over a text that a save costs.
  @Suite struct ItemEditorReadsTests {
    /// The reads and locations of a save, without those of the folder's settings.
    private func passes(_ text: String, _ change: (inout EditScope) -> Void) throws -> [Int] {
      let folder = try TemporaryFolder(["a.yaml": text])
      let editor = try ItemEditor(root: folder.path)
      var scope = EditScope()
      change(&scope)
      let counter = ReadCounter()
      let report = try ReadCounter.$current.withValue(counter) { try editor.saveEach(scope) }
      try report.check()
      return [counter.counts.reads, counter.counts.locations]
    }

    @Test func `an edit reads the old text once, locates it once and reads the new text once`() throws {
      #expect(try passes("k: 1 # one\n") { $0.update("a", [.set("k", 2)]) } == [2, 1])
      #expect(
        try passes("k: 1 # one\nl: 2\n") { $0.update("a", [.set("k", 2), .set("l", 3), .remove("k")]) } == [
          3, 2,
        ])
    }

    @Test func `an edit that changes nothing reads the old text once`() throws {
      #expect(try passes("k: 1 # one\n") { $0.update("a", [.set("k", 1)]) } == [1, 0])
    }

    @Test func `a new text is read once, and the old text once`() throws {
      #expect(try passes("k: 1\n") { $0.replace("a", with: Array("k: 2\n".utf8)) } == [2, 0])
    }

    @Test func `a deletion reads the old text once`() throws {
      #expect(try passes("k: 1\n") { $0.delete("a") } == [1, 0])
    }
  }
#endif
