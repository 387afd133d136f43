import ArgumentParser
import GitHistory
import PlainStore

/// Tells a person what ended the run, and ends it with the code that tells a script.
enum Failure {
  static func exit(_ code: ExitCode, _ message: String) -> ExitCode {
    StandardError.write("notes-watch: \(message)")
    return code
  }

  static func exit(_ error: StoreError) -> ExitCode {
    let code: ExitCode =
      switch error.code {
      case .noDirectory: .noInput
      case .permissionDenied: .noPermission
      case .badSettings: .badSettings
      default: .systemError
      }
    guard error.code == .badSettings else { return exit(code, error.description) }
    // As `check` prints it.
    StandardError.writeLine(error.description)
    return code
  }

  static func exit(_ error: GitError) -> ExitCode {
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
    return exit(code, error.description)
  }

  /// What ends a run for a reason of its own is told in its words; anything else passes through.
  static func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as GitError {
      throw exit(error)
    } catch let error as StoreError {
      throw exit(error)
    } catch let error as SettingsError {
      throw exit(.badSettings, error.message)
    }
  }
}
