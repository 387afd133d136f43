import ArgumentParser
import Daemon
import Git
import Glibc
import Serve
import Store
import SystemPackage

/// An error that ends the run or a part of it: a message for people, and an exit code for scripts.
///
/// The main function reports it, and makes one of a library's error unless a command knows more about it.
struct Failure: Error, Hashable, CustomStringConvertible {
  let code: ExitCode
  /// Sentences: what is wrong, and what to do.
  let message: String
  private(set) var word: String?
  /// The column in the word, from 1, in Unicode scalars.
  private(set) var column = 1
  /// The word of `set` that makes an edit which was refused; nil if there is none.
  private(set) var assignment: String?

  init(_ code: ExitCode, _ message: String, assignment: String? = nil) {
    self.code = code
    self.message = message
    self.assignment = assignment
  }

  /// - Parameter act: What failed, as a participle: `read`, `written`, `created`.
  init(_ code: ExitCode, _ name: String, _ error: Errno, act: String) {
    self.init(code, "\(name) cannot be \(act): \(error.reason).")
  }

  init(word: String, column: Int = 1, _ message: String) {
    self.init(.usage, message)
    self.word = word
    self.column = column
  }

  /// Uses a message that may quote a file. Line breaks in it are escaped.
  init(_ code: ExitCode, quoting message: String) { self.init(code, DisplayText.safe(message)) }

  init(_ error: EditError, in folder: String) {
    self.init(ExitCode(error), FolderName(folder).description(of: error))
  }

  /// A closed pipe is not a failure: the program ends by SIGPIPE, as a shell expects. A socket also reports a
  /// reset connection.
  init(writing error: Errno) {
    let isClosed = error == .brokenPipe || error == .connectionReset
    self.init(isClosed ? .closedPipe : .cannotWrite, "Standard output", error, act: "written")
  }

  var description: String {
    guard let word else { return message }
    let shown =
      word.unicodeScalars.count <= 100
      ? word : String(String.UnicodeScalarView(word.unicodeScalars.prefix(100))) + "…"
    return "`\(shown)`, column \(column): \(message)"
  }

  func end() -> Never {
    if code == .closedPipe { Signals.end(by: SIGPIPE) }
    StandardError.report(description)
    NotesWatch.exit(withError: code)
  }

  /// Prints a message on standard error, and returns the exit code for the caller to throw.
  static func report(_ code: ExitCode, _ message: String) -> ExitCode {
    StandardError.report(message)
    return code
  }

  /// Prints an error after which the command continues, and returns what to throw when it ends.
  static func report(_ error: any Error) -> any Error {
    guard let failure = Failure(error), failure.code != .closedPipe else { return error }
    return report(failure.code, failure.description)
  }

  static func missingItem(_ id: Item.ID, in folder: String, among ids: some Sequence<Item.ID>) -> String {
    let advice =
      id.nearest(among: ids).map { "Did you mean `\($0)`?" }
      ?? "To see all ids, run: notes-watch list \(folder.shellWord) -o id"
    return "There is no item `\(id)` in \(folder). \(advice)"
  }
}

extension Failure {
  init?(_ error: any Error) {
    let code: ExitCode
    switch error {
    case let error as Failure: self = error
    case let error as StoreError:
      code =
        switch error.code {
        case .notFound: .noInput
        case .permissionDenied: .noPermission
        case .badSettings: .badSettings
        default: .systemError
        }
      // The settings are quoted in the message.
      self.init(code, quoting: error.description)
    case let error as SettingsError where error.isMismatch: self.init(.usage, "--\(error)")
    case let error as SettingsError: self.init(.badSettings, error.message)
    case let error as GitError:
      code =
        switch error.code {
        case .missing: .unavailable
        case .noRepository, .unknownRevision: .noInput
        case .usage: .usage
        case .denied: .noPermission
        case .damaged: .badData
        case .badSettings: .badSettings
        case .timedOut, .failed: .systemError
        }
      self.init(code, error.description)
    case let error as HTTPServerError:
      code =
        switch error.code {
        case .portInUse, .noAddress, .badPath: .unavailable
        case .denied: .noPermission
        case .alreadyRunning: .tryAgain
        case .system: .systemError
        case .noDaemon, .lost, .badAnswer: .unavailable
        case .readerIsGone: .closedPipe
        case .notPermitted: .noPermission
        case .refused(let code): ExitCode(refusal: code)
        }
      self.init(code, error.description)
    case let error as ConfigurationFailure:
      code =
        switch error.kind {
        case .missing: .noInput
        case .denied: .noPermission
        case .invalid: .badSettings
        }
      self.init(code, error.errors.map(\.description).joined(separator: "\nnotes-watch: "))
    default: return nil
    }
  }
}

extension ExitCode {
  static let usage = ExitCode(64)
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let systemError = ExitCode(71)
  static let cannotCreate = ExitCode(73)
  static let cannotWrite = ExitCode(74)
  static let tryAgain = ExitCode(75)
  static let noPermission = ExitCode(77)
  static let badSettings = ExitCode(78)
  /// The status that a shell sees after SIGPIPE.
  fileprivate static let closedPipe = ExitCode(128 + SIGPIPE)

  init(_ error: EditError) {
    self =
      switch error.code {
      case .notFound: .noInput
      case .invalidID, .exists, .readOnly, .noSpace: .cannotCreate
      case .refused: error.refusal?.reason == .missing ? .noInput : .badData
      case .ambiguous, .unreadable: .badData
      case .conflict, .busy: .tryAgain
      case .permissionDenied: .noPermission
      default: .cannotWrite
      }
  }

  /// The exit code for the code of a refusal of the daemon, which may be one of a later version.
  fileprivate init(refusal code: String) {
    self =
      switch code {
      case "bad-request", "mismatch": .usage
      case "unknown-folder", "unknown-sink", "missing": .noInput
      case "bad-view": .badSettings
      case "not-ready", "busy", "too-many-streams": .tryAgain
      default: .unavailable
      }
  }
}
