/// The repository that a folder is in, to be read. The folder need not be there any more, and the repository may be bare.
///
/// ```swift
/// let repository = try await GitRepository(holding: "contacts")
/// let revision = try await repository.revision("HEAD~3")
/// let entries = try await repository.entries(in: revision)
/// ```
package struct GitRepository: Sendable {
  let git: GitProcess
  /// From the top of the repository to the folder, without a slash at either end.
  let prefix: [UInt8]
  /// The part of it that is not there.
  let missing: [UInt8]
  let hasWorkTree: Bool
  /// True if older commits were left out of the clone.
  let isShallow: Bool

  /// - Parameters:
  ///   - folder: need not be there any more.
  ///   - settingsPatience: how long git may take to read its settings, which it does first.
  package init(holding folder: String, settingsPatience: Duration = .seconds(10)) async throws(GitError) {
    let place = try FolderPlace(folder)
    git = GitProcess(folder: place.existing)
    missing = place.missing
    try GitRepository.checkSettings(git, folder, settingsPatience)
    let found = try git.run(["rev-parse", "--is-shallow-repository", "--is-inside-work-tree", "--show-prefix"])
    // Two lines, and the rest is a path.
    let words = found.output.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard found.status == 0, words.count == 3 else {
      if found.message.contains("not a git repository") { throw GitError(.noRepository, "\(folder) is in no git repository.") }
      throw found.failure("look for the repository of \(folder)")
    }
    (isShallow, hasWorkTree) = (words[0].elementsEqual("true".utf8), words[1].elementsEqual("true".utf8))
    // It ends with a slash, where it is not empty, and a line break.
    let parts = [Array(words[2].dropLast(1)), missing].map { $0.last == UInt8(ascii: "/") ? $0.dropLast() : $0[...] }
    prefix = Array(parts.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: "/")]))
  }
}

extension GitRepository {
  /// Reads all settings once: what they include may be a FIFO, which blocks git for ever.
  private static func checkSettings(_ git: GitProcess, _ folder: String, _ patience: Duration) throws(GitError) {
    var git = git
    git.patience = GitChild.Patience(duration: patience, countsWork: false)
    do throws(GitError) {
      _ = try git.run(["config", "--list", "--includes", "-z", "--name-only"])
    } catch {
      guard error.code == .timedOut else { throw error }
      throw GitError(
        .timedOut,
        "git does not answer about the repository of \(folder): reading its settings takes more than \(git.patience.duration.components.seconds) s. "
          + "A file among them may be a FIFO, or on a disk that hangs; look at .git/config, ~/.gitconfig and every include.path in them.")
    }
  }
}

/// A path, and how much of it is there.
private struct FolderPlace {
  var existing: String
  var missing: [UInt8] = []

  init(_ folder: String) throws(GitError) {
    existing = folder.isEmpty ? "." : folder
    var names: [Substring] = []
    while !WholeFile.isFolder(existing) {
      let text = existing.hasSuffix("/") ? existing.dropLast() : existing[...]
      let slash = text.lastIndex(of: "/")
      let name = slash.map { text[text.index(after: $0)...] } ?? text
      if name == ".." { throw GitError(.noRepository, "There is no folder \(folder).") }
      if !name.isEmpty, name != "." { names.append(name) }
      existing = slash.map { $0 == text.startIndex ? "/" : String(text[..<$0]) } ?? "."
    }
    missing = Array(names.reversed().joined(separator: "/").utf8)
  }
}
