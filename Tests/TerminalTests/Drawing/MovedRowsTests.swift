import TestSupport
import Testing

@testable import Terminal

/// Rows that move up or down are moved by the terminal.
@Suite struct MovedRowsTests {
  private static let texts = [
    "an apple and a pear", "butter for breakfast", "crossing the river", "doors with two keys",
    "every other Friday",
    "feathers of a goose", "green as the grass", "half past seven", "into the mountains",
    "just one more page",
  ]
  private static let columns = 24
  private let writer = FrameWriter(palette: Palette(.sixteen), synchronizesFrames: true)

  /// Returns a canvas with some of the texts, and a cursor's row; -1 is a blank row.
  private func canvas(_ rows: [Int], cursor: Int? = nil) -> Canvas {
    var canvas = Canvas(ScreenSize(columns: Self.columns, rows: rows.count))
    for (row, number) in rows.enumerated() where number >= 0 {
      canvas.write(StyledLine(Self.texts[number]), row: row, columns: 0..<Self.columns)
    }
    if let cursor { canvas.paint(.cursor, row: cursor, columns: 0..<4) }
    return canvas
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
  }

  private func frame(_ old: [Int], _ new: [Int], synchronizes: Bool = true, top: Int = 0) -> String {
    let writer = FrameWriter(palette: Palette(.sixteen), synchronizesFrames: synchronizes, top: top)
    return text(writer.bytes(from: canvas(old), to: canvas(new)))
  }

