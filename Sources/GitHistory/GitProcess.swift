import Foundation
import Glibc
import Subprocess

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

  struct Outcome: Sendable {
    let output: [UInt8]
    /// As a shell counts: 128 and the signal where one ended it.
    let status: CInt
    /// What git said to a person; its first line, without the word that it begins with.
    let message: String
  }

  private static let caution = [
    "--no-pager", "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
    "core.pager=cat", "-c", "core.editor=false", "-c", "core.askPass=false", "-c", "core.sshCommand=false", "-c",
    "core.alternateRefsCommand=false", "-c", "core.gitProxy=", "-c", "credential.helper=", "-c", "gpg.program=false", "-c",
    "log.showSignature=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "protocol.allow=never",
  ]

  private var environment: Environment {
    index.map { GitProcess.cleanEnvironment.updating(["GIT_INDEX_FILE": $0]) } ?? GitProcess.cleanEnvironment
  }

  /// What git says is read, so it says it in English.
  private static let cleanEnvironment: Environment = {
    let names = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("GIT_") && !kept.contains($0) }
    var changes: [Environment.Key: String?] = [:]
    for name in names { changes[Environment.Key(stringLiteral: name)] = .some(nil) }
    changes["LC_ALL"] = "C"
    changes["GIT_TERMINAL_PROMPT"] = "0"
    changes["GIT_ALLOW_PROTOCOL"] = "none"
    changes["GIT_NO_LAZY_FETCH"] = "1"
    return .inherit.updating(changes)
  }()

  /// What a hook of `git commit -a` is handed: the index that is being committed.
  static var indexOfEnvironment: String? { ProcessInfo.processInfo.environment["GIT_INDEX_FILE"] }

  /// They name the user's own settings, and where to stop looking.
  private static let kept: Set<String> = [
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  ]

  private static let mostMessage = 1 << 20

  /// Everything that it prints, however it ends.
  func run(_ arguments: [String], input: [UInt8] = []) async throws(GitError) -> Outcome {
    try await run(arguments.map { Array($0.utf8) }, input: input)
  }

  /// The same with arguments that need not be UTF-8.
  func run(_ arguments: [[UInt8]], input: [UInt8] = []) async throws(GitError) -> Outcome {
    var output: [UInt8] = []
    let (status, message) = try await stream(arguments, input: input) { bytes in
      output += bytes
      return output.count <= mostOutput
    }
    guard output.count <= mostOutput else {
      throw GitError(.damaged, "git's answer is longer than \(mostOutput) bytes: the repository has more files than can be read.")
    }
    return Outcome(output: output, status: status, message: message)
  }

  /// Hands over what it prints as it comes. `take` runs between the reads, so git waits for it, and ends git by answering false.
  func stream(
    _ arguments: [[UInt8]], input: [UInt8], _ take: (UnsafeRawBufferPointer) -> Bool
  ) async throws(GitError) -> (status: CInt, message: String) {
    // git may end without reading: the write to it then has to fail, not to end this program.
    signal(SIGPIPE, SIG_IGN)
    let all = (["-C", folder] + GitProcess.caution).map { Array($0.utf8) } + arguments
    do {
      let result = try await Subprocess.run(
        .name("git"), arguments: Arguments(all.map { $0 + [0] }), environment: environment, input: Input(bytes: input),
        output: .sequence, error: .bytes(limit: GitProcess.mostMessage)
      ) { execution in
        for try await buffer in execution.standardOutput where !buffer.withUnsafeBytes(take) { break }
      }
      let message = GitProcess.firstLine(result.standardError)
      switch result.terminationStatus {
      case .exited(let code): return (code, message)
      case .signaled(let signal): return (128 + signal, message)
      }
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw GitError(.missing, "git is not installed, or not on $PATH; install it (on Debian: `apt install git`).")
    } catch {
      throw GitError(.failed, "git could not be run: \(error).")
    }
  }

  private static func firstLine(_ text: [UInt8]) -> String {
    let line = String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
    for word in ["fatal: ", "error: "] where line.hasPrefix(word) { return String(line.dropFirst(word.count)) }
    return line
  }
}

extension GitProcess.Outcome {
  /// The sentence for something that should not have failed.
  func failure(_ action: String) -> GitError {
    if message.contains("dubious ownership") {
      return GitError(
        .denied,
        "git does not trust the repository, since it belongs to another user; `git config --global --add safe.directory …` says that you do."
      )
    }
    return GitError(.damaged, "git could not \(action): \(message.isEmpty ? "it ended with \(status)" : message).")
  }
}

/// What git need not read to its end: a write that fails is no failure of ours.
private struct Input: InputProtocol {
  let bytes: [UInt8]

  func write(with writer: StandardInputWriter) async {
    _ = try? await writer.write(bytes)
  }
}
