import Foundation
import TestSupport
import Testing

/// `make install` and `make uninstall`, with the program that was built with the tests.
@Suite(.timeLimit(.minutes(3)), .enabled(if: Machine.has("make"), "needs make")) struct InstallTests {
  private static let page = """
    .Dd November 22, 2026
    .Dt NOTES-WATCH.LIST 1
    .Os
    .Sh NAME
    .Nm "notes-watch list"
    .Nd "Print the list."
    .Sh SYNOPSIS
    .Nm
    .Ar DIR
    .Sh DESCRIPTION
    One.

    Two.
    .Sh SEE ALSO
    .Xr notes-watch.git.install 1 ,
    .Xr notes-watch.log 1
    """
  /// A folder with pages as the generator of argument-parser writes them, and programs that act as it
  /// and as SwiftPM.
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "pages/notes-watch.1": Self.page, "pages/notes-watch.list.1": Self.page,
      "pages/notes-watch.git.install.1": Self.page,
      "swift": "#!/bin/sh\ndirname \"$0\"\n",
      "generate-manual": "#!/bin/sh\neval folder=\\${$#}\ncp \"$(dirname \"$0\")\"/pages/* \"$folder\"\n",
    ])
    try folder.shell("chmod 755 swift generate-manual")
  }

  /// Runs a target, without the build and the generator.
  private func make(_ target: String, _ variables: String = "PREFIX=/usr", before: String = "") throws {
    let built = URL(fileURLWithPath: BuiltProgram.path).deletingLastPathComponent().path
    try folder.shell(
      "\(before) make -s -C '\(UnitTemplates.top)' \(target) SWIFT=\"$PWD/swift\" release='\(built)' "
        + "staged=\"$PWD/staged\" DESTDIR=\"$PWD/root\" \(variables)")
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try folder.bytes(of: path), as: UTF8.self)
  }

  @Test func `install writes each file to its place, and uninstall removes exactly these`() throws {
    for path in ["root/usr/bin/other", "root/usr/share/man/man1/notes.1", "root/usr/share/man/man7/other.7"] {
      try folder.write("", to: path)
    }
    let before = try folder.shell("find root -type f | sort")
    try make("install")
    let files = Set(
      try folder.shell("cd root/usr; find . -type f -printf '%m %P\\n'").split(separator: "\n").map(
        String.init))
    let expected = [
      "755 bin/notes-watch", "644 share/man/man1/notes-watch.1", "644 share/man/man1/notes-watch-list.1",
      "644 share/man/man1/notes-watch-git-install.1", "644 lib/systemd/user/notes-watch.service",
      "644 lib/systemd/user/notes-watch.socket", "644 share/bash-completion/completions/notes-watch",
      "644 share/fish/vendor_completions.d/notes-watch.fish", "644 share/zsh/site-functions/_notes-watch",
    ]
    #expect(Set(expected).subtracting(files).isEmpty)
    #expect(
      try text("root/usr/lib/systemd/user/notes-watch.service").contains(
        "\nExecStart=\"/usr/bin/notes-watch\" daemon\n"))
    #expect(
      try folder.shell("root/usr/bin/notes-watch --version")
        == Shell.run("'\(BuiltProgram.path)' --version", in: "/"))
    try make("uninstall")
    #expect(try folder.shell("find root -type f | sort") == before)
  }

  @Test func `a page is as man and whatis expect it`() throws {
    try make("install")
    let expected = """
      .Dd November 22, 2026
      .Dt NOTES-WATCH-LIST 1
      .Os
      .Sh NAME
      .Nm notes-watch-list
      .Nd Print the list.
      .Sh SYNOPSIS
      .Nm "notes-watch list"
      .Ar DIR
      .Sh DESCRIPTION
      One.
      .Pp
      Two.
      .Sh SEE ALSO
      .Xr notes-watch-git-install 1 ,
      .Xr notes-watch-log 1

      """
    #expect(try text("root/usr/share/man/man1/notes-watch-list.1") == expected)
  }

  @Test func `units go to the user's folder if the prefix is in it`() throws {
    let variables = "PREFIX=\"$PWD/home/.local\""
    let units = "root\(folder.path)/home/.local/share/systemd/user"
    try make("install", variables, before: "HOME=\"$PWD/home\"")
    #expect(
      try text("\(units)/notes-watch.service").contains(
        "ExecStart=\"\(folder.path)/home/.local/bin/notes-watch\" daemon\n"))
    #expect(try folder.shell("find root -path '*lib/systemd*'").isEmpty)
    try make("uninstall", variables, before: "HOME=\"$PWD/home\"")
    #expect(try folder.shell("find root -type f").isEmpty)
  }

  /// The system's own reader of units checks them: `%` and spaces, too.
  @Test(
    .enabled(if: Machine.has("systemd-analyze"), "needs systemd-analyze"),
    arguments: ["program", "a b&100%;é"])
  func `systemd-analyze accepts the units`(name: String) throws {
    try make("install", "DESTDIR= PREFIX=\"$PWD/\(name)\"", before: "HOME=/nonexistent")
    // Without a runtime folder, systemd 252 reports that it has none, instead of checking the units.
    let output = try folder.shell(
      "mkdir runtime; cd '\(name)/lib/systemd/user'; XDG_RUNTIME_DIR='\(folder.path)/runtime' "
        + "systemd-analyze verify --user --man=no ./notes-watch.service ./notes-watch.socket")
    #expect(output.isEmpty)
  }

  @Test(.enabled(if: Machine.has("systemd-analyze"), "needs systemd-analyze"))
  func `systemd-analyze rates the service`() throws {
    try make("install")
    let output = try folder.shell(
      "cd root/usr/lib/systemd/user; systemd-analyze security --offline=true --no-pager ./notes-watch.service"
    )
    #expect(output.contains("Overall exposure level for notes-watch.service"))
  }
}
