/// The two states of a folder to compare, in the syntax of `git diff`.
package struct RevisionRange: Hashable {
  package enum Endpoint: Hashable {
    /// The commit that is checked out. Empty in a repository without commits.
    case head
    case revision(String)
    case mergeBase(String, String)
    case index
    case workTree
  }

  package let from: Endpoint
  package let to: Endpoint

  /// Parses a comparison: `[]` compares with `HEAD`, `[A]` with `A`; `[A, B]` and `[A..B]` compare `A`
  /// with `B`, and `[A...B]` their common ancestor with `B`. With `isStaged`, the index takes the place
  /// of the work tree. Throws `GitError` with the code `usage` for other words.
  package init(_ words: [String], isStaged: Bool = false) throws(GitError) {
    let last: Endpoint = isStaged ? .index : .workTree
    switch words.count {
    case 0: (from, to) = (.head, last)
    case 1:
      guard let (first, dots, second) = RevisionRange.split(words[0]) else {
        from = .revision(words[0])
        to = last
        break
      }
      guard !isStaged else {
        throw GitError(
          .usage,
          "`\(words[0])` names two revisions, but --staged compares one revision with the index. Leave one out."
        )
      }
      from = dots == 3 ? .mergeBase(first, second) : .revision(first)
      to = .revision(second)
    case 2:
      guard !isStaged else {
        throw GitError(
          .usage, "There are two revisions, but --staged compares one revision with the index. Leave one out."
        )
      }
      for word in words where RevisionRange.split(word) != nil {
        throw GitError(.usage, "`\(word)` already names two revisions. Leave the other word out.")
      }
      from = .revision(words[0])
      to = .revision(words[1])
    default: throw GitError(.usage, "At most two revisions can be compared; there are \(words.count).")
    }
  }

  /// Splits `A..B` and `A...B`. An empty side is `HEAD`. Revision names contain no two dots, except
  /// in the text of `:/text` and `^{/text}`, which are not split.
  private static func split(_ word: String) -> (first: String, dots: Int, second: String)? {
    let text = Array(word.utf8)
    let dot = UInt8(ascii: ".")
    guard text.first != UInt8(ascii: ":"), !word.contains("^{/"),
      let start = text.indices.first(where: { $0 + 1 < text.count && text[$0] == dot && text[$0 + 1] == dot })
    else { return nil }
    let dots = start + 2 < text.count && text[start + 2] == dot ? 3 : 2
    let sides = [text[..<start], text[(start + dots)...]].map {
      $0.isEmpty ? "HEAD" : String(decoding: $0, as: UTF8.self)
    }
    return (sides[0], dots, sides[1])
  }
}
