import Files
import Store
import TestSupport
import Testing
import Values

@testable import Git

@Suite struct RenamedItemsTests {
  private func state(_ files: [String: String]) throws -> StoreState {
    let findings = try files.map { path, text in
      let fields = try PackedValue(reading: text, as: .yaml)
      return (
        path: RelativePath(bytes: path.utf8),
        finding: FileFinding.item(FileStamp(size: 0, at: .init(seconds: 0, nanoseconds: 0)), fields)
      )
    }
    return StoreState(findings, settings: Settings(), idFields: nil)
  }

  private func names(_ old: [String: String], _ new: [String: String]) throws -> [String: String] {
    let names = RenamedItems(from: try state(old), to: try state(new)).names
    return Dictionary(uniqueKeysWithValues: names.map { ($0.key.description, $0.value.description) })
  }

  @Test func `a removed and an added item of equal values are one item`() throws {
    #expect(try names(["a.yaml": "n: 1\n"], ["b.yaml": "{n: 1}\n"]) == ["a": "b"])
    #expect(try names(["a.yaml": "n: 1\n"], ["a.yaml": "n: 2\n", "b.yaml": "n: 1\n"]) == [:])
    #expect(try names(["a.yaml": "{}\n"], ["b.yaml": "{}\n"]) == [:])
    // Equal items are paired by their names.
    #expect(
      try names(["x/a.yaml": "n: 1\n", "x/b.yaml": "n: 1\n"], ["y/b.yaml": "n: 1\n", "y/a.yaml": "n: 1\n"])
        == ["x/a": "y/a", "x/b": "y/b"])
    #expect(try names(["a.yaml": "n: 1\n", "b.yaml": "n: 1\n"], ["c.yaml": "n: 1\n"]) == ["a": "c"])
  }

  @Test func `a removed and an added item that share at least half are one item`() throws {
    let title = "title: A title that says much\nauthor: Ada\n"
    #expect(try names(["a.yaml": title + "n: 1\n"], ["b.yaml": title + "n: 2\nnew: field\n"]) == ["a": "b"])
    #expect(
      try names(["a.yaml": title], ["b.yaml": "title: Something else altogether\nauthor: Ada\n"]) == [:])
    // The most similar items are paired first.
    #expect(
      try names(
        ["a.yaml": title + "n: 1\n"],
        ["b.yaml": title + "other: value\nnext: value\n", "c.yaml": title + "n: 2\n"]) == ["a": "c"])
    #expect(
      try names(
        ["a.yaml": "body: |\n  one line\n  two lines\n  three lines\n"],
        ["b.yaml": "body: |\n  one line\n  two lines\n"]) == [
          "a": "b"
        ])
  }

  @Test func `many similar items are paired by their unique values`() throws {
    let old = Dictionary(
      uniqueKeysWithValues: (0..<2_000).map {
        ("old/\($0).yaml", "done: false\nnumber: \($0)\nword: w\($0)\n")
      })
    let new = Dictionary(
      uniqueKeysWithValues: (0..<2_000).map {
        ("new/\($0).yaml", "done: true\nnumber: \($0)\nword: w\($0)\n")
      })
    let names = try names(old, new)
    #expect(names.count == 2_000)
    #expect(names.filter { $0.key.dropFirst(4) != $0.value.dropFirst(4) } == [:])
  }
}
