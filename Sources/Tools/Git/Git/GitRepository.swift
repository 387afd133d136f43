import Files
import Glibc
import Synchronization

/// A repository, opened for reading, and a folder in it. The folder may no longer exist, and the
/// repository may be bare.
///
/// ```swift
/// let repository = try GitRepository(holding: "contacts")
/// let revision = try repository.revision("HEAD~3")
/// let entries = try repository.entries(in: revision)
/// ```
package struct GitRepository {
  private(set) var git: GitProcess
  /// The path from the top of the repository to the folder, without a slash at either end.
  let prefix: [UInt8]
  /// The last part of the folder's path, as far as it does not exist. Empty if the folder exists.
  let missing: [UInt8]
  let hasWorkTree: Bool
  /// True if the clone is shallow: it lacks older commits.
  let isShallow: Bool

  /// Finds the repository of a folder, which need not exist. git reads its settings first, for which it
  /// has a time limit. `warn` receives the warnings of every git command, without `warning: `.
  package init(
    holding folder: String, settingsTimeout: Duration = .seconds(10),
    warn: @escaping @Sendable (String) -> Void = GitRepository.warnOnce
  ) throws(GitError) {
    let place = try GitRepository.place(of: folder)
    git = GitProcess(folder: place.existing)
    git.warn = warn
    missing = place.missing
    try GitRepository.checkSettings(git, folder, settingsTimeout)
    let found = try git.run([
      "rev-parse", "--is-shallow-repository", "--is-inside-work-tree", "--show-prefix",
    ])
    // Two lines, then a path, which may contain line breaks.
    let words = found.output.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard found.status == 0, words.count == 3 else {
      if found.message.contains("not a git repository") {
        if !missing.isEmpty {
          throw GitError(
            .noRepository, "There is no folder `\(folder)`, and \(place.existing) is not in a git repository."
          )
        }
        throw GitError(
          .noRepository,
          "\(folder) is not in a git repository. Choose another folder, or create a repository with `git init`."
        )
      }
      throw found.failure("find the repository of \(folder)")
    }
    isShallow = words[0].elementsEqual("true".utf8)
    hasWorkTree = words[1].elementsEqual("true".utf8)
    // The prefix ends with a line break, and with a slash before it unless it is empty.
    let parts = [Array(words[2].dropLast(1)), missing].map {
      $0.last == UInt8(ascii: "/") ? $0.dropLast() : $0[...]
    }
    prefix = Array(parts.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: "/")]))
  }

  /// Returns `HEAD` and the names of at most 1,000 branches, remote branches and tags.
  package func refNames() throws(GitError) -> [String] {
    let found = try git.run([
      "for-each-ref", "--count=1000", "--format=%(refname:short)", "refs/heads", "refs/tags",
      "refs/remotes",
    ])
    return ["HEAD"] + found.output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Makes git read all settings once. A file that they include may be a FIFO, which blocks git
  /// forever.
  private static func checkSettings(_ git: GitProcess, _ folder: String, _ timeout: Duration) throws(GitError)
  {
    var git = git
    git.idleLimit = timeout
    git.countsWork = false
    do throws(GitError) {
      _ = try git.run(["config", "--list", "--includes", "-z", "--name-only"])
    } catch {
      guard error.code == .timedOut else { throw error }
      throw GitError(
        .timedOut,
        "git took more than \(git.idleLimit.components.seconds) s to read the settings of the repository of \(folder). "
          + "A settings file may be a FIFO or on a disk that does not respond: "
          + "check .git/config, ~/.gitconfig and every include.path in them.")
    }
  }

  private static func place(of folder: String) throws(GitError) -> (existing: String, missing: [UInt8]) {
    var existing = folder.isEmpty ? "." : folder
    var names: [Substring] = []
    while !WholeFile.isFolder(existing) {
      let text = existing.hasSuffix("/") ? existing.dropLast() : existing[...]
      let slash = text.lastIndex(of: "/")
      let name = slash.map { text[text.index(after: $0)...] } ?? text
      if name == ".." { throw GitError(.noRepository, "There is no folder `\(folder)`.") }
      if !name.isEmpty, name != "." { names.append(name) }
      existing = slash.map { $0 == text.startIndex ? "/" : String(text[..<$0]) } ?? "."
    }
    return (existing, Array(names.reversed().joined(separator: "/").utf8))
  }

  /// The warnings that were reported. Each git command repeats those about the settings.
  /// Lock: guards which warnings of git were written to standard error.
  private static let reported = Mutex<Set<String>>([])
  /// A server runs for months, and a warning may contain names from a request.
  private static let maxReported = 1_000

  /// Writes a warning to standard error, made safe for a terminal; each one once.
  static func warnOnce(_ warning: String) {
    let isNew = reported.withLock { reported in
      if reported.count >= maxReported { reported.removeAll() }
      return reported.insert(warning).inserted
    }
    guard isNew else { return }
    var line = "notes-watch: warning: git: \(DisplayText.safe(warning))\n"
    line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