  @Test func `rows that move up are deleted at the top and make room at the bottom`() {
    #expect(
      frame([9, 0, 1, 2, 3, 8], [9, 1, 2, 3, 4, 8]) == "^[?2026h^[2H^[M^[5H^[Levery other Friday^[H^[?2026l")
  }

  @Test func `rows that move down are deleted at the bottom and make room at the top`() {
    #expect(
      frame([9, 1, 2, 3, 4, 8], [9, 0, 1, 2, 3, 8]) == "^[?2026h^[5H^[M^[2H^[Lan apple and a pear^[H^[?2026l")
  }

  @Test func `rows move by several rows at once`() {
    #expect(
      frame([9, 0, 1, 2, 3, 8], [9, 2, 3, 4, 5, 8])
        == "^[?2026h^[2H^[2M^[4H^[2Levery other Friday^[5Hfeathers of a goose^[H^[?2026l")
  }

  @Test func `an inserted row moves those below it`() {
    #expect(
      frame([0, 1, 2, 3, 4, 8], [0, 7, 1, 2, 3, 8]) == "^[?2026h^[5H^[M^[2H^[Lhalf past seven^[H^[?2026l")
  }

  @Test func `a deleted row moves those below it`() {
    #expect(
      frame([0, 1, 2, 3, 4, 8], [0, 2, 3, 4, 5, 8]) == "^[?2026h^[2H^[M^[5H^[Lfeathers of a goose^[H^[?2026l")
    #expect(frame([0, 1, 2, 3, 4, -1, 8], [0, 2, 3, 4, -1, -1, 8]) == "^[?2026h^[2H^[M^[5H^[L^[H^[?2026l")
  }

  @Test func `a row that moves is the only one that is drawn`() {
    #expect(
      frame([0, 1, 2, 3, 4, 8], [0, 4, 1, 2, 3, 8]) == "^[?2026h^[5H^[M^[2H^[Levery other Friday^[H^[?2026l")
  }

  @Test func `a row that stays is not moved with its neighbours`() {
    // The blank row would come from the last one, which stays.
    #expect(frame([9, 0, 1, 2, 3, 8], [9, 1, 2, 3, -1, 8]) == "^[?2026h^[2H^[M^[5H^[L^[H^[?2026l")
    #expect(frame([8, 0, 1, 2, 3, 9], [8, -1, 0, 1, 2, 9]) == "^[?2026h^[5H^[M^[2H^[L^[H^[?2026l")
  }

  @Test func `a terminal that shows each step moves no other rows, and its margins are reset`() {
    #expect(
      frame([9, 0, 1, 2, 3, 8], [9, 1, 2, 3, 4, 8], synchronizes: false)
        == "^[?25l^[2;5r^[2H^[M^[r^[5Hevery other Friday^[H^[?25h")
    #expect(
      frame([9, 1, 2, 3, 4, 8], [9, 0, 1, 2, 3, 8], synchronizes: false)
        == "^[?25l^[2;5r^[2H^[L^[r^[2Han apple and a pear^[H^[?25h")
  }

  @Test func `rows move below the top`() {
    #expect(
      frame([9, 0, 1, 2, 3, 8], [9, 1, 2, 3, 4, 8], top: 7)
        == "^[?2026h^[9H^[M^[12H^[Levery other Friday^[8H^[?2026l")
    #expect(
      frame([9, 0, 1, 2, 3, 8], [9, 1, 2, 3, 4, 8], synchronizes: false, top: 7)
        == "^[?25l^[9;12r^[9H^[M^[r^[12Hevery other Friday^[8H^[?25h")
  }

  @Test func `the row of the cursor moves with the others`() {
    let (old, new) = (canvas([9, 0, 1, 2, 3, 8], cursor: 4), canvas([9, 1, 2, 3, 4, 8], cursor: 4))
    #expect(
      text(writer.bytes(from: old, to: new))
        == "^[?2026h^[2H^[M^[5H^[L^[7mever^[my other Friday^[4Hdoor^[H^[?2026l")
  }

  @Test func `rows that differ by a few characters are not moved`() {
    #expect(frame([0, 1, 2], [0, 1, 2]) == "")
    var new = canvas([0, 1, 2])
    new.write("!", row: 1, columns: 22..<23)
    #expect(text(writer.bytes(from: canvas([0, 1, 2]), to: new)) == "^[?2026h^[2;23H!^[H^[?2026l")
  }

  @Test(arguments: ["vt52", "vt100", "vt100-am", "vt101", "ansi", "ansi.sys"])
  func `a terminal that cannot move rows gets them again`(term: String) {
    var writer = FrameWriter(palette: Palette(.sixteen), terminal: term)
    writer.synchronizesFrames = true
    let bytes = writer.bytes(from: canvas([9, 0, 1, 2, 3, 8]), to: canvas([9, 1, 2, 3, 4, 8]))
    let kinds = TerminalTokenizer.tokens(of: bytes).compactMap {
      if case .sequence(let sequence) = $0 { sequence.kind } else { nil }
    }
    #expect(Set(kinds).isDisjoint(with: ["M", "L", "r"]))
    #expect(text(bytes).contains("every other Friday"))
  }

  @Test(arguments: [
    "xterm", "xterm-256color", "screen", "tmux-256color", "linux", "rxvt", "vt102", "vt220", "foot",
  ])
  func `other terminals move rows`(term: String) {
    let writer = FrameWriter(palette: Palette(.sixteen), terminal: term)
    #expect(
      text(writer.bytes(from: canvas([9, 0, 1, 2, 3, 8]), to: canvas([9, 1, 2, 3, 4, 8]))).contains("^[M"))
  }

  @Test func `a terminal that cannot set columns gets places`() {
    let old = canvas([0])
    var new = canvas([0])
    new.write("→ apple → pear", row: 0, columns: 0..<Self.columns, paper: .plain)
    for (term, expected) in [
      ("vt220", "^[H→^[1;2H apple →^[1;10H pear ^[K^[H"), ("xterm", "^[H→^[2G apple →^[10G pear ^[K^[G"),
    ] {
      var writer = FrameWriter(palette: Palette(.sixteen), terminal: term)
      writer.synchronizesFrames = true
      #expect(text(writer.bytes(from: old, to: new)) == "^[?2026h\(expected)^[?2026l")
    }
  }

  /// Returns a terminal with a text in each row, in which a canvas begins at a row.
  private func terminal(rows: Int) -> ModelTerminal {
    var terminal = ModelTerminal(ScreenSize(columns: Self.columns, rows: rows))
    terminal.receive(Array((0..<rows).map { "\u{1B}[\($0 + 1)Hshell \($0)" }.joined().utf8))
    return terminal
  }

  @Test(arguments: [true, false]) func `no row above or below the window changes`(synchronizes: Bool) {
    for seed in Randomness.seeds(20) {
      var random = SeededGenerator(seed: seed)
      let writer = FrameWriter(
        palette: Palette(.sixteen), synchronizesFrames: synchronizes, top: 1 + random.below(4))
      var rows = (0..<6).map { _ in random.below(Self.texts.count) }
      var terminal = terminal(rows: writer.top + rows.count + 2)
      let outside = terminal.lines.indices.filter { $0 < writer.top || $0 >= writer.top + rows.count }
      let before = outside.map { terminal.lines[$0] }
      var painted: Canvas?
      for _ in 0..<8 {
        let new = canvas(rows, cursor: random.below(rows.count))
        terminal.receive(writer.bytes(from: painted, to: new))
        painted = new
        #expect(
          terminal.differences(from: new, palette: writer.palette, top: writer.top) == [], "\(seedNote(seed))"
        )
        #expect(outside.map { terminal.lines[$0] } == before, "\(seedNote(seed))")
        let count = 1 + random.below(2)
        let fresh = (0..<count).map { _ in random.below(Self.texts.count) }
        rows = random.oneIn(2) ? Array(rows.dropFirst(count)) + fresh : fresh + Array(rows.dropLast(count))
      }
      #expect(terminal.offenders == [], "\(seedNote(seed))")
    }
  }

  @Test(arguments: [true, false]) func `a frame that is cut anywhere is restored`(synchronizes: Bool) {
    let writer = FrameWriter(palette: Palette(.sixteen), synchronizesFrames: synchronizes)
    let (old, new) = (canvas([9, 0, 1, 2, 3, 8], cursor: 4), canvas([9, 1, 2, 3, 4, 8], cursor: 4))
    let frame = writer.bytes(from: old, to: new)
    let shell = terminal(rows: 6)
    for count in frame.indices {
      var terminal = shell
      let modes = ScreenModes()
      terminal.receive(modes.entering + writer.bytes(from: nil, to: old) + frame[..<count])
      terminal.receive(modes.leaving)
      #expect(terminal.margins == nil, "after \(count) bytes")
      #expect(terminal.rendition == Rendition(), "after \(count) bytes")
      #expect(terminal.lines == shell.lines, "after \(count) bytes")
      #expect(terminal.modes == shell.modes, "after \(count) bytes")
    }
  }
}
