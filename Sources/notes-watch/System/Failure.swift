import ArgumentParser
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
      case .system: .systemError
      }
    return exit(code, error.description)
  }
}
