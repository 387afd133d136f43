/// The output of `service status`: facts, and the reasons why the daemon does not run as it should.
package struct ServiceReport: Sendable, Hashable {
  /// One line per fact.
  package private(set) var lines: [String] = []
  /// One sentence per reason, with what to do.
  package private(set) var warnings: [String] = []

  private static let keys = [
    "LoadState", "ActiveState", "SubState", "Result", "StatusText", "MainPID", "FragmentPath", "UnitFileState", "NeedDaemonReload",
    "ActiveEnterTimestamp",
  ]

  /// Reads the units of a user, and asks the manager about them.
  ///
  /// - Parameters:
  ///   - folder: The folder of the units.
  ///   - program: The path of this program.
  ///   - manager: The manager of this user; nil if it does not run.
  package init(_ folder: UnitFolder, program: String, _ manager: UserManager?) throws(ServiceError) {
    for name in ServiceUnit.Name.allCases { try describe(name, in: folder, program) }
    guard let manager else {
      lines.append("manager  systemd does not run for this user here")
      warnings.append("Without systemd, start the daemon yourself: notes-watch daemon")
      return
    }
    for name in ServiceUnit.Name.allCases { describe(name, try manager.properties(of: name, ServiceReport.keys), in: folder) }
    switch UserManager.lingers {
    case true?: lines.append("linger   yes: the daemon starts with the machine, and stays after the logout")
    case false?: lines.append("linger   no: the daemon ends at the last logout; to keep it: loginctl enable-linger")
    case nil: break
    }
  }

  private mutating func describe(_ name: ServiceUnit.Name, in folder: UnitFolder, _ program: String) throws(ServiceError) {
    let path = folder.path(of: name)
    switch try folder.state(of: name) {
    case .absent: lines.append("unit     \(path): not installed")
    case .edited: lines.append("unit     \(path): edited by hand, or not written by `service install`")
    case .installed(let text):
      lines.append("unit     \(path): installed")
      if name == .service, !ServiceUnit.starts(program, in: text) {
        warnings.append("\(path) does not start this program, \(program). To let it: notes-watch service install")
      }
    }
  }

  private mutating func describe(_ name: ServiceUnit.Name, _ unit: [String: String], in folder: UnitFolder) {
    let key = name == .service ? "service " : "socket  "
    guard unit["LoadState"] == "loaded", let state = unit["ActiveState"] else {
      lines.append("\(key) unknown to systemd")
      if name == .service { warnings.append("systemd has no service of notes-watch. To install it: notes-watch service install") }
      return
    }
    var text = "\(state) (\(unit["SubState"] ?? ""))"
    if let since = unit["ActiveEnterTimestamp"], !since.isEmpty, state == "active" { text += " since \(since)" }
    if let process = unit["MainPID"], process != "0" { text += ", process \(process)" }
    if let sentence = unit["StatusText"], !sentence.isEmpty { text += ": \(sentence)" }
    lines.append("\(key) \(text); \(unit["UnitFileState"] ?? "") at login")
    if let path = unit["FragmentPath"], !path.isEmpty, path != folder.path(of: name) { lines.append("         from \(path)") }
    warn(name, unit, state)
  }

  private mutating func warn(_ name: ServiceUnit.Name, _ unit: [String: String], _ state: String) {
    if unit["NeedDaemonReload"] == "yes" {
      warnings.append("\(name.rawValue) has changed since systemd read it. To read it again: systemctl --user daemon-reload")
    }
    if state == "failed" {
      warnings.append(
        "\(name.rawValue) failed (\(unit["Result"] ?? "")). Its messages: journalctl --user -u \(name.rawValue). "
          + "To start it: systemctl --user restart \(name.rawValue)")
    }
    if name == .service, state == "inactive" {
      warnings.append("The daemon does not run. To start it: systemctl --user start \(name.rawValue)")
    }
    if name == .service, unit["UnitFileState"] == "disabled" {
      warnings.append("The daemon does not start at login. To let it: systemctl --user enable \(name.rawValue)")
    }
  }
}
