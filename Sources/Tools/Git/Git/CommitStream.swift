import Files
import Processes

/// A commit as `git log` prints it.
package struct CommitLine: Hashable {
  package let id: String
  /// The ids of the parents. Empty for a root commit and where a shallow clone ends.
  let parents: [String]
  /// The commit time in seconds since 1970.
  let seconds: Int64
  package let author: String
  /// The author time as ISO 8601, in the author's time zone.
  package let date: String
  package let subject: String

  static let format = "%H %ct %P%x00%an%x00%aI%x00%s"

  /// Reads the NUL-separated parts that `format` asks for, in its order.
  init?(_ parts: [ArraySlice<UInt8>]) {
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    let ids = texts.first?.split(separator: " ").map(String.init) ?? []
    guard texts.count == 4, ids.count >= 2, [40, 64].contains(ids[0].utf8.count) else { return nil }
    id = ids[0]
    seconds = Int64(ids[1]) ?? 0
    parents = Array(ids[2...])
    author = texts[1]
    subject = texts[3]
    // For an invalid date, this placeholder stays as it is. Other git commands show such a date as
    // the start of 1970.
    date = texts[2] == "%aI" ? "1970-01-01T00:00:00Z" : texts[2]
  }
}

/// A commit with the files it changed, per parent. A root commit has one list of changes, against
/// the empty tree.
struct CommitStep {
  let commit: CommitLine
  /// One list per parent, all with the same paths: the files that differ from every parent.
  fileprivate(set) var changes: [[FileChange]]
}

/// The commits that changed some paths, read from one running `git log`.
///
/// git blocks while nobody asks for the next commit, so unread history costs nothing.
final class CommitStream {
  private let child: GitChild
  private let prefix: [UInt8]
  private var parser = CommitParser()

  init(_ repository: GitRepository, from tips: [String], paths: [RelativePath]) throws(GitError) {
    prefix = repository.prefix
    let options = [
      "log", "--stdin", "--full-history", "-c", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--no-notes", "--no-decorate", "--encoding=UTF-8", "--format=tformat:\(CommitLine.format)", "--",
    ]
    let input = Array(tips.map { "\($0)\n" }.joined().utf8)
    child = try repository.git.start(options, paths: repository.pathspecs(paths), input: input)
  }

  /// Returns the next commit, or nil after the last one. Blocks until git has printed it.
  func next() throws(GitError) -> CommitStep? {
    while true {
      if let step = try parser.next(below: prefix) ?? parser.lastIfComplete() { return step }
      guard let bytes = try child.next() else { break }
      parser.add(bytes)
    }
    let result = try child.end()
    guard result.status == 0 else { throw result.failure("read the history") }
    return parser.last()
  }
}

/// Parses the output of `git log -z --raw -c` with the format `CommitLine.format`.
///
/// A commit is its parts, each followed by a NUL. Then each file has two parts: a line
/// `:100644 100644 3f2a… 77b0… M` and its path. For a merge the line has one more colon, mode and
/// object id per additional parent.
struct CommitParser {
  private var buffer: [UInt8] = []
  private var start = 0
  private var header: [ArraySlice<UInt8>] = []
  private var entry: ArraySlice<UInt8>?
  private var step: CommitStep?
  /// The number of bytes of the current commit that were read so far.
  private var size = 0

  /// git writes a commit with one call if it is shorter than its output buffer. This is a little
  /// less than the size of that buffer.
  private static let writeSize = 4_000

  /// The maximum number of bytes of one part: far more than people write, and a bound on memory.
  static let maxPart = 16 << 20

  private static let malformed = GitError(
    .damaged, "Cannot read the history: unexpected output of `git log`.")

  mutating func add(_ bytes: [UInt8]) {
    buffer.removeSubrange(..<start)
    start = 0
    buffer += bytes
  }

  /// Returns the next commit that is complete because another one begins; nil to ask for more input.
  mutating func next(below folder: [UInt8]) throws(GitError) -> CommitStep? {
    while let end = buffer[start...].firstIndex(of: 0) {
      defer { start = end + 1 }
      size += end + 1 - start
      if let done = try consume(buffer[start..<end], below: folder) { return done }
    }
    if buffer.count - start > CommitParser.maxPart {
      throw GitError(
        .damaged,
        "Cannot read the history: a commit message or a path is longer than \(CommitParser.maxPart) bytes.")
    }
    return nil
  }

  /// Returns the last commit if it is certainly complete although no other one has begun. Waiting
  /// for the next one may take long.
  mutating func lastIfComplete() -> CommitStep? {
    guard start == buffer.count, header.isEmpty, entry == nil, size < CommitParser.writeSize,
      buffer.count < PipeEnd.capacity,
      step?.changes.first?.isEmpty == false
    else { return nil }
    return last()
  }

  mutating func last() -> CommitStep? {
    defer { step = nil }
    return step
  }

  /// Returns the previous commit if `part` completes the header of a new one.
  private mutating func consume(_ part: ArraySlice<UInt8>, below folder: [UInt8]) throws(GitError)
    -> CommitStep?
  {
    if let line = entry {
      entry = nil
      guard let parents = step?.changes.count else { throw CommitParser.malformed }
      let found = FileChange.changes(line, part, below: folder)
      if found.count == parents {
        for (index, change) in found.enumerated() { step?.changes[index].append(change) }
      }
      return nil
    }
    if header.isEmpty {
      let line = part.first == 0x0A ? part.dropFirst() : part
      if line.isEmpty { return nil }
      if line.first == UInt8(ascii: ":") {
        entry = line
        return nil
      }
    }
    if header.isEmpty { size = part.count + 1 }
    header.append(part)
    guard header.count == 4 else { return nil }
    defer { header = [] }
    guard let commit = CommitLine(header) else { throw CommitParser.malformed }
    defer {
      step = CommitStep(commit: commit, changes: Array(repeating: [], count: max(commit.parents.count, 1)))
    }
    return step
  }
}

extension GitRepository {
  /// Returns pathspecs for paths below the folder, or for the folder itself if `paths` is empty.
  func pathspecs(_ paths: [RelativePath]) -> [[UInt8]] {
    // git runs in the folder, or in its nearest existing parent.
    let folder = missing.isEmpty ? [] : missing + [UInt8(ascii: "/")]
    if !paths.isEmpty { return paths.map { folder + $0.bytes } }
    return prefix.isEmpty ? [] : [missing.isEmpty ? [UInt8(ascii: ".")] : missing]
  }

  func changes(from old: String, to new: String, paths: [RelativePath] = []) throws(GitError) -> [FileChange]
  {
    try compare(["--no-renames", old, new], paths)
  }

  func renames(from old: String, to new: String) throws(GitError) -> [FileChange] {
    try compare(["-M", "--diff-filter=R", old, new], [])
  }

  private func compare(_ options: [String], _ paths: [RelativePath]) throws(GitError) -> [FileChange] {
    let options =
      ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv"] + options + ["--"]
    let found = try git.output(options, paths: pathspecs(paths), to: "compare its commits")
    return FileChange.list(found, below: prefix)
  }

  func commits(from tips: [String], without others: [String], until seconds: Int64) throws(GitError)
    -> [String]
  {
    let input = Array((tips + others.map { "^\($0)" }).map { "\($0)\n" }.joined().utf8)
    let found = try git.output(
      ["rev-list", "--stdin", "--until=\(seconds)"], input: input, to: "read the history")
    return found.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  func isAncestor(_ commit: String, of other: String) throws(GitError) -> Bool {
    try git.run(["merge-base", "--is-ancestor", commit, other]).status == 0
  }
}
