#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs git such that nothing in a repository can start another program.
///
/// A repository may come from a clone or an archive, and its `.git/config` can name programs. So
/// hooks, the file system monitor, pagers and helpers are off. Transports are off too: a partial
/// clone fetches nothing. Revisions and paths are passed only where git cannot mistake them for
/// options.
///
/// The settings of the user and the system stay in effect, because they say which repositories may
/// be read (`safe.directory`). Environment variables that name another repository are removed.
struct GitProcess {
  /// The folder in which git runs and searches for the repository.
  let folder: String
  /// The path of the index file, or nil for the repository's own.
  var index: String?
  /// The maximum size of an output in bytes. A repository of a few objects can have a tree with
  /// more files than fit into memory.
  var maxOutput = 1 << 29
  /// True if paths are passed literally (no pathspec magic), which a few commands do not support.
  var hasLiteralPaths = true
  var idleLimit = Duration.seconds(30)
  /// True if git may compute silently for longer.
  var countsWork = true
  /// Receives git's warnings, without `warning: `. They may contain anything.
  var warn: @Sendable (String) -> Void = GitRepository.warnOnce

  private static let safeOptions =
    ["--no-pager", "--no-optional-locks"]
    + [
      "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.editor=false",
      "core.askPass=false", "core.sshCommand=false", "core.alternateRefsCommand=false", "core.gitProxy=",
      "credential.helper=", "gpg.program=false", "log.showSignature=false", "gc.auto=0",
      "maintenance.auto=false", "protocol.allow=never", "log.showRoot=true", "log.follow=false",
      "log.mailmap=false", "diff.relative=false", "diff.orderFile=/dev/null",
    ].flatMap { ["-c", $0] }

  private var environment: [String] {
    GitProcess.cleanEnvironment + (index.map { ["GIT_INDEX_FILE=\($0)"] } ?? [])
  }

  /// The inherited environment without git's own variables, and with English messages, because some
  /// are parsed.
  private static let cleanEnvironment: [String] = {
    let inherited = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("GIT_") || kept.contains($0.key)
    }
    let own = [
      "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1",
      "GIT_FLUSH": "1",
    ]
    return inherited.merging(own) { $1 }.map { "\($0)=\($1)" }
  }()

  /// The index file that git passes to a hook, for example the one being committed by
  /// `git commit -a`.
  static var indexOfEnvironment: String? { ProcessInfo.processInfo.environment["GIT_INDEX_FILE"] }

  /// The variables of git that stay: they name the user's settings and where the search for a
  /// repository stops.
  private static let kept: Set<String> = [
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  ]

  /// Runs git to its end and returns what it printed. The action is a verb phrase for errors: "read the
  /// history".
  func output(_ arguments: [String], paths: [[UInt8]] = [], input: [UInt8] = [], to action: String)
    throws(GitError) -> [UInt8]
  {
    let result = try run(arguments, paths: paths, input: input)
    guard result.status == 0 else { throw result.failure(action) }
    return result.output
  }

  /// Runs git to its end and returns everything it printed, whatever its exit code.
  func run(_ arguments: [String], paths: [[UInt8]] = [], input: [UInt8] = []) throws(GitError) -> GitResult {
    let child = try start(arguments, paths: paths, input: input)
    var output: [UInt8] = []
    while let bytes = try child.next() {
      output += bytes
      if output.count > maxOutput {
        throw GitError(
          .damaged, "git printed more than \(maxOutput) bytes: the repository has too many files to read.")
      }
    }
    var result = try child.end()
    result.output = output
    return result
  }

  /// Starts git. The caller reads its output while it runs. The paths are further arguments, which need
  /// not be UTF-8. With `keepsInputOpen`, more input follows.
  func start(
    _ arguments: [String], paths: [[UInt8]] = [], input: [UInt8] = [], keepsInputOpen: Bool = false
  ) throws(GitError) -> GitChild {
    let options = ["-C", folder] + GitProcess.safeOptions + (hasLiteralPaths ? ["--literal-pathspecs"] : [])
    let all = (options + arguments).map { Array($0.utf8) } + paths
    return try GitChild(
      all, environment: environment, input: input, keepsInputOpen: keepsInputOpen, idleLimit: idleLimit,
      countsWork: countsWork, warn: warn)
  }
}

struct GitResult {
  var output: [UInt8] = []
  /// The exit code, or 128 plus the signal's number, as in a shell.
  let status: CInt
  /// The reason of a failure, as git wrote it: the first line that is neither a warning nor advice,
  /// without `fatal: ` or `error: `. The first line if there is no such line, or an empty string.
  let message: String
  let warnings: [String]

  init(status: CInt, messages: [UInt8]) {
    self.status = status
    let lines = messages.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let warning = "warning: "
    warnings = lines.filter { $0.hasPrefix(warning) }.map { String($0.dropFirst(warning.count)) }
    let line =
      lines.first { !$0.hasPrefix(warning) && !$0.hasPrefix("hint: ") } ?? lines.first ?? ""
    let prefix = ["fatal: ", "error: "].first(where: line.hasPrefix) ?? ""
    message = String(line.dropFirst(prefix.count))
  }

  func failure(_ action: String) -> GitError {
    if message.contains("dubious ownership") {
      return GitError(
        .denied,
        "git does not trust the repository because another user owns it. To trust it, run `git config --global --add safe.directory PATH`."
      )
    }
    let reason = message.isEmpty ? "exit code \(status)" : message
    if ["promisor", "transport", "lazy fetch"].contains(where: message.contains) {
      return GitError(
        .damaged,
        "git could not \(action): objects are missing because this is a partial clone, and notes-watch never uses the network. "
          + "Run `git fetch --refetch --no-filter` to complete the clone (git: \(reason)).")
    }
    return GitError(.damaged, "git could not \(action): \(reason).")
  }
}
