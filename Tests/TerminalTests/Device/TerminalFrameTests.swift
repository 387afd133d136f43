import Foundation
import Glibc
import Terminal
import TestSupport
import Testing

/// The loop of the device in a terminal: which frame an input belongs to, queries, sizes, slow
/// lines.
@Suite struct TerminalFrameTests {
  @Test func `input before the answer of a frame belongs to the frame before it`() throws {
    let probe = try Probe(answers: ["\u{1B}[c": "\u{1B}[?62c"])
    #expect(probe.awaitLine("answers true synchronizes false light nil"))
    // From here on each frame has a fence.
    probe.terminal.type("x")
    #expect(probe.terminal.awaitText("\u{1B}[5n"))
    #expect(probe.awaitLine("shown 2"))
    probe.terminal.type("y")
    #expect(probe.awaitLine("frame 1: key y"))
    probe.terminal.type("\u{1B}[0n")
    #expect(probe.awaitLine("painted 2"))
    probe.terminal.type("z\u{1B}[0nw")
    #expect(probe.terminal.eventually { probe.log.contains { $0.hasSuffix("key w") } })
    let lines = probe.log.filter { $0.hasPrefix("frame") || $0.hasPrefix("painted") }
    #expect(lines.prefix(4) == ["painted 1", "frame 1: key x", "frame 1: key y", "painted 2"])
    #expect(lines.contains("frame 2: key z"))
  }

  @Test func `an interrupt overtakes a long series of unread keys`() throws {
    let probe = try Probe()
    probe.typeAtOnce(String(repeating: "x", count: 3000) + "\u{3}")
    #expect(probe.terminal.awaitText("ended 130"))
    #expect(probe.log.count { $0.hasSuffix("key x") } <= 512)
  }

