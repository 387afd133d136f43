import Foundation

/// Runs git, so that nothing in a repository can make it run anything else: it came with a clone or an archive, and `.git/config` is code.
///
/// No hooks, no file system monitor, no pager, no helper of any kind; no transport, so that a partial clone fetches nothing; revisions and paths
/// never stand where an option could. Settings of the user and the system stay, since who may own a repository (`safe.directory`) is said there;
/// of the environment nothing that names another repository does.
struct GitProcess: Sendable {
  /// Where git looks for the repository.
  let folder: String
  /// The index, where it is not the repository's usual one.
  var index: String?
  /// Bytes of an answer. A repository of a few objects can have a tree of more files than any memory holds.
  var mostOutput = 1 << 29
  /// True if paths stand for themselves alone; a few commands know nothing of that.
  var hasLiteralPaths = true
  /// How long git may do nothing at all before it is stopped.
  var patience = GitChild.Patience(duration: .seconds(30))

  struct Outcome: Sendable {
    let output: [UInt8]
    /// As a shell counts: 128 and the signal where one ended it.
    let status: CInt
    /// What git said to a person; its first line, without the word that it begins with.
    let message: String
  }

  private static let caution = [
    "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
    "core.pager=cat", "-c", "core.editor=false", "-c", "core.askPass=false", "-c", "core.sshCommand=false", "-c",
    "core.alternateRefsCommand=false", "-c", "core.gitProxy=", "-c", "credential.helper=", "-c", "gpg.program=false", "-c",
    "log.showSignature=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "protocol.allow=never", "-c",
    "log.showRoot=true", "-c", "log.follow=false", "-c", "log.mailmap=false", "-c", "diff.relative=false", "-c", "diff.orderFile=/dev/null",
  ]

  private var environment: [String] { GitProcess.cleanEnvironment + (index.map { ["GIT_INDEX_FILE=\($0)"] } ?? []) }

  /// What git says is read, so it says it in English.
  private static let cleanEnvironment: [String] = {
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") || kept.contains($0.key) }
    let own = ["LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_FLUSH": "1"]
    return inherited.merging(own) { $1 }.map { "\($0)=\($1)" }
  }()

  /// What a hook of `git commit -a` is handed: the index that is being committed.
  static var indexOfEnvironment: String? { ProcessInfo.processInfo.environment["GIT_INDEX_FILE"] }

  /// They name the user's own settings, and where to stop looking.
  private static let kept: Set<String> = [
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  ]

  /// Returns everything that git prints, however it ends.
  func run(_ arguments: [String], input: [UInt8] = []) throws(GitError) -> Outcome {
    try run(arguments.map { Array($0.utf8) }, input: input)
  }

  /// Returns everything that git prints, with arguments that need not be UTF-8.
  func run(_ arguments: [[UInt8]], input: [UInt8] = []) throws(GitError) -> Outcome {
    let child = try start(arguments, input: input)
    var output: [UInt8] = []
    while let bytes = try child.next() {
      output += bytes
      if output.count > mostOutput {
        throw GitError(.damaged, "git's answer is longer than \(mostOutput) bytes: the repository has more files than can be read.")
      }
    }
    let (status, message) = try child.end()
    return Outcome(output: output, status: status, message: message)
  }

  /// Starts git, to be read as it prints.
  ///
  /// - Parameter keepsInputOpen: true if more input follows.
  func start(_ arguments: [[UInt8]], input: [UInt8] = [], keepsInputOpen: Bool = false) throws(GitError) -> GitChild {
    let all = (["-C", folder] + GitProcess.caution + (hasLiteralPaths ? ["--literal-pathspecs"] : [])).map { Array($0.utf8) } + arguments
    return try GitChild(all, environment: environment, input: input, keepsInputOpen: keepsInputOpen, patience: patience)
  }
}

extension GitProcess.Outcome {
  /// The sentence for something that should not have failed.
  func failure(_ action: String) -> GitError { GitRepository.failure(action, status, message) }
}

extension GitRepository {
  /// The sentence for something that should not have failed.
  static func failure(_ action: String, _ status: CInt, _ message: String) -> GitError {
    if message.contains("dubious ownership") {
      return GitError(
        .denied,
        "git does not trust the repository, since it belongs to another user; `git config --global --add safe.directory …` says that you do."
      )
    }
    let reason = message.isEmpty ? "it ended with \(status)" : message
    if ["promisor", "transport", "lazy fetch"].contains(where: message.contains) {
      return GitError(
        .damaged,
        "git could not \(action): objects are missing, and this program never uses the network. The clone is partial: `git fetch --refetch --no-filter` "
          + "completes it (git: \(reason)).")
    }
    return GitError(.damaged, "git could not \(action): \(reason).")
  }
}
