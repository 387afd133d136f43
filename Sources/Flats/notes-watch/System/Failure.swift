import ArgumentParser
import Files
import Git
import HTTPTransport
import Serve
import Store
import SystemPackage

/// An error that ends the run or a part of it: a message for people, and an exit code for scripts.
struct Failure: Error, CustomStringConvertible {
  let code: ExitCode
  let description: String

  init(_ code: ExitCode, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Describes a file that cannot be used.
  ///
  /// - Parameter act: What failed, as a participle: `read`, `written`, `created`.
  init(_ code: ExitCode, _ name: String, _ error: Errno, act: String) {
    self.init(code, "\(name) cannot be \(act): \(error.reason).")
  }

  /// Prints a message on standard error, and returns the exit code for the caller to throw.
  static func report(_ code: ExitCode, _ message: String) -> ExitCode {
    StandardError.report(message)
    return code
  }

  static func report(_ error: StoreError) -> ExitCode {
    let code: ExitCode =
      switch error.code {
      case .noDirectory: .noInput
      case .permissionDenied: .noPermission
      case .badSettings: .badSettings
      default: .systemError
      }
    // The settings are quoted in the message, and may contain line breaks.
    StandardError.reportLine(error.description)
    return code
  }

  static func report(_ error: GitError) -> ExitCode {
    let code: ExitCode =
      switch error.code {
      case .missing: .unavailable
      case .noRepository, .unknownRevision: .noInput
      case .usage: .usage
      case .denied: .noPermission
      case .damaged: .badData
      case .badSettings: .badSettings
      case .timedOut, .failed: .systemError
      }
    return report(code, error.description)
  }

  static func report(_ error: HTTPServerError) -> ExitCode {
    let code: ExitCode =
      switch error.code {
      case .portInUse, .noAddress, .badPath: .unavailable
      case .denied: .noPermission
      case .alreadyRunning: .tryAgain
      case .system: .systemError
      }
    return report(code, error.description)
  }

  /// Returns a sentence about an id that no item has.
  ///
  /// - Parameter ids: The ids of the folder, to find the one that was probably meant.
  static func missingItem(_ id: Item.ID, in folder: String, among ids: some Sequence<Item.ID>) -> String {
    let advice =
      id.nearest(among: ids).map { "Did you mean `\($0)`?" }
      ?? "To see all ids, run: notes-watch list \(ShellWord(folder)) -o id"
    return "There is no item `\(id)` in \(folder). \(advice)"
  }

  /// Runs `body`, and reports its errors of git, of the store and of the settings. Other errors
  /// pass through.
  ///
  /// A wrong combination of revisions becomes an error that shows the usage of the command.
  static func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as GitError where error.code == .usage {
      throw ValidationError(error.description)
    } catch let error as GitError {
      throw report(error)
    } catch let error as StoreError {
      throw report(error)
    } catch let error as SettingsError {
      throw report(.badSettings, error.message)
    }
  }
}
