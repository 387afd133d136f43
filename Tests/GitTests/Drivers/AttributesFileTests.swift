import TestSupport
import Testing

@testable import Git

@Suite struct AttributesFileTests {
  private func text(_ file: AttributesFile) -> String { String(decoding: file.bytes, as: UTF8.self) }

  @Test(arguments: ["", "*.txt text\n", "no line break", "\n\n", "# notes-watch begins: other\n*.yaml x\n"])
  func `removing the blocks restores the text`(text: String) {
    var file = AttributesFile(Array(text.utf8))
    for folder in ["", "contacts", "two words", "a*b[c]?"] {
      file.add(Array(folder.utf8), withDiff: folder == "contacts")
    }
    let all = file
    file.add(Array("contacts".utf8), withDiff: true)
    #expect(file.bytes.count == all.bytes.count)
    #expect(file.hasBlocks)
    for folder in ["two words", "", "contacts", "a*b[c]?"] {
      #expect(file.has(Array(folder.utf8)))
      file.remove(Array(folder.utf8))
      #expect(!file.has(Array(folder.utf8)))
      #expect(
        file.hasDiffBlocks == file.has(Array("contacts".utf8)),
        "only the block of contacts has the diff driver")
    }
    #expect(self.text(file) == text)
  }

  @Test func `a block says whether its folder uses the diff driver`() {
    var file = AttributesFile(Array("*.txt diff=notes-watch\n".utf8))
    #expect(!file.hasDiffBlocks, "people wrote this line")
    let (first, second) = (Array("a".utf8), Array("b".utf8))
    file.add(first, withDiff: false)
    file.add(second, withDiff: true)
    #expect(!file.hasDiff(first))
    #expect(file.hasDiff(second))
    #expect(file.isCurrent(first))
    #expect(file.isCurrent(second))
    file.add(second, withDiff: false)
    #expect(!file.hasDiffBlocks)
  }

  @Test func `patterns escape and quote the folder`() {
    func first(_ folder: [UInt8]) -> String {
      String(decoding: AttributesFile.patterns(folder, withDiff: true)[0], as: UTF8.self)
    }
    let drivers = " merge=notes-watch diff=notes-watch"
    #expect(first([]) == "*.yaml" + drivers)
    #expect(first(Array("a/b".utf8)) == "/a/b/**/*.yaml" + drivers)
    #expect(first(Array("two words".utf8)) == "\"/two words/**/*.yaml\"" + drivers)
    #expect(first(Array("a*[b]".utf8)) == "/a\\*\\[b]/**/*.yaml" + drivers)
    #expect(first(Array("q\"\t\\".utf8)) == #""/q\"\011\\\\/**/*.yaml""# + drivers)
  }

  /// The patterns are tested with git itself.
  @Test(
    .enabled(if: Machine.has("git"), "git is not installed"),
    arguments: [
      "d", "two words", "a*b", "q\"u\\o", "[x]", "é", "#h", "tab\there", "!n", "line\nbreak", "a/b",
    ])
  func `git applies the attributes to the items of the folder only`(folder: String) async throws {
    let repository = try Repository()
    try repository.folder.makeFolder(folder)
    try repository.folder.write("a: 1\n", to: "\(folder)/deep/a.yaml")
    try repository.folder.write("a: 1\n", to: "\(folder)/b.json")
    try repository.folder.write("a: 1\n", to: "other/c.yaml")
    try repository.commit("first")
    let drivers = try GitDrivers(of: "\(repository.path)/\(folder)")
    try drivers.install("/bin/true")
    let status = try drivers.status()
    #expect(status.handled == 2)
    #expect(status.warnings == [])
    #expect(status.mergeProgram == "/bin/true")
    #expect(try GitDrivers(of: "\(repository.path)/other").status().handled == 0)
  }
}
