/// A commit that touched a folder, as `git rev-list` tells of it.
package struct CommitLine: Sendable, Hashable {
  package let id: String
  /// The nearest older commits that touched the folder, too.
  let parents: [String]
  let tree: String
  package let author: String
  /// When it was written, as ISO 8601 with the author's zone.
  package let date: String
  package let subject: String

  static let format = "%T%x00%an%x00%aI%x00%s"

  /// `commit 3f2a… 77b0…`, and below it what `format` asks for.
  init?(_ head: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) {
    let ids = head.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    let words = body.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    guard ids.count > 1, ids[0] == "commit", words.count == 4 else { return nil }
    (id, parents) = (ids[1], Array(ids[2...]))
    (tree, author, subject) = (words[0], words[1], words[3])
    // git leaves the placeholder where the date is none; elsewhere it shows such a date as this one.
    date = words[2] == "%aI" ? "1970-01-01T00:00:00Z" : words[2]
  }
}

extension GitRepository {
  /// The commits that touched the folder, each before those that it comes from.
  func commits(from revision: GitRevision) async throws(GitError) -> [CommitLine] {
    let options = [
      "rev-list", "--topo-order", "--full-history", "--parents", "--encoding=UTF-8", "--format=\(CommitLine.format)", revision.commit, "--",
    ]
    let listed = try await git.run(options.map { Array($0.utf8) } + pathspec)
    guard listed.status == 0 else { throw listed.failure("list the commits of `\(revision.name)`") }
    let lines = listed.output.split(separator: 0x0A)
    return stride(from: 0, to: lines.count - 1, by: 2).compactMap { CommitLine(lines[$0], lines[$0 + 1]) }
  }

  /// The folder, from where git runs.
  private var pathspec: [[UInt8]] { prefix.isEmpty ? [] : [missing.isEmpty ? [UInt8(ascii: ".")] : missing] }

  /// How the files of the folder differ between each two trees.
  func changes(between pairs: [(old: String, new: String)]) async throws(GitError) -> [[FileChange]] {
    if pairs.isEmpty { return [] }
    let options = ["diff-tree", "--stdin", "-r", "-z", "-M", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--"]
    let input = Array(pairs.map { "\($0.old) \($0.new)\n" }.joined().utf8)
    let found = try await git.run(options.map { Array($0.utf8) } + pathspec, input: input)
    guard found.status == 0 else { throw found.failure("compare its commits") }
    let changes = FileChange.lists(found.output, below: prefix)
    guard changes.count == pairs.count else { throw GitError(.damaged, "git compared \(changes.count) of \(pairs.count) commits.") }
    return changes
  }

  /// The tree without files, which a first commit is compared with.
  func emptyTree() async throws(GitError) -> String {
    let found = try await git.run(["hash-object", "-t", "tree", "--stdin"])
    guard found.status == 0 else { throw found.failure("name the empty tree") }
    return String(decoding: found.output.prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
