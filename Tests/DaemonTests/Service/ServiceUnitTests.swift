import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct ServiceUnitTests {
  private static func service(_ program: String = "/usr/bin/notes-watch", config: String? = nil, hasSocket: Bool = true) throws -> String {
    try ServiceUnit(program: program, configuration: config, hasSocket: hasSocket).text(of: .service)
  }

  @Test func `a service starts the program with its configuration`() throws {
    #expect(try Self.service().contains("\nExecStart=/usr/bin/notes-watch daemon\n"))
    #expect(try Self.service(config: "/c.yaml").contains("\nExecStart=/usr/bin/notes-watch daemon --config /c.yaml\n"))
  }

  @Test func `a path is quoted as systemd reads it`() throws {
    let text = try Self.service("/a b/no$te%s", config: #"/c d$e%f"g\h'i.yaml"#)
    #expect(text.contains(#"ExecStart="/a b/no$te%%s" daemon --config "/c d$$e%%f\"g\\h'i.yaml""# + "\n"))
  }

  @Test(arguments: ["notes-watch", "", "./a", "/a\nExecStart=/bin/sh", "/a\u{1B}[2J", "/a\u{85}b"])
  func `a path that a unit cannot hold is refused`(path: String) {
    #expect(throws: ServiceError.self) { try Self.service(path) }
    #expect(throws: ServiceError.self) { try Self.service(config: path) }
  }

  @Test(arguments: ["/a\"b", "/a'b", "/a\\b"])
  func `a program that systemd does not start is refused`(path: String) throws {
    #expect(throws: ServiceError.self) { try Self.service(path) }
    #expect(try Self.service(config: path).contains("--config \""))
  }

  @Test func `only a service with a socket names it`() throws {
    #expect(try Self.service().contains("\nAlso=notes-watch.socket\n"))
    #expect(try !Self.service(hasSocket: false).contains("notes-watch.socket"))
  }

  /// The system's own reader of units checks them: `%`, `$` and quotes, too.
  @Test(
    .enabled(if: Machine.has("systemd-analyze"), "needs systemd-analyze"),
    arguments: ["program", "a b", "100%", "$HOME", "semi;colon", "é"])
  func `systemd-analyze accepts the units`(name: String) throws {
    let folder = try TemporaryFolder(["\(name)/run": "#!/bin/sh\n"])
    chmod("\(folder.path)/\(name)/run", 0o755)
    let unit = try ServiceUnit(program: "\(folder.path)/\(name)/run", configuration: "/a\"b'c\\d/\(name)", hasSocket: true)
    for file in ServiceUnit.Name.allCases { try folder.write(UnitFile.signed(unit.text(of: file)), to: file.rawValue) }
    // Without a runtime folder, systemd 252 reports that it has none, instead of checking the units.
    let output = try folder.shell(
      "mkdir runtime; XDG_RUNTIME_DIR=$PWD/runtime systemd-analyze verify --user --man=no ./notes-watch.service ./notes-watch.socket")
    #expect(output.isEmpty)
  }

  @Test(.enabled(if: Machine.has("systemd-analyze"), "needs systemd-analyze"))
  func `systemd-analyze rates the service`() throws {
    let folder = try TemporaryFolder(["notes-watch.service": try Self.service("/bin/true")])
    let output = try folder.shell("systemd-analyze security --offline=true --no-pager ./notes-watch.service")
    #expect(output.contains("Overall exposure level for notes-watch.service"))
  }
}
