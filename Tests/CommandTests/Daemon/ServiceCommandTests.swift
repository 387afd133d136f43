import TestSupport
import Testing

/// The service is installed for a user whose systemd does not run.
@Suite(.timeLimit(.minutes(2))) struct ServiceCommandTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder(["config/notes-watch/config.yaml": "folders:\n  - path: ../../notes\n", "notes/a.yaml": "k: 1\n"])
    try home.shell("chmod 600 config/notes-watch/config.yaml; mkdir runtime")
  }

  private func service(_ arguments: String...) async throws -> Program.State {
    let environment = ["XDG_CONFIG_HOME": "\(home.path)/config", "XDG_RUNTIME_DIR": "\(home.path)/runtime"]
    return try await BuiltProgram.start(["service"] + arguments, environment: environment, in: home.path).end()
  }

  @Test func `install writes the units and says what to run`() async throws {
    let end = try await service("install")
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(end.outputText.contains("wrote \(home.path)/config/systemd/user/notes-watch.service\n"))
    #expect(end.outputText.contains("  systemctl --user enable --now notes-watch.socket notes-watch.service\n"))
    #expect(end.outputText.contains("loginctl enable-linger"))
    let unit = try await home.shell("cat config/systemd/user/notes-watch.service")
    #expect(unit.contains("ExecStart=\(BuiltProgram.path) daemon --config \(home.path)/config/notes-watch/config.yaml\n"))
  }

  @Test func `a wrong configuration installs nothing`() async throws {
    try home.write("folder: []\n", to: "config/notes-watch/config.yaml")
    let end = try await service("install")
    #expect(end.status == .exited(78))
    #expect(end.errorText.contains("config.yaml:1"))
    #expect(end.errorText.contains("Nothing was changed"))
    #expect(try await home.shell("ls config") == "notes-watch\n")
  }

  @Test func `status names what is missing`() async throws {
    let end = try await service("status")
    #expect(end.status == .exited(1))
    #expect(end.outputText.contains("notes-watch.service: not installed\n"))
    #expect(end.outputText.contains("\n! "))
  }

  @Test func `uninstall removes what install wrote`() async throws {
    _ = try await service("install", "--config", "config/notes-watch/config.yaml")
    #expect(try await home.shell("grep -c 'config \(home.path)/config/' config/systemd/user/notes-watch.service") == "1\n")
    let end = try await service("uninstall")
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(try await home.shell("ls -A config/systemd/user").isEmpty)
    #expect(try await service("uninstall").status == .exited(0))
  }

  @Test func `a unit that was edited by hand stays`() async throws {
    _ = try await service("install")
    try await home.shell("echo '# mine' >> config/systemd/user/notes-watch.service")
    for command in ["install", "uninstall"] {
      let end = try await service(command)
      #expect(end.status == .exited(73), "\(command)")
      #expect(end.errorText.contains("was edited by hand"), "\(command)")
    }
    #expect(try await service("uninstall", "--force").status == .exited(0))
  }

  @Test func `a unit is printed for packages`() async throws {
    let end = try await service("install", "--print", "notes-watch.service", "--program", "/usr/bin/notes-watch")
    #expect(end.outputText.contains("\nExecStart=/usr/bin/notes-watch daemon\n"))
    let socket = try await service("install", "--print", "notes-watch.socket")
    #expect(socket.outputText.contains("\nListenStream=%t/notes-watch/daemon.sock\n"))
    #expect(try await home.shell("ls config") == "notes-watch\n")
  }
}
