import TestSupport
import Testing

@testable import Files

@Suite struct RelativePathTests {
  @Test(arguments: [
    ("plain.yaml", "plain.yaml"), ("a/b/c", "a/b/c"), ("100%", "100%25"), ("tab\there", "tab%09here"),
    ("new\nline", "new%0Aline"),
    ("del\u{7F}", "del%7F"), ("café", "café"), ("c1\u{85}", "c1\u{85}"),
    ("日本/\u{1F600}.md", "日本/\u{1F600}.md"), ("", ""),
  ])
  func `the printed form escapes controls and percent signs`(raw: String, printed: String) {
    let path = RelativePath(bytes: Array(raw.utf8))
    #expect(path.description.utf8.elementsEqual(printed.utf8))
    #expect(path.bytes == Array(raw.utf8))
    #expect(RelativePath(printed: printed) == path)
  }

  @Test(
    arguments: [
      ([0xFF], "%FF"), ([0x61, 0xC3], "a%C3"), ([0xC0, 0x80], "%C0%80"), ([0xED, 0xA0, 0x80], "%ED%A0%80"),
      ([0xF4, 0x90, 0x80, 0x80], "%F4%90%80%80"),
      ([0xE2, 0x82, 0x2F, 0x61], "%E2%82/a"), ([0xC3, 0xA9, 0xA9], "é%A9"),
      ([0xF0, 0x9F, 0x98, 0x80], "\u{1F600}"),
    ] as [([UInt8], String)])
  func `the printed form escapes bytes that are not UTF-8`(bytes: [UInt8], printed: String) {
    let path = RelativePath(bytes: bytes)
    #expect(path.description == printed)
    #expect(path.bytes == bytes)
  }

  @Test(arguments: ["/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a%00b", "a%2F..", "%2e%2E/a", "%2Fa"])
  func `a path outside the root is refused`(text: String) {
    #expect(RelativePath(printed: text) == nil)
  }

  @Test func `a typed path is decoded`() {
    #expect(RelativePath(printed: "%41%42") == RelativePath(printed: "AB"))
    #expect(RelativePath(printed: "100%")?.description == "100%25")
    #expect(RelativePath(printed: "%zz%4")?.description == "%25zz%254")
    #expect(RelativePath(printed: "...")?.description == "...")
  }

  @Test func `a literal is a path in its printed form`() {
    let path: RelativePath = "friends/50%25.yaml", root: RelativePath = ""
    #expect(path.bytes == Array("friends/50%.yaml".utf8))
    #expect(root == .root)
    let folder: RelativePath = "friends/"
    #expect(folder == "friends")
  }

  @Test func `a literal that leads out of the root stops the program and says why`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let path: RelativePath = "../ada.yaml"
      _ = path.bytes
    }
    let error = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(error.contains(#"The RelativePath literal "../ada.yaml" cannot be a path below a root."#))
  }

  @Test func `paths are compared by bytes`() throws {
    let composed = RelativePath(bytes: Array("caf\u{E9}".utf8)),
      decomposed = RelativePath(bytes: Array("cafe\u{301}".utf8))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
    // In printed form both `%01` and `%FF` would come before `A`.
    #expect(RelativePath(bytes: [0x01]) < RelativePath(bytes: [0x41]))
    #expect(RelativePath(bytes: [0x41]) < RelativePath(bytes: [0xFF]))
    #expect(RelativePath(bytes: Array("a".utf8)) < RelativePath(bytes: Array("a/b".utf8)))
  }

  @Test func `a path has a name, a parent and a depth`() throws {
    let path = try #require(RelativePath(printed: "a/b/c.yaml"))
    #expect(path.name == "c.yaml")
    #expect(path.parent?.description == "a/b")
    #expect(path.depth == 3)
    #expect(RelativePath.root.depth == 0)
    #expect(RelativePath.root.parent == nil)
    #expect(RelativePath(printed: "x")?.parent == .root)
    let folder = try #require(RelativePath(printed: "a/b")),
      sibling = try #require(RelativePath(printed: "a/bb"))
    #expect(path.isBelow(folder))
    #expect(path.isBelow(.root))
    #expect(folder.isBelow(.root))
    #expect(!path.isBelow(sibling))
    #expect(!folder.isBelow(folder))
    #expect(!RelativePath.root.isBelow(.root))
    #expect(!sibling.isBelow(folder))
    #expect(
      RelativePath.root.appending(name: Array("a".utf8)).appending(name: [0xFF, 0x25]).description
        == "a/%FF%25")
  }

  @Test func `a system call gets the bytes of the path`() {
    let path = RelativePath(bytes: [0x61, 0xFF, 0x25])
    #expect(path.withCString { String(validatingCString: $0) } == nil)
    #expect(
      path.withCString { Array(UnsafeBufferPointer(start: $0, count: 4)) } == [
        0x61, CChar(bitPattern: 0xFF), 0x25, 0,
      ])
    #expect(RelativePath.root.withCString { $0[0] } == 0)
  }

  /// No two names share a printed form.
  @Test(arguments: Randomness.seeds(1)) func `any bytes survive printing and parsing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let bytes = random.name()
      let path = RelativePath(bytes: bytes)
      #expect(path.bytes == bytes, "\(seedNote(seed))")
      #expect(RelativePath(printed: path.description) == path, "\(seedNote(seed))")
      #expect(RelativePath.root.appending(name: bytes) == path, "\(seedNote(seed))")
      let other = random.name()
      #expect((RelativePath(bytes: other) == path) == (other == bytes), "\(seedNote(seed))")
      #expect(
        (RelativePath(bytes: other) < path) == other.lexicographicallyPrecedes(bytes), "\(seedNote(seed))")
    }
  }
}

extension SeededGenerator {
  /// Returns a file name of pieces that are hard to print.
  fileprivate mutating func name() -> [UInt8] {
    let pieces: [[UInt8]] = [
      [0x25], [0x25, 0x32, 0x35], [0xC3, 0xA9], [0xC3], [0x80], [0x0A], [0x7F], [0xE2, 0x82, 0xAC],
      [0xF0, 0x9F], [0x61], [0x2E, 0x79],
    ]
    return (0..<Int.random(in: 1...4, using: &self)).flatMap { _ in
      pieces.randomElement(using: &self) ?? [0x61]
    }
  }
}
