import Glibc
import TestSupport
import Testing

/// Ctrl-Z and `fg`, below a shell with job control.
@Suite struct SuspensionTests {
  private let terminal: PseudoTerminal
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([:])
    terminal = try PseudoTerminal()
    try terminal.start(
      ["/bin/bash", "--norc", "--noprofile", "-i"], environment: ["PS1": "prompt> ", "HISTFILE": ""])
    #expect(terminal.awaitText("prompt> "))
  }

  private var program: String { "'\(BuiltProgram.path(of: "DeviceProbe"))' '\(folder.path)/log'" }

  private var process: pid_t? {
    let first = try? settings("log").split(separator: "\n").first
    return first.flatMap { $0.split(separator: " ").last }.flatMap { pid_t($0) }
  }

  private func settings(_ name: String) throws -> String { try Shell.run("cat \(name)", in: folder.path) }

  private func run(_ command: String) {
    terminal.type(
      "stty -g > '\(folder.path)/before'; \(command); stty -g > '\(folder.path)/after'; echo do''ne\r")
  }

  @Test(arguments: ["", "sh -c '\"$@\"; true' sh "])
  func `the program stops with its group, and continues`(parent: String) throws {
    run(parent + program)
    #expect(terminal.awaitText("ready"))
    terminal.type("z")
    #expect(terminal.awaitText("Stopped"))
    #expect(terminal.count("\u{1B}[?1049l") == 1)
    #expect(terminal.count("\u{1B}[?2004l") >= 1)
    #expect(terminal.awaitText("do" + "ne", count: 1))
    #expect(try settings("after") == settings("before"))
    terminal.type("stty -g > '\(folder.path)/before'; fg; stty -g > '\(folder.path)/after'; echo ba''ck\r")
    #expect(terminal.awaitText("\u{1B}[?1049h", count: 2))
    #expect(terminal.awaitText("resumed"))
    terminal.type("q")
    #expect(terminal.awaitText("ba" + "ck"))
    #expect(try settings("after") == settings("before"))
    #expect(terminal.count("\u{1B}[?1049l") == 2)
    #expect(terminal.eventually { terminal.processes.values.allSatisfy { $0 == "bash" } })
  }

  @Test func `a program that continues in the background stops again and leaves the terminal to the shell`()
    throws
  {
    run(program)
    #expect(terminal.awaitText("ready"))
    terminal.type("Tz")
    #expect(terminal.awaitText("Stopped"))
    #expect(terminal.awaitText("do" + "ne"))
    terminal.type("bg\r")
    #expect(terminal.eventually { process.flatMap(state) == "T" })
    terminal.type("stty -g > '\(folder.path)/after'; jobs; echo li''st\r")
    #expect(terminal.awaitText("Stopped", count: 2))
    #expect(terminal.awaitText("li" + "st"))
    #expect(try settings("after") == settings("before"))
    #expect(terminal.count("\u{1B}[?1049h") == 1)
    terminal.type("fg\r")
    #expect(terminal.awaitText("resumed"))
    let prompts = terminal.count("prompt> ")
    terminal.type("q")
    #expect(terminal.awaitText("prompt> ", count: prompts + 1))
    #expect(terminal.count("\u{1B}[?1049l") == 2)
    expectOldTitle()
  }

  /// Expects that the title of before was restored as often as it was kept.
  private func expectOldTitle(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(terminal.count("\u{1B}[22;2t") >= 2, sourceLocation: sourceLocation)
    #expect(terminal.count("\u{1B}[22;2t") == terminal.count("\u{1B}[23;2t"), sourceLocation: sourceLocation)
  }

  /// Returns the state of a process, such as `T` for a stopped one.
  private func state(of process: pid_t) -> String? {
    let line = try? Shell.run("cut -d ' ' -f 3 /proc/\(process)/stat", in: folder.path)
    return line.map { String($0.prefix(1)) }
  }

  @Test func `a stop from outside is handled as Ctrl-Z is`() throws {
    run(program)
    #expect(terminal.awaitText("ready"))
    let process = try #require(process)
    kill(process, SIGTSTP)
    #expect(terminal.awaitText("Stopped"))
    #expect(terminal.count("\u{1B}[?1049l") == 1)
    terminal.type("fg\r")
    #expect(terminal.awaitText("\u{1B}[?1049h", count: 2))
    #expect(terminal.awaitText("resumed"))
    terminal.type("q")
    #expect(terminal.awaitText("\u{1B}[?1049l", count: 2))
  }

  @Test func `a stop that cannot be handled is recovered from`() throws {
    run(program)
    #expect(terminal.awaitText("ready"))
    let process = try #require(process)
    terminal.type("T")
    #expect(terminal.awaitText("\u{1B}]2;a title"))
    kill(process, SIGSTOP)
    #expect(terminal.awaitText("Stopped"))
    terminal.type("fg\r")
    #expect(terminal.awaitText("resumed"))
    let prompts = terminal.count("prompt> ")
    terminal.type("q")
    #expect(terminal.eventually { terminal.count("\u{1B}[?1049l") >= 1 })
    // At its end, the program discards what was typed for it.
    #expect(terminal.awaitText("prompt> ", count: prompts + 1))
    terminal.type("stty -g > '\(folder.path)/after'; echo ba''ck\r")
    #expect(terminal.awaitText("ba" + "ck"))
    #expect(try settings("after") == settings("before"))
    expectOldTitle()
  }

  @Test func `a program that is killed while it is stopped leaves the terminal alone`() throws {
    run(program)
    #expect(terminal.awaitText("ready"))
    let process = try #require(process)
    terminal.type("z")
    #expect(terminal.awaitText("Stopped"))
    kill(process, SIGKILL)
    #expect(terminal.eventually { terminal.processes.values.allSatisfy { $0 == "bash" } })
    #expect(terminal.count("\u{1B}[?1049l") == 1)
  }

  @Test func `nothing stops where nobody could continue it`() throws {
    terminal.type("echo \"$(\(program))\"; echo ba''ck\r")
    #expect(terminal.awaitText("ready"))
    terminal.type("z")
    #expect(terminal.eventually { (try? Shell.run("cat log", in: folder.path))?.contains("refused") == true })
    terminal.type("q")
    #expect(terminal.awaitText("ba" + "ck"))
  }
}
