import DirectoryWatch

/// A commit, as `git log` prints it.
package struct CommitLine: Sendable, Hashable {
  package let id: String
  /// As the commit has them; none where a shallow clone ends.
  let parents: [String]
  /// When it was committed, in seconds since 1970.
  let seconds: Int64
  package let author: String
  /// When it was written, as ISO 8601 with the author's zone.
  package let date: String
  package let subject: String

  static let format = "%H %ct %P%x00%an%x00%aI%x00%s"

  /// The parts that `format` asks for, in its order.
  init?(_ parts: [ArraySlice<UInt8>]) {
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    let ids = texts.first?.split(separator: " ").map(String.init) ?? []
    guard texts.count == 4, ids.count >= 2, [40, 64].contains(ids[0].utf8.count) else { return nil }
    (id, seconds, parents) = (ids[0], Int64(ids[1]) ?? 0, Array(ids[2...]))
    (author, subject) = (texts[1], texts[3])
    // git leaves the placeholder where the date is none; elsewhere it shows such a date as this one.
    date = texts[2] == "%aI" ? "1970-01-01T00:00:00Z" : texts[2]
  }
}

/// A commit, and what it did to files: for each of its parents, or against nothing.
struct CommitStep: Sendable {
  let commit: CommitLine
  /// For each parent as many changes, of the same paths: those of files that are as in no parent.
  fileprivate(set) var changes: [[FileChange]]
}

/// The commits that touched some paths, one at a time, as git finds them. git waits while nobody asks for the next one.
final class CommitStream {
  private let child: GitChild
  private let prefix: [UInt8]
  private var parser = CommitParser()

  /// - Parameters:
  ///   - tips: the commits to begin with.
  ///   - paths: below the folder; none for all of it.
  init(_ repository: GitRepository, from tips: [String], paths: [RelativePath]) throws(GitError) {
    prefix = repository.prefix
    let options = [
      "log", "--stdin", "--full-history", "-c", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff",
      "--no-textconv",
      "--no-notes", "--no-decorate", "--encoding=UTF-8", "--format=tformat:\(CommitLine.format)", "--",
    ]
    let input = Array(tips.map { "\($0)\n" }.joined().utf8)
    child = try repository.git.start(options.map { Array($0.utf8) } + repository.pathspecs(paths), input: input)
  }

  /// Returns the next commit; nil after the last.
  func next() throws(GitError) -> CommitStep? {
    while true {
      if let step = try parser.next(below: prefix) ?? parser.written() { return step }
      guard let bytes = try child.next() else { break }
      parser.add(bytes)
    }
    let (status, message) = try child.end()
    guard status == 0 else { throw GitRepository.failure("read the history", status, message) }
    return parser.last()
  }
}

/// Takes apart what `git log -z --raw -c` prints with `CommitLine.format`: for each commit its parts, each with a NUL, then for each file a line
/// `:100644 100644 3f2a… 77b0… M` (of a merge one more colon, mode and object per parent) and its path, each with a NUL.
struct CommitParser {
  private var buffer: [UInt8] = []
  private var start = 0
  private var header: [ArraySlice<UInt8>] = []
  private var entry: ArraySlice<UInt8>?
  private var step: CommitStep?
  /// Bytes of the commit so far.
  private var size = 0

  /// git writes each commit at once, unless it is longer; a little less than the size of its buffer.
  private static let writeSize = 4_000

  /// What a commit without its files, or a file, may take at most: far more than a person writes.
  static let maxPart = 16 << 20

  mutating func add(_ bytes: [UInt8]) {
    buffer.removeSubrange(..<start)
    start = 0
    buffer += bytes
  }

  /// Returns the next commit if all of it is there: if another one begins.
  mutating func next(below folder: [UInt8]) throws(GitError) -> CommitStep? {
    while let end = buffer[start...].firstIndex(of: 0) {
      defer { start = end + 1 }
      size += end + 1 - start
      if let done = try take(buffer[start..<end], below: folder) { return done }
    }
    if buffer.count - start > CommitParser.maxPart {
      throw GitError(.damaged, "The history has a commit message or a path of more than \(CommitParser.maxPart) bytes.")
    }
    return nil
  }

  /// Returns the last commit if git has written all of it, without waiting for the next one, which may take long.
  mutating func written() -> CommitStep? {
    guard start == buffer.count, header.isEmpty, entry == nil, size < CommitParser.writeSize, buffer.count < Pipe.capacity,
      step?.changes.first?.isEmpty == false
    else { return nil }
    return last()
  }

  /// Returns the commit that the output ended with.
  mutating func last() -> CommitStep? {
    defer { step = nil }
    return step
  }

  private mutating func take(_ part: ArraySlice<UInt8>, below folder: [UInt8]) throws(GitError) -> CommitStep? {
    if let line = entry {
      entry = nil
      if step == nil { throw GitError(.damaged, "git's answer about the history cannot be understood.") }
      step?.add(FileChange.changes(line, part, below: folder))
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
    guard let commit = CommitLine(header) else { throw GitError(.damaged, "git's answer about the history cannot be understood.") }
    defer { step = CommitStep(commit: commit, changes: Array(repeating: [], count: max(commit.parents.count, 1))) }
    return step
  }
}

extension CommitStep {
  fileprivate mutating func add(_ found: [FileChange]) {
    guard found.count == changes.count else { return }
    for (index, change) in found.enumerated() { changes[index].append(change) }
  }
}

extension GitRepository {
  /// Paths below the folder, for git's command line; the folder itself if there are none.
  func pathspecs(_ paths: [RelativePath]) -> [[UInt8]] {
    // git runs in the folder, or in the part of its path that is there.
    let folder = missing.isEmpty ? [] : missing + [UInt8(ascii: "/")]
    if !paths.isEmpty { return paths.map { folder + $0.bytes } }
    return prefix.isEmpty ? [] : [missing.isEmpty ? [UInt8(ascii: ".")] : missing]
  }

  /// How files of the folder differ between two commits; all of them where no paths are given.
  func changes(from old: String, to new: String, paths: [RelativePath] = []) throws(GitError) -> [FileChange] {
    try compare(["--no-renames", old, new], paths)
  }

  /// The files of the folder that got other names between two commits.
  func renames(from old: String, to new: String) throws(GitError) -> [FileChange] { try compare(["-M", "--diff-filter=R", old, new], []) }

  private func compare(_ options: [String], _ paths: [RelativePath]) throws(GitError) -> [FileChange] {
    let options = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv"] + options + ["--"]
    let found = try git.run(options.map { Array($0.utf8) } + pathspecs(paths))
    guard found.status == 0 else { throw found.failure("compare its commits") }
    return FileChange.list(found.output, below: prefix)
  }

  /// The commits that can be reached from some and not from others, and were committed at this time or before.
  func commits(from tips: [String], without others: [String], until seconds: Int64) throws(GitError) -> [String] {
    let input = Array((tips + others.map { "^\($0)" }).map { "\($0)\n" }.joined().utf8)
    let found = try git.run(["rev-list", "--stdin", "--until=\(seconds)"], input: input)
    guard found.status == 0 else { throw found.failure("read the history") }
    return found.output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  func isAncestor(_ commit: String, of other: String) throws(GitError) -> Bool {
    try git.run(["merge-base", "--is-ancestor", commit, other]).status == 0
  }
}
