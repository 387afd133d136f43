import Files
import Glibc
import SystemPackage

/// Installs and removes the service of this user. Each step is a line for people.
package struct ServiceInstallation: Sendable {
  private let folder: UnitFolder
  private let manager: UserManager?
  private static let log = "journalctl --user -u notes-watch"

  /// Makes an installation.
  ///
  /// - Parameters:
  ///   - folder: The folder of the units.
  ///   - manager: The manager of this user; nil if it does not run.
  package init(_ folder: UnitFolder, _ manager: UserManager?) {
    self.folder = folder
    self.manager = manager
  }

  /// Returns the messages of the daemon about its configuration; nil if it accepts it.
  ///
  /// - Parameter unit: The service. Its program reads the configuration, as it will do later.
  package static func mistakes(of unit: ServiceUnit) throws(ServiceError) -> String? {
    let command = [unit.program, "daemon", "--check"] + (unit.configuration.map { ["--config", $0] } ?? [])
    do throws(Errno) {
      let run = try FinishedProcess(command, adding: [:])
      return run.status == 0 ? nil : run.output
    } catch {
      throw ServiceError(.file, "\(unit.program) cannot be started: \(error.reason).")
    }
  }

  /// Writes the units, and starts the daemon if a manager runs.
  ///
  /// - Parameters:
  ///   - unit: The service.
  ///   - isForced: True to replace units that were edited by hand.
  ///   - report: Receives a line per step.
  package func install(_ unit: ServiceUnit, isForced: Bool, _ report: (String) -> Void) throws(ServiceError) {
    try folder.refuseEdited(isForced)
    // systemd does not start a socket while its service runs.
    stop()
    let changed = try folder.install(unit, isForced: isForced)
    for name in ServiceUnit.Name.allCases where changed.contains(name) || unit.names.contains(name) {
      let act = !changed.contains(name) ? "unchanged" : unit.names.contains(name) ? "wrote" : "removed"
      report("\(act) \(folder.path(of: name))")
    }
    let names = unit.names.map(\.rawValue).reversed()
    guard let manager else {
      report("systemd does not run for this user here. Where it does, run:")
      report("  systemctl --user daemon-reload")
      report("  systemctl --user enable --now \(names.joined(separator: " "))")
      return report(ServiceInstallation.lingerAdvice)
    }
    try manager.control("daemon-reload")
    try manager.control(["enable"] + names)
    report("systemd starts the daemon at login")
    for name in names { try start(name, manager) }
    report("the daemon runs; `notes-watch status` shows what it does, and `\(ServiceInstallation.log)` its log")
    if UserManager.lingers != true { report(ServiceInstallation.lingerAdvice) }
  }

  /// Stops the daemon, and removes the units.
  ///
  /// - Parameters:
  ///   - isForced: True to remove units that were edited by hand.
  ///   - report: Receives a line per step.
  package func uninstall(isForced: Bool, _ report: (String) -> Void) throws(ServiceError) {
    try folder.refuseEdited(isForced)
    stop()
    let removed = try folder.uninstall(isForced: isForced)
    for name in removed { report("removed \(folder.path(of: name))") }
    if removed.isEmpty { report("There are no units in \(folder.path).") }
    guard let manager, !removed.isEmpty else { return }
    try manager.control("daemon-reload")
    // Without this, a unit that failed stays in the manager's list.
    for name in removed { _ = try? manager.control("reset-failed", name.rawValue) }
    report("the daemon is stopped")
  }

  private static let lingerAdvice =
    "The daemon ends at the last logout of this user, and starts at the first login. To keep it running: loginctl enable-linger"

  /// Stops the service and the socket. A unit that is not loaded is an error for systemd, but not
  /// here.
  private func stop() {
    for name in ServiceUnit.Name.allCases.reversed() { _ = try? manager?.control("stop", name.rawValue) }
  }

  private func start(_ name: String, _ manager: UserManager) throws(ServiceError) {
    do throws(ServiceError) {
      try manager.control("start", name)
    } catch {
      throw ServiceError(.manager, "\(error.description)\nThe units stay installed. Its messages: \(ServiceInstallation.log)")
    }
  }
}
