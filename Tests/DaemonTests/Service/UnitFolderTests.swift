import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct UnitFolderTests {
  private let home: TemporaryFolder
  private let folder: UnitFolder
  private let unit: ServiceUnit

  init() throws {
    home = try TemporaryFolder()
    folder = try UnitFolder(["XDG_CONFIG_HOME": "\(home.path)/config", "HOME": "/nowhere"])
    unit = try ServiceUnit(program: "/usr/bin/notes-watch", configuration: nil, hasSocket: true)
  }

  private func units() throws -> String { try home.shell("ls -A config/systemd/user 2> /dev/null || true") }

  @Test func `the folder is that of the user`() throws {
    #expect(folder.path == "\(home.path)/config/systemd/user")
    #expect(try UnitFolder(["XDG_CONFIG_HOME": "relative", "HOME": "/h"]).path == "/h/.config/systemd/user")
    #expect(throws: ServiceError.self) { try UnitFolder([:]) }
  }

  @Test func `install writes both units, and a second install changes nothing`() throws {
    #expect(try folder.install(unit, isForced: false) == [.service, .socket])
    #expect(try units() == "notes-watch.service\nnotes-watch.socket\n")
    #expect(try folder.install(unit, isForced: false) == [])
    #expect(try home.shell("stat -c %a config/systemd/user/*") == "644\n644\n")
  }

  @Test func `install without a socket removes an earlier one with its link`() throws {
    _ = try folder.install(unit, isForced: false)
    try home.shell("cd config/systemd/user; mkdir sockets.target.wants; ln -s ../notes-watch.socket sockets.target.wants/")
    let other = try ServiceUnit(program: "/usr/bin/notes-watch", configuration: nil, hasSocket: false)
    #expect(try folder.install(other, isForced: false) == [.service, .socket])
    #expect(try units() == "notes-watch.service\n")
  }

  @Test(arguments: ServiceUnit.Name.allCases, [true, false])
  func `a unit that was edited by hand is neither replaced nor removed`(name: ServiceUnit.Name, isInstall: Bool) throws {
    _ = try folder.install(unit, isForced: false)
    try home.shell("echo '# mine' >> config/systemd/user/\(name.rawValue)")
    let before = try home.shell("cat config/systemd/user/*")
    let newer = try ServiceUnit(program: "/opt/notes-watch", configuration: nil, hasSocket: true)
    let error = #expect(throws: ServiceError.self) {
      _ = try isInstall ? folder.install(newer, isForced: false) : folder.uninstall(isForced: false)
    }
    #expect(error?.code == .edited)
    #expect(try home.shell("cat config/systemd/user/*") == before)
  }

  @Test func `force replaces and removes a unit that was edited by hand`() throws {
    for end in [true, false] {
      try home.write("mine", to: "config/systemd/user/notes-watch.service")
      if end {
        #expect(try folder.install(unit, isForced: true) == [.service, .socket])
        #expect(try folder.state(of: .service) == .installed(UnitFile.signed(unit.text(of: .service))))
      } else {
        #expect(try folder.uninstall(isForced: true) == [.service, .socket])
        #expect(try units().isEmpty)
      }
    }
  }

  /// `systemctl --user mask` makes such a link.
  @Test(arguments: ["/dev/null", "/nowhere", "../../../elsewhere"])
  func `a link is somebody's decision, and nothing is written through it`(target: String) throws {
    try home.write("theirs", to: "elsewhere")
    try home.makeFolder("config/systemd/user")
    try home.link("config/systemd/user/notes-watch.service", to: target)
    #expect(throws: ServiceError.self) { try folder.install(unit, isForced: false) }
    #expect(try folder.install(unit, isForced: true) == [.service, .socket])
    #expect(try home.shell("cat elsewhere; stat -c %F config/systemd/user/notes-watch.service") == "theirsregular file\n")
  }

  @Test(.timeLimit(.minutes(1))) func `what is no file blocks nothing`() throws {
    try home.makeFolder("config/systemd/user/notes-watch.socket")
    try home.makeFIFO("config/systemd/user/notes-watch.service")
    #expect(throws: ServiceError.self) { try folder.install(unit, isForced: false) }
    let error = #expect(throws: ServiceError.self) { try folder.install(unit, isForced: true) }
    #expect(error?.code == .file)
  }

  @Test func `uninstall removes the units and their links, and nothing else`() throws {
    _ = try folder.install(unit, isForced: false)
    try home.shell(
      """
      cd config/systemd/user; mkdir default.target.wants sockets.target.wants notes-watch.service.d
      ln -s ../notes-watch.service default.target.wants/; ln -s ../notes-watch.socket sockets.target.wants/
      echo x > default.target.wants/other.service; echo x > notes-watch.service.d/mine.conf; echo x > other.service
      """)
    #expect(try folder.uninstall(isForced: false) == [.service, .socket])
    #expect(
      try home.shell("cd config/systemd/user; find . -type f | sort")
        == "./default.target.wants/other.service\n./notes-watch.service.d/mine.conf\n./other.service\n")
    #expect(try home.shell("cd config/systemd/user; find . -type l").isEmpty)
    #expect(try folder.uninstall(isForced: false) == [])
  }
}
