import TestSupport
import Testing

/// The keys of `browse` in the configuration of the user.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Machine.has("tmux"), "needs tmux"))
struct BrowseConfigurationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(["items/ada.yaml": "name: Ada\n", ".home/notes-watch/.keep": ""])
  }

  private func start(_ configuration: String, _ setup: String = "") async throws -> TmuxSession {
    try folder.write(configuration, to: ".home/notes-watch/config.yaml")
    try await folder.shell(
      "chmod go-w .home .home/notes-watch .home/notes-watch/config.yaml; cd .home/notes-watch; \(setup)")
    return try TmuxSession(
      "\"$NOTES_WATCH\" browse items --print id > out", columns: 600, rows: 20, in: folder)
  }

  @Test func `keys of the configuration replace the default ones`() async throws {
    let terminal = try await start("browse: {keys: {quit: Q, delete: [x, delete]}}\nfolders: 7\n")
    try await terminal.wait(for: "1 item")
    try terminal.press("q", "d", "x")
    try await terminal.wait(for: "Delete")
    try terminal.press("n", "Q")
    try await terminal.wait(for: "ended with 1")
  }

  @Test(arguments: [
    ("browse:\n  keys:\n    delete: [x, delte]\n", ":3:17: There is no key `delte`. Did you mean `delete`?"),
    ("browse: {keys: {delete: x, undo: x}}\n", "`x` is also a key of `delete`."),
    ("browse: {kyes: {}}\n", "Did you mean `keys`?"),
    ("browse: {keys: {quit: \"\\e[31m\"}}\n", "There is no key `\\x1b[31m`."),
  ])
  func `a mistake is reported with its place, and nothing is drawn`(configuration: String, message: String)
    async throws
  {
    let terminal = try await start(configuration)
    let lines = try await terminal.wait(for: "ended with 78")
    #expect(lines.joined().contains(message), "\(lines)")
  }

  @Test(arguments: [
    ("chmod o+w config.yaml", 77, "Other users can write the file"),
    ("rm config.yaml; mkfifo config.yaml", 77, "This is not a regular file."),
    ("head -c 2000000 /dev/zero >> config.yaml", 78, "has more than"),
  ])
  func `a file that others could have written, or that is no file, is refused`(
    setup: String, code: Int, message: String
  ) async throws {
    let lines = try await start("browse: {}\n", setup).wait(for: "ended with \(code)")
    #expect(lines.joined().contains(message), "\(lines)")
  }

  @Test func `a data set cannot change a key`() async throws {
    try folder.write("browse: {keys: {quit: Q}}\n", to: "items/.notes-watch.yaml")
    let lines = try await start("browse: {}\n").wait(for: "ended with 78")
    #expect(lines.joined().contains("There is no setting `browse`"), "\(lines)")
  }

  @Test func `the daemon checks the keys, too`() async throws {
    try folder.write("folders: [{path: items}]\nbrowse: {keys: {delte: x}}\n", to: "config.yaml")
    try await folder.shell("chmod go-w . config.yaml")
    let end = try await BuiltProgram.run("daemon", "--check", "--config", "config.yaml", in: folder.path)
    #expect(end.status == .exited(78))
    #expect(end.errorText.contains("config.yaml:2:17: There is no action `delte`."), "\(end.errorText)")
  }
}
