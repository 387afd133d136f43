/// The systemd user units of the daemon: a service, and a socket that starts it.
///
/// docs/daemon.md gives the reason for each line, and for those that are absent.
package struct ServiceUnit: Sendable, Hashable {
  /// The absolute path of the program.
  package let program: String
  /// The absolute path of the configuration; nil for the default.
  package let configuration: String?
  /// True if the first client starts the daemon.
  package let hasSocket: Bool

  /// Makes the units.
  ///
  /// - Throws: `ServiceError` if a path cannot be written in a unit.
  package init(program: String, configuration: String?, hasSocket: Bool) throws(ServiceError) {
    for path in [program, configuration].compactMap(\.self) {
      guard path.hasPrefix("/"), !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw ServiceError(.badPath, "A unit cannot name `\(path)`: the path is not absolute, or has control characters. Use another one.")
      }
    }
    // systemd refuses these in the path of a program, quoted or not.
    guard !program.contains(where: { "\"'\\".contains($0) }) else {
      throw ServiceError(.badPath, "systemd starts no program with a quote or a backslash in its path: \(program). Move the program.")
    }
    self.program = program
    self.configuration = configuration
    self.hasSocket = hasSocket
  }

  /// The names of the unit files.
  package enum Name: String, Sendable, CaseIterable {
    case service = "notes-watch.service"
    case socket = "notes-watch.socket"
  }

  /// The names of the files that this service consists of.
  package var names: [Name] { hasSocket ? [.service, .socket] : [.service] }

  /// Returns the text of a unit file.
  package func text(of name: Name) -> String {
    switch name {
    case .service: service
    case .socket: socket
    }
  }

  /// Returns true if the unit in `text` starts a program.
  static func starts(_ program: String, in text: String) -> Bool {
    text.split(separator: "\n").contains { $0.hasPrefix("ExecStart=\(UnitFile.quoted(program)) ") }
  }

  private var service: String {
    """
    [Unit]
    Description=Live lists of the configured folders (notes-watch)
    Documentation=man:notes-watch-daemon(1)

    [Service]
    Type=notify
    ExecStart=\(command)
    ExecReload=/bin/kill -HUP $MAINPID
    # The daemon reports that it is ready when each folder was read once.
    TimeoutStartSec=infinity
    # The daemon ends its commands itself; what remains after this time is killed.
    KillMode=mixed
    TimeoutStopSec=30s
    # A command that uses too much memory ends alone.
    OOMPolicy=continue
    Restart=on-failure
    RestartSec=2s
    # A restart does not help: wrong usage, no configuration, another daemon, no permission, wrong configuration.
    RestartPreventExitStatus=64 66 75 77 78
    WatchdogSec=5min

    [Install]
    WantedBy=default.target
    \(hasSocket ? "Also=\(Name.socket.rawValue)\n" : "")
    """
  }

  private var socket: String {
    """
    [Unit]
    Description=Socket of notes-watch, whose first client starts the daemon
    Documentation=man:notes-watch-daemon(1)

    [Socket]
    ListenStream=%t/notes-watch/daemon.sock
    SocketMode=0600
    DirectoryMode=0700
    RemoveOnStop=yes

    [Install]
    WantedBy=sockets.target

    """
  }

  /// The command. systemd expands `$` in its arguments, and not in the path of the program.
  private var command: String {
    let words = ["daemon"] + (configuration.map { ["--config", $0] } ?? [])
    return ([UnitFile.quoted(program)] + words.map { UnitFile.quoted($0.replacing("$", with: "$$")) }).joined(separator: " ")
  }
}
