import ArgumentParser
import Daemon

/// `service`: the systemd user service that runs the daemon.
struct ServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Let systemd run the daemon for this user.",
    usage: "notes-watch service install|uninstall|status",
    discussion: """
      The daemon then starts at login, restarts after a crash, and writes its log to the journal.

      EXAMPLES
        notes-watch service install      write the units, and start the daemon
        notes-watch service status       check that systemd runs it
        notes-watch service uninstall    stop it, and remove the units
        journalctl --user -u notes-watch -f
      """,
    subcommands: [ServiceInstallCommand.self, ServiceUninstallCommand.self, ServiceStatusCommand.self])

  /// The folder of this user's units.
  static var units: UnitFolder {
    get throws(ServiceError) { try UnitFolder(Environment.values(of: "XDG_CONFIG_HOME", "HOME")) }
  }

  /// The systemd of this user; nil if it does not run.
  static var manager: UserManager? { UserManager(Environment.values(of: "XDG_RUNTIME_DIR")) }

  /// Runs the steps of an installation, and prints them, also those before a failure.
  static func perform(_ steps: (ServiceInstallation, _ report: (String) -> Void) throws(ServiceError) -> Void) throws {
    var lines: [String] = []
    var failure: ServiceError?
    do throws(ServiceError) {
      try steps(ServiceInstallation(try units, manager)) { lines.append($0) }
    } catch {
      failure = error
    }
    var output = BufferedOutput(StandardOutput())
    try output.writeLines(lines)
    if let failure { throw Failure.report(failure) }
  }
}

extension Failure {
  static func report(_ error: ServiceError) -> ExitCode {
    let code: ExitCode =
      switch error.code {
      case .badPath: .badSettings
      case .edited, .file: .cannotCreate
      case .manager: .systemError
      }
    return report(code, error.description)
  }
}
