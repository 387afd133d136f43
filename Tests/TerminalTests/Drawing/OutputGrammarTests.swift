import TestSupport
import Testing

@testable import Terminal

/// The terminals that other tests rely on.
@Suite struct OutputGrammarTests {
  @Test(arguments: [
    "\u{1B}[3;4Hab\u{1B}[1;38;5;117;48;2;1;2;3mc\u{1B}[m\u{1B}[K\u{1B}[5X",
    "\u{1B}[?2026h日本\u{1B}[?2026l\u{1B}[5n",
    "\u{1B}]2;notes — 3 items\u{1B}\\", "\u{1B}]52;c;YWRh\u{1B}\\",
    "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YWRh\u{1B}\u{1B}\\\u{1B}\\",
    "\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p\u{1B}[?u\u{1B}[c", "\u{1B}[2;9r\u{1B}[2H\u{1B}[M\u{1B}[3L\u{1B}[r",
  ])
  func `what a frame consists of is allowed`(output: String) {
    #expect(OutputGrammar.offenders(in: Array(output.utf8)) == [])
  }

  @Test(arguments: [
    "\u{1B}[31;200m", "\u{1B}[38;5m", "\u{1B}[38;2;1;2;300m", "\u{1B}[2A", "\u{1B}[?1h", "\u{1B}c",
    "\u{1B}]0;x\u{7}",
    "\u{1B}]52;p;YQ==\u{7}",
    "\u{1B}]8;;http://x\u{7}", "\u{1B}Pq\u{1B}\\", "\u{7}", "\u{8}", "a\u{202E}b", "\u{9B}2J", "\u{1B}[5;",
    "\u{1B}]2;ab",
    "\u{1B}[6X\u{1B}[1;2;3H",
    "\u{1B}[5b", "\u{1B}[9;2r", "\u{1B}[3r", "\u{1B}[3;3r", "\u{1B}[1;2M", "\u{1B}[2S", "\u{1B}[2T",
  ])
  func `everything else is not`(output: String) {
    #expect(OutputGrammar.offenders(in: Array(output.utf8)) != [])
  }

  @Test func `bytes that are not UTF-8 are not allowed`() {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xC3, 0x41], [0xE2, 0x80], [0x9B]] {
      #expect(OutputGrammar.offenders(in: bytes) != [])
    }
  }

  @Test func `entering and leaving the screen is allowed, and restores the model terminal`() {
    for seed in Randomness.seeds(50) {
      var random = SeededGenerator(seed: seed)
      let modes = ScreenModes(
        usesMouse: random.oneIn(2), hasKeyboardProtocol: random.oneIn(2), setsClusters: random.oneIn(2),
        title: random.oneIn(2) ? "a title" : nil)
      var terminal = ModelTerminal(ScreenSize(columns: 20, rows: 4))
      terminal.receive(Array("$ notes-watch browse".utf8))
      let before = terminal
      terminal.receive(modes.entering)
      var canvas = Canvas(terminal.size)
      random.change(&canvas)
      let writer = FrameWriter(palette: Palette(.indexed))
      terminal.receive(writer.bytes(from: nil, to: canvas))
      let old = canvas
      random.change(&canvas)
      let frame = writer.bytes(from: old, to: canvas)
      // The end can come within a frame.
      terminal.receive(Array(frame.prefix(random.below(frame.count + 1))) + modes.leaving)
      #expect(terminal.cells == before.cells, "\(seedNote(seed))")
      #expect(terminal.modes == before.modes, "\(seedNote(seed))")
      #expect(terminal.margins == nil, "\(seedNote(seed))")
      #expect(terminal.title == before.title, "\(seedNote(seed))")
      #expect(terminal.keyboard == before.keyboard, "\(seedNote(seed))")
      #expect(terminal.rendition == before.rendition, "\(seedNote(seed))")
    }
  }

  @Test func `a model terminal moves rows within its margins`() {
    var terminal = ModelTerminal(ScreenSize(columns: 2, rows: 5))
    terminal.receive(Array("a\u{1B}[2Hb\u{1B}[3Hc\u{1B}[4Hd\u{1B}[5He".utf8))
    terminal.receive(Array("\u{1B}[2;4r\u{1B}[2H\u{1B}[M\u{1B}[r".utf8))
    #expect(terminal.lines == ["a", "c", "d", "", "e"])
    terminal.receive(Array("\u{1B}[3;5r\u{1B}[3H\u{1B}[2L\u{1B}[r".utf8))
    #expect(terminal.lines == ["a", "c", "", "", "d"])
    #expect(terminal.offenders == [])
    terminal.receive(Array("\u{1B}[2;3r\u{1B}[5H\u{1B}[M".utf8))
    #expect(terminal.offenders != [])
  }

  @Test func `a model terminal that wraps lines scrolls at its end`() {
    var terminal = ModelTerminal(ScreenSize(columns: 3, rows: 2))
    terminal.receive(Array("abcdefg".utf8))
    #expect(terminal.lines == ["def", "g"])
  }

  @Test func `a model terminal that does not wrap stays in its row`() {
    var terminal = ModelTerminal(ScreenSize(columns: 3, rows: 2))
    terminal.receive(Array("\u{1B}[?7labcdefg".utf8))
    #expect(terminal.lines == ["abg", ""])
  }

  @Test func `model terminals measure characters in different ways`() {
    let lines = ModelTerminal.Widths.allCases.map { widths in
      var terminal = ModelTerminal(ScreenSize(columns: 16, rows: 1), widths: widths)
      terminal.receive(Array("👩‍👩‍👧.→.日.".utf8))
      return terminal.cells.map {
        $0.isContinuation ? "_" : $0.text.unicodeScalars.first.map { String($0) } ?? ""
      }.joined()
    }
    #expect(lines == ["👩_.→.日_.        ", "👩.→.日_.         ", "👩__.→_.日_.      ", "👩_👩_👧_.→.日_.    "])
  }

  @Test func `a model terminal answers queries`() {
    var terminal = ModelTerminal(ScreenSize(columns: 9, rows: 3))
    terminal.receive(Array("\u{1B}[2;5H\u{1B}[6n\u{1B}[5n\u{1B}[c\u{1B}[?7$p".utf8))
    #expect(
      String(decoding: terminal.replies, as: UTF8.self) == "\u{1B}[2;5R\u{1B}[0n\u{1B}[?62;22c\u{1B}[?7;1$y")
  }

  @Test(.enabled(if: LibVTerm.isInstalled, "libvterm is not installed"))
  func `libvterm shows texts, attributes and the cursor`() throws {
    let terminal = try #require(LibVTerm(ScreenSize(columns: 8, rows: 2)))
    terminal.receive(Array("a日\u{1B}[2;3H\u{1B}[1;4;7mx".utf8))
    #expect(terminal.lines == ["a日", "  x"])
    #expect(terminal.cell(row: 0, column: 1).columns == 2)
    #expect(
      terminal.cell(row: 1, column: 2)
        == .init(text: "x", columns: 1, isBold: true, isUnderlined: true, isReversed: true))
    #expect(terminal.cursor == CellPosition(row: 1, column: 3))
  }
}
