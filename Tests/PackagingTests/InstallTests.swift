import Foundation
import TestSupport
import Testing

/// `make install` and `make uninstall`, with the program that was built with the tests.
@Suite(.timeLimit(.minutes(3)), .enabled(if: Machine.has("make"), "needs make")) struct InstallTests {
  private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  private func make(_ target: String, _ folder: TemporaryFolder) throws {
    let built = URL(fileURLWithPath: BuiltProgram.path).deletingLastPathComponent().path
    try folder.shell("make -s -C '\(Self.top)' \(target) SWIFT=true release='\(built)' DESTDIR=\"$PWD/root\" PREFIX=/usr")
  }

  @Test func `install writes each file to its place, and uninstall removes exactly these`() throws {
    let folder = try TemporaryFolder([
      "root/usr/bin/other": "", "root/usr/share/man/man1/notes.1": "", "root/usr/share/man/man7/other.7": "",
    ])
    let before = try folder.shell("find root -type f | sort")
    try make("install", folder)
    let files = Set(try folder.shell("cd root/usr; find . -type f -printf '%m %P\\n'").split(separator: "\n").map(String.init))
    let expected = [
      "755 bin/notes-watch", "644 share/man/man1/notes-watch.1", "644 share/man/man1/notes-watch-list.1",
      "644 share/man/man5/notes-watch.yaml.5", "644 share/man/man7/notes-watch-stream.7", "644 lib/systemd/user/notes-watch.service",
      "644 lib/systemd/user/notes-watch.socket", "644 share/bash-completion/completions/notes-watch",
      "644 share/fish/vendor_completions.d/notes-watch.fish", "644 share/zsh/site-functions/_notes-watch",
    ]
    #expect(Set(expected).subtracting(files).isEmpty)
    let unit = String(decoding: try folder.bytes(of: "root/usr/lib/systemd/user/notes-watch.service"), as: UTF8.self)
    #expect(unit.contains("ExecStart=/usr/bin/notes-watch daemon\n"))
    #expect(try folder.shell("root/usr/bin/notes-watch --version") == Shell.run("'\(BuiltProgram.path)' --version", in: "/"))
    try make("uninstall", folder)
    #expect(try folder.shell("find root -type f | sort") == before)
  }
}
