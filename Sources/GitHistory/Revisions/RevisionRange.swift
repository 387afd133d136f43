/// Which two states of a folder a person asks for, as `git diff` reads it.
package struct RevisionRange: Sendable, Hashable {
  package enum Side: Sendable, Hashable {
    /// What is checked out; nothing in a repository without commits.
    case head
    case revision(String)
    /// Where the two parted.
    case mergeBase(String, String)
    case index
    case workTree
  }

  package let from: Side
  package let to: Side

  /// - Parameters:
  ///   - words: `[]`: from the last commit; `[A]`, `[A, B]`, `[A..B]`, or `[A...B]`: from where they parted to `B`.
  ///   - isStaged: whether the index takes the place of the work tree.
  package init(_ words: [String], isStaged: Bool = false) throws(GitError) {
    let last: Side = isStaged ? .index : .workTree
    switch words.count {
    case 0: (from, to) = (.head, last)
    case 1:
      guard let (first, dots, second) = RevisionRange.split(words[0]) else {
        (from, to) = (.revision(words[0]), last)
        break
      }
      guard !isStaged else {
        throw GitError(.usage, "`\(words[0])` names two revisions, so the index is none of the two; leave one of them out.")
      }
      (from, to) = (dots == 3 ? .mergeBase(first, second) : .revision(first), .revision(second))
    case 2:
      guard !isStaged else { throw GitError(.usage, "With two revisions the index is none of the two; leave one of them out.") }
      for word in words where RevisionRange.split(word) != nil {
        throw GitError(.usage, "`\(word)` names two revisions by itself; give it alone.")
      }
      (from, to) = (.revision(words[0]), .revision(words[1]))
    default: throw GitError(.usage, "At most two revisions can be compared, and \(words.count) are given.")
    }
  }

  /// `A..B` and `A...B`; a side that is empty is `HEAD`. Two dots are in no name, but may be in the words that are searched for in messages.
  private static func split(_ word: String) -> (first: String, dots: Int, second: String)? {
    let text = Array(word.utf8)
    let dot = UInt8(ascii: ".")
    guard text.first != UInt8(ascii: ":"), !word.contains("^{/"),
      let start = text.indices.first(where: { $0 + 1 < text.count && text[$0] == dot && text[$0 + 1] == dot })
    else { return nil }
    let dots = start + 2 < text.count && text[start + 2] == dot ? 3 : 2
    let sides = [text[..<start], text[(start + dots)...]].map { $0.isEmpty ? "HEAD" : String(decoding: $0, as: UTF8.self) }
    return (sides[0], dots, sides[1])
  }
}
