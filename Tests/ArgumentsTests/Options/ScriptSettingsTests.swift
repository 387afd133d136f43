import Daemon
import ArgumentParser
import Scripts
import Testing

@testable import notes_watch

/// The options of the command after `--`, and those of resuming.
@Suite struct ScriptSettingsTests {
  private static func parse(_ line: String) throws -> WatchCommand {
    try WatchCommand.parse(BareOptions.completed(line.split(separator: " ").map(String.init)))
  }

  /// Returns the error message for a command line; nil if it is valid.
  private static func message(_ line: String) -> String? {
    do {
      _ = try parse(line)
      return nil
    } catch {
      return WatchCommand.message(for: error)
    }
  }

  @Test func `without options a command runs once per update and is given failed changes again`() throws {
    let options = try ScriptSettingsTests.parse("notes -- cat").script.settings.options(runsOnce: false)
    #expect(options == CommandSettings().options(runsOnce: false))
    #expect(options.onError == .next)
    #expect(options.maxFailures == 20)
  }

  @Test func `each option sets its part`() throws {
    let line =
      "notes --stdin ids -0 --each --initial --on-error retry --max-failures 3 --timeout 1.5s --on-busy restart --prefix "
      + "--defer-git --state x --once -- /bin/cat -n"
    let command = try ScriptSettingsTests.parse(line)
    let options = command.script.settings.options(runsOnce: command.resume.once)
    var expected = CommandSettings()
    expected.input = .ids
    expected.isNullTerminated = true
    expected.isEach = true
    expected.runsInitially = true
    expected.onError = .retry
    expected.maxFailures = 3
    expected.timeout = .milliseconds(1500)
    expected.onBusy = .restart
    expected.defersGit = .seconds(600)
    #expect(options == expected.options(runsOnce: true))
    #expect(command.script.settings.label(for: command.command) == "cat")
    #expect(command.command == ["/bin/cat", "-n"])
    #expect(command.resume.state == "x")
  }

  @Test func `values come after the equals sign`() throws {
    let command = try ScriptSettingsTests.parse("notes --prefix=site --defer-git=30s --persistent -- build")
    #expect(command.script.settings.label(for: command.command) == "site")
    #expect(command.script.settings.options(runsOnce: false).defersGit == .seconds(30))
    #expect(command.script.settings.options(runsOnce: false).isPersistent)
    #expect(try ScriptSettingsTests.parse("notes -- build").script.settings.label(for: ["build"]) == nil)
  }

  @Test(arguments: [
    "--stdin ids", "-0 --stdin ids", "--each", "--initial", "--on-error retry", "--max-failures 3",
    "--split-on-error", "--timeout 2s",
    "--on-busy queue", "--prefix", "--defer-git", "--persistent",
  ])
  func `an option of a command needs a command`(options: String) throws {
    let message = try #require(ScriptSettingsTests.message("notes \(options)"))
    #expect(message.contains("needs a COMMAND to run. Write it after `--`: notes-watch DIR -"), "\(message)")
  }

  @Test(arguments: [
    ("-0", "-0 needs --stdin ids"), ("--stdin changes -0", "-0 needs --stdin ids"),
    ("--max-failures 0", "--max-failures must be at least 1."),
    ("--timeout 0", "--timeout must be more than 0."), ("--defer-git=0", "--defer-git must be more than 0."),
    ("--max-failures 3", "--max-failures needs --on-error retry or --persistent."),
    ("--on-error stop --max-failures 3", "--max-failures has no effect with --on-error stop."),
    ("--each --split-on-error", "--split-on-error has no effect with --each"),
    ("--persistent --each", "--each cannot be combined with --persistent"),
    ("--persistent --stdin ids", "--stdin cannot be combined"),
    ("--persistent --on-busy restart", "--on-busy cannot be combined"),
    ("--once", "--once needs --state"), ("--connect --once", "--connect cannot run a COMMAND"),
    ("--once --state x -o jsonl --control", "--control and --once cannot be combined."),
    ("--on-error never", "'next', 'retry' or 'stop'"),
    ("--stdin lines", "update"), ("--timeout soon", "soon"), ("--defer-git=", "--defer-git"),
  ])
  func `a wrong combination is explained`(options: String, expected: String) throws {
    let message = try #require(ScriptSettingsTests.message("notes \(options) -- cat"))
    #expect(message.contains(expected), "\(message)")
  }

  @Test(arguments: [
    "--state x", "--state ./x.sqlite -o jsonl", "--since n1.a -o text", "--state x --once",
    "--since -any -o jsonl",
  ])
  func `a stream resumes without a command`(options: String) {
    #expect(ScriptSettingsTests.message("notes \(options)") == nil)
  }
}
