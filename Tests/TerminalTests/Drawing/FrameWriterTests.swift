import TestSupport
import Testing

@testable import Terminal

@Suite struct FrameWriterTests {
  private let writer = FrameWriter(palette: Palette(.sixteen), synchronizesFrames: true)

  private func canvas(_ rows: StyledLine..., columns: Int = 20) -> Canvas {
    var canvas = Canvas(ScreenSize(columns: columns, rows: rows.count))
    for (row, line) in rows.enumerated() { canvas.write(line, row: row, columns: 0..<columns) }
    return canvas
  }

  /// Returns what is drawn between the marks of a frame.
  private func drawn(_ old: Canvas?, _ new: Canvas) -> String {
    let text = String(decoding: writer.bytes(from: old, to: new), as: UTF8.self)
    return text.replacing("\u{1B}[?2026h", with: "").replacing("\u{1B}[?2026l", with: "").replacing(
      "\u{1B}", with: "^")
  }

  @Test func `nothing is written if nothing changed`() {
    #expect(writer.bytes(from: canvas("a"), to: canvas("a")).isEmpty)
  }

  @Test func `a moved cursor is one sequence`() {
    var moved = canvas("a", "b")
    moved.cursor = CellPosition(row: 1, column: 4)
    #expect(drawn(canvas("a", "b"), moved) == "^[2;5H")
  }

  @Test func `only changed cells are written`() {
    #expect(drawn(canvas("rating 8", "same"), canvas("rating 9", "same")) == "^[1;8H9^[G")
  }

  @Test func `a row that became shorter is erased at its end`() {
    #expect(drawn(canvas("abcdefgh"), canvas("abc")) == "^[1;4H^[K^[G")
  }

  @Test func `a short gap is written again rather than passed over`() {
    #expect(drawn(canvas("abcdefgh"), canvas("aXcdXfgh")) == "^[HaXcdX^[G")
  }

  @Test func `what follows a character whose width is not certain has an explicit column`() {
    #expect(drawn(canvas("abcde"), canvas("a→cde")) == "^[Ha→^[3Gc^[G")
  }

  @Test func `a wide character leaves nothing beside it on terminals that draw it narrow`() {
    #expect(drawn(canvas("abcde"), canvas("👍cde")) == "^[H  ^[G👍^[3Gc^[G")
  }

  @Test func `styles are set once for several cells`() {
    let line = StyledLine([.init("ab", Style(.match)), .init("cd", Style(.match)), .init("e")])
    #expect(drawn(canvas("....."), canvas(line)) == "^[H^[1;35mabcd^[me^[G")
  }

  @Test func `a frame is hidden while it is drawn if the terminal does not synchronize`() {
    let plain = FrameWriter(palette: Palette(.sixteen))
    let text = String(decoding: plain.bytes(from: canvas("a"), to: canvas("b")), as: UTF8.self)
    #expect(text == "\u{1B}[?25l\u{1B}[Hb\u{1B}[G\u{1B}[?25h")
  }

  @Test func `rows are drawn below the top`() {
    let below = FrameWriter(palette: Palette(.sixteen), synchronizesFrames: true, top: 5)
    let text = String(decoding: below.bytes(from: canvas("a"), to: canvas("b")), as: UTF8.self)
    #expect(text == "\u{1B}[?2026h\u{1B}[6Hb\u{1B}[G\u{1B}[?2026l")
  }

  @Test func `a cursor outside of the canvas is moved inside`() {
    var far = canvas("a")
    far.cursor = CellPosition(row: 99, column: -7)
    var terminal = ModelTerminal(far.size)
    terminal.receive(writer.bytes(from: nil, to: far))
    #expect(terminal.cursor == CellPosition(row: 0, column: 0))
    #expect(terminal.offenders == [])
  }

  @Test func `an empty canvas is drawn`() {
    for size in [
      ScreenSize(columns: 0, rows: 0), ScreenSize(columns: 0, rows: 3), ScreenSize(columns: 3, rows: 0),
    ] {
      #expect(OutputGrammar.offenders(in: writer.bytes(from: nil, to: Canvas(size))) == [])
    }
  }

  /// Returns a canvas of numbered rows.
  private func list(_ numbers: [Int]) -> Canvas {
    var canvas = Canvas(ScreenSize(columns: 40, rows: numbers.count))
    for (row, number) in numbers.enumerated() {
      canvas.write(StyledLine("item \(number) of the list, with a text"), row: row, columns: 0..<40)
    }
    return canvas
  }

  @Test func `a cursor that moves with the rows is drawn again`() {
    var (old, new) = (list(Array(0..<12)), list(Array(1..<13)))
    old.paint(.cursor, row: 11, columns: 0..<40)
    new.paint(.cursor, row: 11, columns: 0..<40)
    var terminal = ModelTerminal(old.size)
    terminal.receive(writer.bytes(from: nil, to: old))
    let bytes = writer.bytes(from: old, to: new)
    terminal.receive(bytes)
    #expect(terminal.differences(from: new, palette: writer.palette) == [])
    #expect(bytes.count < 150)
  }

  @Test func `moved rows take no more bytes than written ones`() {
    var plain = writer
    plain.movesRows = false
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      var canvas = Canvas(random.screenSize(columns: 50, rows: 12))
      for _ in 0..<4 {
        let old = canvas
        random.change(&canvas)
        #expect(
          writer.bytes(from: old, to: canvas).count <= plain.bytes(from: old, to: canvas).count,
          "\(seedNote(seed))")
      }
    }
  }
}
