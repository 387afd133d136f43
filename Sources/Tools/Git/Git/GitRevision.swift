package import Values

package struct GitRevision: Hashable {
  /// The name that was asked for, for example `HEAD~3`.
  package let name: String
  package let commit: String
  /// The commit time in seconds since 1970.
  package let seconds: Int64

  package var time: Timestamp { Timestamp(seconds: seconds, nanoseconds: 0) }
}

extension GitRepository {
  /// Returns the commit that git finds for a name: `HEAD~3`, `v1.2`, `main@{yesterday}`,
  /// `:/words of its message`.
  ///
  /// - Throws: `GitError` with the code `unknownRevision` if there is no such commit, even if git
  ///   names another one instead: the oldest that a reflog has, for a time before it.
  package func revision(_ name: String) throws(GitError) -> GitRevision {
    guard !name.isEmpty, !name.utf8.contains(where: { $0 == 0x0A || $0 == 0 }) else { throw unknown(name) }
    var object = try objectHeader(name)
    if object?.type == "tag", let tag = object { object = try objectHeader("\(tag.id)^{commit}") }
    guard let object else { throw unknown(name) }
    guard object.type == "commit" else {
      throw GitError(.unknownRevision, "`\(name)` is a \(object.type), not a commit.")
    }
    return GitRevision(name: name, commit: object.id, seconds: try commitTime(of: object.id))
  }

  /// Returns the commit at HEAD, or nil in a repository without commits. Starts one process;
  /// `revision(_:)` starts two.
  package func head() throws(GitError) -> GitRevision? {
    let found = try git.output(["cat-file", "--batch"], input: Array("HEAD\n".utf8), to: "find `HEAD`")
    let line = found.prefix { $0 != 0x0A }
    guard let object = ObjectHeader(line) else { return nil }
    guard object.type == "commit" else { return try revision("HEAD") }
    return GitRevision(
      name: "HEAD", commit: object.id,
      seconds: GitRepository.time(inCommit: found.dropFirst(line.count + 1)))
  }

  func mergeBase(_ first: GitRevision, _ second: GitRevision) throws(GitError) -> GitRevision {
    let found = try git.run(["merge-base", first.commit, second.commit])
    guard found.status == 0 else {
      if found.status == 1 {
        throw GitError(.unknownRevision, "`\(first.name)` and `\(second.name)` have no common ancestor.")
      }
      throw found.failure("find the common ancestor of `\(first.name)` and `\(second.name)`")
    }
    let commit = String(decoding: found.output.prefix { $0 != 0x0A }, as: UTF8.self)
    return GitRevision(
      name: "\(first.name)...\(second.name)", commit: commit, seconds: try commitTime(of: commit))
  }

  private func unknown(_ name: String) -> GitError {
    let advice =
      isShallow
      ? "This clone is shallow: `git fetch --unshallow` fetches the older commits."
      : "`git log --oneline --all` lists the commits."
    return GitError(.unknownRevision, "There is no revision `\(name)` in the repository. \(advice)")
  }

  /// Returns the header of an object, or nil if there is no object with this name. The name is
  /// passed on standard input, so it cannot be mistaken for an option.
  func objectHeader(_ name: String) throws(GitError) -> ObjectHeader? {
    var git = git
    git.warn = { _ in }
    let found = try git.run(["cat-file", "--batch-check"], input: Array("\(name)\n".utf8))
    if let fault = (found.warnings + (found.status == 0 ? [] : [found.message])).first(
      where: GitRepository.isAboutReflog)
    {
      throw GitError(
        .unknownRevision,
        "The reflog of this clone does not say what `\(name)` was (git: \(fault)). A reflog is local, and begins when the repository "
          + "was cloned. Name a commit: `git rev-list -1 --before=DATE HEAD` prints the last one before "
          + "a date."
      )
    }
    found.warnings.forEach(self.git.warn)
    guard found.status == 0 else { throw found.failure("find `\(name)`") }
    return ObjectHeader(found.output.prefix { $0 != 0x0A })
  }

  /// Returns true for a message that says that a reflog does not have what was asked for. git then
  /// fails, or warns and takes the nearest entry.
  private static func isAboutReflog(_ message: String) -> Bool { message.lowercased().hasPrefix("log for ") }

  private func commitTime(of commit: String) throws(GitError) -> Int64 {
    GitRepository.time(
      inCommit: try git.output(["cat-file", "commit", commit], to: "read the commit \(commit)")[...])
  }

  private static func time(inCommit text: ArraySlice<UInt8>) -> Int64 {
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(while: { !$0.isEmpty })
    where line.starts(with: "committer ".utf8) {
      let words = line.split(separator: 0x20)
      return words.dropLast().last.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }
    return 0
  }
}

/// The line that `git cat-file` prints about an object: `3f2a… blob 120`.
struct ObjectHeader {
  let id: String
  let type: String
  let size: Int

  init?(_ line: some Collection<UInt8>) {
    let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, [40, 64].contains(words[0].utf8.count),
      words[0].utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      // A size that no file can have is forged. It would overflow later sums.
      let size = Int(words[2]), size >= 0, size < Int.max
    else { return nil }
    id = words[0]
    type = words[1]
    self.size = size
  }
}