  @Test func `an interrupt after a few keys comes after them`() throws {
    let probe = try Probe()
    probe.typeAtOnce("xyz\u{3}")
    #expect(probe.terminal.awaitText("ended 130"))
    #expect(
      probe.log.filter { $0.hasPrefix("frame") }.suffix(4).map { $0.suffix(1) } == ["x", "y", "z", "c"])
  }

  @Test func `keys that wait belong to the frame that was painted when they were read`() throws {
    let probe = try Probe()
    probe.typeAtOnce(String(repeating: "x", count: 3000) + "q")
    #expect(probe.terminal.awaitText("ended 0"))
    let frames = probe.log.filter { $0.hasSuffix("key x") }.compactMap {
      $0.split(whereSeparator: { " :".contains($0) }).dropFirst().first
    }
    #expect(frames.count == 3000)
    #expect(Set(frames.prefix(2000)).count == 1)
  }

  @Test func `a terminal that answers nothing has frames without fences`() throws {
    let probe = try Probe()
    for letter in ["b", "c", "d"] { probe.terminal.type(letter) }
    #expect(probe.terminal.eventually { probe.log.contains { $0.hasSuffix("key d") } })
    #expect(probe.terminal.count("\u{1B}[5n") == 0)
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
  }

  @Test func `the questions follow the first frame, and keys between the answers are kept`() throws {
    let probe = try Probe()
    #expect(probe.terminal.awaitText("\u{1B}[c"))
    #expect(
      probe.terminal.text.range(of: "ready").map {
        probe.terminal.text[$0.upperBound...].contains("\u{1B}]11;?")
      } == true)
    probe.terminal.type("1\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\2\u{1B}[?2026;2$y3\u{1B}[?0u4\u{1B}[?62c5")
    #expect(probe.terminal.eventually { probe.log.contains { $0.hasSuffix("key 5") } })
    let keys = probe.log.filter { $0.contains(": key ") }.map { $0.suffix(1) }
    #expect(keys == ["1", "2", "3", "4", "5"])
    #expect(probe.log.contains("answers true synchronizes true light Optional(true)"))
    #expect(probe.terminal.awaitText("\u{1B}[>5u"))
    #expect(probe.terminal.awaitText("\u{1B}[?2026h"))
    probe.terminal.answers = PseudoTerminal.usualAnswers
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
    #expect(probe.terminal.count("\u{1B}[<u") == 1)
  }

  @Test(arguments: [("ffff", true), ("0000", false)])
  func `the colours suit the background that the terminal reports`(
    level: String, isLight: Bool
  ) throws {
    let probe = try Probe()
    #expect(probe.terminal.awaitText("\u{1B}[c"))
    probe.terminal.type("\u{1B}]11;rgb:\(level)/\(level)/\(level)\u{1B}\\\u{1B}[?62c")
    let color = Palette(.indexed, isLight: isLight).sequence(for: Style(.problem))
    #expect(color != Palette(.indexed).sequence(for: Style(.problem)))
    #expect(probe.terminal.awaitText(String(decoding: color, as: UTF8.self) + "answers true"))
  }

  @Test func `answers that are under way at the end do not reach the shell`() throws {
    let probe = try Probe()
    probe.terminal.type("q")
    #expect(probe.terminal.awaitText("\u{1B}[c"))
    #expect(probe.awaitLine("frame 1: key q"))
    probe.terminal.type("\u{1B}[?62c")
    #expect(probe.terminal.awaitText("ended 0"))
    probe.terminal.type("\r")
    #expect(!probe.terminal.text.contains("62c"))
  }

  @Test func `a lone escape is a key after a moment, a divided sequence is another one`() throws {
    let probe = try Probe()
    probe.terminal.type("\u{1B}")
    #expect(probe.awaitLine("frame 1: key escape"))
    probe.terminal.type("\u{1B}[1;")
    probe.terminal.pump(100)
    probe.terminal.type("5A")
    #expect(probe.terminal.eventually { probe.log.contains { $0.hasSuffix("key ctrl-up") } })
  }

  @Test func `an escape belongs to the frame that was painted when it was pressed`() throws {
    let probe = try Probe(answers: ["\u{1B}[c": "\u{1B}[?62c"])
    #expect(probe.awaitLine("answers true synchronizes false light nil"))
    // The answer of the second frame arrives while the escape may still be a sequence.
    #expect(probe.awaitLine("shown 2"))
    probe.terminal.type("\u{1B}\u{1B}[0n")
    #expect(probe.terminal.eventually { probe.log.contains { $0.hasSuffix("key escape") } })
    #expect(probe.log.contains("frame 1: key escape"))
    #expect(probe.awaitLine("painted 2"))
    probe.terminal.type("\u{1B}")
    #expect(probe.awaitLine("frame 2: key escape"))
  }

  @Test func `a change of the size draws everything again`() throws {
    let probe = try Probe()
    for (columns, rows) in [(40, 12), (1, 1), (300, 60), (80, 24)] {
      probe.terminal.resize(columns: columns, rows: rows)
      #expect(probe.awaitLine("size \(columns)x\(rows)"))
    }
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
  }

  @Test func `a line that is read slowly stops nothing and loses nothing`() throws {
    let probe = try Probe(answers: PseudoTerminal.usualAnswers, slowness: (64, 500))
    for _ in 0..<40 { probe.terminal.type("x") }
    #expect(probe.terminal.eventually { probe.log.count { $0.hasSuffix("key x") } == 40 })
    probe.terminal.slowness = nil
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
  }

  @Test func `a line that nobody reads does not keep the program from ending`() throws {
    let probe = try Probe()
    let process = try #require(probe.process)
    // Each change of the size draws some kilobytes, until the line is full.
    for round in 0..<60 {
      probe.terminal.resize(columns: 200, rows: 900 + round)
      #expect(probe.eventuallyUnread { probe.log.contains { $0.hasSuffix("size 200x\(900 + round)") } })
    }
    kill(process, SIGTERM)
    #expect(probe.eventuallyUnread { probe.terminal.haveEnded([process]) })
    #expect(probe.terminal.awaitText("ended \(128 + SIGTERM)"))
  }

  @Test func `an editor that leaves the terminal raw does no harm`() throws {
    let probe = try Probe()
    probe.terminal.type("v")
    #expect(probe.awaitLine("entered"))
    #expect(probe.terminal.count("\u{1B}[?1049l") == 1)
    #expect(probe.terminal.awaitText("\u{1B}[?1049h", count: 2))
    probe.terminal.type("q")
    probe.expectRestored(status: 0, entries: 2)
  }

  @Test func `the title is kept and restored, and contains no control characters`() throws {
    let probe = try Probe()
    probe.terminal.type("T")
    #expect(probe.terminal.awaitText("\u{1B}]2;a title"))
    #expect(!probe.terminal.text.contains("\u{1B}]2;evil"))
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
    #expect(probe.terminal.count("\u{1B}[22;2t") == 1)
    #expect(probe.terminal.count("\u{1B}[23;2t") == 1)
  }

  @Test func `a pasted text and a click arrive as one input each`() throws {
    let probe = try Probe()
    probe.terminal.type("\u{1B}[200~one\rtwo q\u{1B}[201~\u{1B}[<0;3;2M")
    #expect(probe.awaitLine("frame 1: paste 9 \"one\\rtwo q\""))
    #expect(probe.awaitLine("frame 1: press 1,2 0"))
  }

  @Test(arguments: [("1;1", 1), ("10;1", 10), ("10;5", 11), ("24;1", 15), ("24;9", 15)])
  func `rows below the prompt are used and left`(cursor: String, first: Int) throws {
    let probe = try Probe(rows: "10", answers: ["\u{1B}[6n": "\u{1B}[\(cursor)R"])
    #expect(probe.terminal.text.contains("\u{1B}[\(first == 1 ? "" : "\(first)")H"))
    #expect(!probe.terminal.text.contains("?1049"))
    probe.terminal.type("q")
    #expect(probe.terminal.awaitText("ended 0"))
    #expect(probe.terminal.text.contains("\u{1B}[\(first);1H\u{1B}[J"))
    #expect(!probe.terminal.text.contains("?1049"))
  }

  @Test func `a terminal that does not say where the cursor is has the rows at its end`() throws {
    let probe = try Probe(rows: "40%")
    #expect(probe.terminal.text.contains("\u{1B}[24;1H"))
    probe.terminal.type("q")
    #expect(probe.terminal.awaitText("ended 0"))
  }
}

/// Terminals that cannot be used.
@Suite struct MissingTerminalTests {
  @Test(arguments: ["dumb", "", "unknown"])
  func `a terminal that cannot draw is refused with a sentence`(term: String) throws {
    let terminal = try PseudoTerminal()
    try terminal.run(BuiltProgram.path(of: "DeviceProbe"), ["/dev/null"], environment: ["TERM": term])
    #expect(terminal.awaitText("ended 69"))
    #expect(terminal.text.contains("This terminal cannot show a full screen"))
    #expect(!terminal.text.contains("\u{1B}"))
  }

  @Test func `a program without a terminal says so`() throws {
    let output = try Shell.run(
      "TERM=xterm setsid -w '\(BuiltProgram.path(of: "DeviceProbe"))' /dev/null || echo status $?", in: "/")
    #expect(output.contains("There is no terminal: /dev/tty cannot be opened (this process has none)."))
    #expect(output.contains("status 69"))
  }
}
