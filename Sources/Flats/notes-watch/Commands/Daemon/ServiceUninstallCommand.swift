import ArgumentParser
import Daemon

/// `service uninstall`: stops the daemon and removes the units.
struct ServiceUninstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Stop the daemon, and remove what install wrote.",
    usage: "notes-watch service uninstall [--force]",
    discussion: """
      The configuration and the states of the sinks stay. Drop-ins of `systemctl --user edit` stay, too.

      EXAMPLE
        notes-watch service uninstall
      """)

  @Flag(help: "Remove units that were edited by hand, too.")
  var force = false

  func run() throws {
    try ServiceCommand.perform { (installation, report) throws(ServiceError) in
      try installation.uninstall(isForced: force, report)
    }
  }
}
