import Printing
import TestSupport
import Testing

@Suite struct UnifiedDiffTests {
  private func diff(_ old: String?, _ new: String?, _ path: String = "a.yaml") -> String {
    let diff = UnifiedDiff(
      of: Array(path.utf8), from: old.map { Array($0.utf8) }, to: new.map { Array($0.utf8) })
    return String(decoding: diff.bytes, as: UTF8.self)
  }

  private let head = "diff --git a/a.yaml b/a.yaml\n"
  private let names = "--- a/a.yaml\n+++ b/a.yaml\n"

  @Test func `equal versions have no diff`() {
    #expect(diff("a\n", "a\n").isEmpty)
    #expect(diff("", "").isEmpty)
    #expect(diff(nil, nil).isEmpty)
  }

  @Test func `a changed line is a removed and an added line`() {
    #expect(diff("a\nb\nc\n", "a\nx\nc\n") == head + names + "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n")
    #expect(diff("a\n", "b\n") == head + names + "@@ -1 +1 @@\n-a\n+b\n")
  }

  @Test func `a change has three lines of context`() {
    let old = (1...20).map { "\($0)\n" }
    var new = old
    new[9] = "x\n"
    #expect(
      diff(old.joined(), new.joined()) == head + names
        + "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+x\n 11\n 12\n 13\n")
    new[16] = "y\n"
    #expect(diff(old.joined(), new.joined()).components("@@ -") == 1, "The contexts of both changes touch.")
    new[16] = "17\n"
    new[17] = "y\n"
    #expect(diff(old.joined(), new.joined()).components("@@ -") == 2)
  }

  @Test func `new, deleted and empty files are compared with /dev/null`() {
    #expect(
      diff(nil, "a\n") == head + "new file mode 100644\n--- /dev/null\n+++ b/a.yaml\n@@ -0,0 +1 @@\n+a\n")
    #expect(
      diff("a\n", nil) == head + "deleted file mode 100644\n--- a/a.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
    #expect(diff(nil, "") == head + "new file mode 100644\n")
    #expect(diff("", "a\n") == head + names + "@@ -0,0 +1 @@\n+a\n")
  }

  @Test func `a missing line break at the end is marked`() {
    #expect(
      diff("a\nb", "a\nb\n") == head + names + "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n")
    #expect(
      diff("a", "b") == head + names
        + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n")
  }

  @Test func `paths are quoted as by git`() {
    #expect(
      diff("a\n", "b\n", "x\t\"é.md").hasPrefix(
        "diff --git \"a/x\\t\\\"\\303\\251.md\" \"b/x\\t\\\"\\303\\251.md\"\n"))
    #expect(diff("a\n", "b\n", "a b.md").contains("--- a/a b.md\t\n+++ b/a b.md\t\n"))
  }

  /// `git apply` turns the old versions into the new ones.
  @Test(.enabled(if: Machine.has("git"), "git is not installed"), arguments: Randomness.seeds(12))
  func `git applies a diff of many files`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var patch: [UInt8] = []
    var wanted: [String: [UInt8]] = [:]
    for name in ["plain.yaml", "a b.md", "é\t\"\\.json", "deep/down/x.yaml", "new.yaml", "gone.yaml"] {
      let old: [UInt8]? = name == "new.yaml" ? nil : UnifiedDiffTests.text(&random)
      let new: [UInt8]? = name == "gone.yaml" ? nil : UnifiedDiffTests.edited(old ?? [], &random)
      if let old { try folder.write(old, to: name) }
      wanted[name] = new
      patch += UnifiedDiff(of: Array(name.utf8), from: old, to: new).bytes
    }
    #expect(!patch.isEmpty)
    try folder.write(patch, to: "all.patch")
    try folder.shell("git init -q .; git apply --whitespace=nowarn all.patch")
    for (name, text) in wanted { #expect(try folder.bytes(of: name) == text, "\(name): \(seedNote(seed))") }
    #expect(throws: (any Error).self, "\(seedNote(seed))") { try folder.bytes(of: "gone.yaml") }
  }

  private static func line(_ random: inout SeededGenerator) -> String {
    random.one(of: [
      "", "a", "b", "c", "--- a", "+++ b", "@@ -1 +1 @@", "\\ No newline", "é", "k: v\r", "\u{1B}[31m",
    ])
  }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    let lines = (0..<random.below(30)).map { _ in line(&random) }
    return Array((lines.joined(separator: "\n") + (random.oneIn(3) ? "." : "\n")).utf8)
  }

  private static func edited(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    for _ in 0..<random.below(5) {
      let place = random.below(lines.count + 1)
      if random.oneIn(2), place < lines.count {
        lines.remove(at: place)
      } else {
        lines.insert(Array(line(&random).utf8), at: place)
      }
    }
    return Array(lines.joined(separator: [0x0A]))
  }
}

extension String {
  fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
