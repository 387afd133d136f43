import Query
@testable import Store
import TestSupport
import Testing

@testable import Folder

struct GlobTests {
  /// Each row follows gitignore(5). The folders above the path are not considered.
  @Test(
    arguments: [
      ("README.md", "README.md", true), ("README.md", "docs/README.md", true),
      ("README.md", "README.mdx", false),
      ("README.md", "readme.md", false),
      ("*.md", "a.md", true), ("*.md", "a/b/c.md", true), ("*.md", ".md", true), ("*.md", "a.md/b", false),
      ("a*", "abc", true), ("a*", "a", true), ("a*c", "abbc", true), ("a*c", "ab/c", false),
      ("*a*b*", "xaxbx", true),
      ("*a*b*", "xbxax", false),
      ("?.md", "a.md", true), ("?.md", "ab.md", false), ("x?y", "x/y", false), ("?", "é", true),
      ("/a.md", "a.md", true), ("/a.md", "b/a.md", false), ("b/a.md", "b/a.md", true),
      ("b/a.md", "c/b/a.md", false), ("b/*", "b/a/c", false),
      ("**/a.md", "a.md", true), ("**/a.md", "b/c/a.md", true), ("**/a.md", "xa.md", false),
      ("**/b/a.md", "x/b/a.md", true),
      ("a/**", "a", false), ("a/**", "a/b", true), ("a/**", "a/b/c", true), ("a/**/b", "a/b", true),
      ("a/**/b", "a/x/y/b", true),
      ("a/**/b", "a/xb", false),
      ("a/***/b", "a/x/y/b", true), ("**", "a/b", true), ("/**", "a", true),
      ("a**b", "aXb", true), ("a**b", "aX/Yb", false), ("a**b", "a/b", false), ("foo**/bar", "foo/bar", true),
      ("foo**/bar", "foo/x/bar", false),
      ("a/**b", "a/xb", true), ("a/**b", "a/x/b", false), ("**a/b", "xa/b", true), ("**a/b", "q/xa/b", false),
      ("**b", "x/ab", true),
      ("[abc]x", "bx", true), ("[abc]x", "dx", false), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false),
      ("[^a-c]x", "dx", true),
      ("[a-]", "-", true),
      ("[]a]x", "]x", true), ("[z-a]", "z", true), ("[z-a]", "m", false), ("x[/]y", "x/y", false),
      ("x[!a]y", "x/y", false),
      ("[\\]a]x", "]x", true), ("[a\\-z]", "-", true), ("[a\\-z]", "m", false),
      ("\\*", "*", true), ("\\*", "a", false), ("\\!a", "!a", true), ("\\[a]", "[a]", true),
      ("a b", "a b", true), ("a.c", "abc", false),
      ("", "a", false), ("/", "a", false), ("café", "cafe\u{301}", false), ("café", "café", true),
    ] as [(String, String, Bool)])
  func `a pattern has the meaning of .gitignore`(pattern: String, path: String, matches: Bool) {
    #expect(Glob(pattern).matches(path) == matches)
  }

  @Test func `a leading exclamation mark negates, and a trailing slash restricts to folders`() {
    let plain = Glob("a"), negated = Glob("!a"), folders = Glob("a/"), both = Glob("!/a/")
    #expect(
      [plain.isNegated, negated.isNegated, folders.isNegated, both.isNegated] == [false, true, false, true])
    #expect(
      [plain.foldersOnly, negated.foldersOnly, folders.foldersOnly, both.foldersOnly] == [
        false, false, true, true,
      ])
    for glob in [plain, negated, folders, both] { #expect(glob.matches("a")) }
    // The slash at the end does not tie a pattern to the root.
    #expect(folders.matches("b/a"))
    #expect(!both.matches("b/a"))
  }

  @Test func `a bracket that is never closed matches itself`() {
    #expect(Glob("[abc").matches("[abc"))
    #expect(!Glob("[abc").matches("a"))
  }

  /// A matcher that backtracks would never finish these.
  @Test(.timeLimit(.minutes(1)), arguments: ["*a", "**/", "**/a/", "a*", "[!b]*", "?*"])
  func `matching takes at most the product of the lengths`(part: String) {
    let pattern = String(repeating: part, count: 200) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a/a", count: 700)))
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2_000)))
  }

  @Test(arguments: Randomness.seeds(4))
  func `random patterns match the same paths as git`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try IgnoringRepository()
    for _ in 0..<25 {
      let pattern = GlobTests.randomPattern(&random)
      let paths = Set((0..<30).map { _ in GlobTests.randomPath(&random) }).sorted()
      let ignored = try folder.ignored(paths, by: pattern)
      let glob = Glob(pattern)
      for path in paths {
        // git also checks the folders above.
        let parts = path.split(separator: "/")
        let prefixes = parts.indices.map {
          (text: parts[...$0].joined(separator: "/"), isFolder: $0 < parts.count - 1)
        }
        let matches = prefixes.contains { ($0.isFolder || !glob.foldersOnly) && glob.matches($0.text) }
        #expect(matches == ignored.contains(path), "\(pattern) and \(path); \(seedNote(seed))")
      }
    }
  }

  private static func randomPattern(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "b", "ab", "*", "**", "/", "/**/", "?", "[ab]", "[!a]", "[a-b]", "**/", "/**", "\\a", "\\*",
    ]
    let text = (0..<1 + random.below(6)).map { _ in random.one(of: pieces) }.joined()
    // In two cases git differs from its manual: empty components, and several stars inside a name.
    return text.contains("//") || text.contains(/[^*\/]\*\*/) ? "a" : text
  }

  private static func randomPath(_ random: inout SeededGenerator) -> String {
    (0..<1 + random.below(4)).map { _ in random.one(of: ["a", "b", "ab", "aab", "abab", "c", "*"]) }.joined(
      separator: "/")
  }
}

extension Glob {
  fileprivate func matches(_ path: String) -> Bool {
    var path = path
    return path.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }
}

/// An empty git repository, to ask git what a pattern ignores.
private struct IgnoringRepository {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.shell("git init -q")
  }

  func ignored(_ paths: [String], by pattern: String) throws -> Set<String> {
    try folder.write(pattern + "\n", to: ".git/info/exclude")
    try folder.write(paths.joined(separator: "\n") + "\n", to: "paths")
    // It exits with 1 if it ignores none.
    return Set(
      try folder.shell("git check-ignore --no-index --stdin <paths || test $? = 1").split(separator: "\n")
        .map(String.init))
  }
}
