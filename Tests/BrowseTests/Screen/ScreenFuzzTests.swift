import Files
@testable import Store
import Terminal
import TestSupport
import Testing
import Values
import Streams

@testable import Browse
@testable import Folder
@testable import Query

@Suite struct ScreenFuzzTests {
  /// A million events in `make stress`.
  @Test func `no event makes the screen trap, mix up rows or send what it must not`() {
    var events = 0
    for seed in Randomness.seeds(Randomness.factor > 1 ? 170 : 7) {
      var fuzzer = ScreenFuzzer(seed: seed)
      fuzzer.run(120)
      events += 120
      #expect(fuzzer.mistakes == [], Comment(rawValue: seedNote(seed)))
    }
    #expect(events > 0)
  }
}

/// Sends random events to a screen, draws what changed on a terminal that may measure characters in
/// another way, and checks both after each event.
private struct ScreenFuzzer {
  private var random: SeededGenerator
  private var driver: ScreenDriver
  private(set) var mistakes: [String] = []
  private var checks = 0
  private var drawing: DrawingCheck

  private static let names = (0..<12).map { "item\($0)" }
  private static let keys: [Key] =
    BrowseAction.allCases.filter { ![.quit, .interrupt, .suspend].contains($0) }.flatMap(\.defaultKeys)
    + ["j", "k", "a", "z", "1", "é", "日", "👩‍👩‍👧"].map { Key(.character($0)) }
    + [
      Key(.enter), Key(.escape), Key(.escape), Key(.tab), Key(.backspace), Key(.left), Key(.right),
      Key(.character("s"), .control),
    ]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    var options = ScreenOptions()
    options.isFilter = random.oneIn(4)
    options.isMulti = random.oneIn(2)
    options.searchesFirst = random.oneIn(4)
    options.expected = [Key(.character("x"), .control)]
    let sections: [SectionDescriptor?] = [
      nil, SectionDescriptor("group", order: ["g1", "empty"]), SectionDescriptor("tags", by: .element),
    ]
    let request = FetchRequest(sort: random.oneIn(2) ? ["-n"] : [], section: random.one(of: sections))
    var files: [String: String] = [:]
    for name in Self.names where !random.oneIn(3) { files["\(name).yaml"] = Self.text(name, &random) }
    driver = ScreenDriver(
      files, request: request, columns: 1 + random.below(100), rows: 1 + random.below(24), options: options,
      settings: Settings(views: ["all": ViewDefinition()]))
    driver.paintsAtOnce = random.oneIn(2)
    drawing = DrawingCheck(
      palette: Palette(random.one(of: Palette.Depth.allCases)),
      widths: random.one(of: ModelTerminal.Widths.allCases))
  }

  /// Returns the text of an item with hostile values. Each value holds the name, so that it can be
  /// found on the screen.
  private static func text(_ name: String, _ random: inout SeededGenerator) -> String {
    let values = (0..<3).map { _ in Value.string("=\(name)=\(random.hostileText())").text }
    let quoted = values.map { value in
      "\""
        + value.unicodeScalars.map {
          $0.value < 0x7F && $0.value >= 0x20 && $0 != "\"" && $0 != "\\" ? String($0) : escape($0)
        }.joined()
        + "\""
    }
    return
      "{n: \(random.below(9)), group: g\(random.below(3)), tags: [a, \(quoted[0])], title: \(quoted[1]), text: \(quoted[2])}"
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  mutating func run(_ count: Int) {
    for _ in 0..<count where mistakes.isEmpty {
      step()
      check()
    }
  }

  private mutating func step() {
    switch random.below(20) {
    case 0, 1: changeFiles()
    case 2:
      let isLarge = random.oneIn(8)
      driver.resize(
        columns: random.below(random.oneIn(6) ? 4 : isLarge ? 300 : 100),
        rows: random.below(isLarge ? 70 : 24))
    case 3: driver.time += .milliseconds(random.below(2_000))
    case 4: driver.send(.tick)
    case 5: driver.send(.outcome(outcome()))
    case 6: driver.send(.document(document()))
    case 7: driver.input(.paste(random.hostileText()))
    case 8, 9:
      driver.mouse(
        random.one(of: [.press, .press, .release, .drag, .wheelUp, .wheelDown]), row: random.below(70),
        column: random.below(300))
    case 10: driver.send(.progress(read: random.below(1_000)))
    case 11: driver.draw()
    case 12: driver.showFrames(to: random.below(driver.frame + 2))
    case 13: driver.paintedFrame = max(0, driver.frame - random.below(12))
    default: driver.input(.key(random.one(of: Self.keys)))
    }
  }

  private mutating func changeFiles() {
    let changes = (0...random.below(4)).map { _ in
      let name = random.one(of: Self.names)
      return (
        name: name, text: random.oneIn(3) ? nil : random.oneIn(8) ? "{broken" : Self.text(name, &random)
      )
    }
    driver.change(origin: random.one(of: [.files, .git, .view])) { store in
      for (name, text) in changes {
        if let text { store.write("\(name).yaml", text) } else { store.remove("\(name).yaml") }
      }
    }
  }

  private mutating func outcome() -> ActionOutcome {
    var outcome = ActionOutcome(
      random.hostileText(), isFailure: random.oneIn(2),
      difference: random.oneIn(4) ? Array(random.hostileText().utf8) : nil)
    if random.oneIn(2) { outcome.nextUndo = UndoSummary(title: random.hostileText(), count: random.below(4)) }
    return outcome
  }

  private mutating func document() -> ItemDocument {
    let name = random.one(of: Self.names)
    let path = RelativePath(bytes: "\(name).yaml".utf8)
    let bytes =
      random.oneIn(5)
      ? nil
      : (0..<random.below(9)).flatMap { _ in Array("\(random.hostileText()): \(random.hostileText())\n".utf8)
      }
    let problems =
      random.oneIn(3)
      ? [Problem(path: path, line: random.below(9), column: random.below(9), message: random.hostileText())]
      : []
    return ItemDocument(
      random.oneIn(3) ? .problem(path) : .item(Item.ID(path: path)), path: path,
      format: random.one(of: [.yaml, .json, .markdown]), bytes: bytes,
      problems: problems)
  }

  private mutating func check() {
    let canvas = driver.screen.draw()
    if canvas != driver.screen.draw() { mistakes.append("the same state is drawn in two ways") }
    if canvas.size != driver.screen.size { mistakes.append("the canvas has another size than the window") }
    if canvas.cells.count != canvas.size.columns * canvas.size.rows {
      mistakes.append("the canvas has \(canvas.cells.count) cells")
    }
    let isInside =
      canvas.cursor.row < max(canvas.size.rows, 1) && canvas.cursor.column < max(canvas.size.columns, 1)
    if !isInside || canvas.cursor.row < 0 || canvas.cursor.column < 0 {
      mistakes.append("the cursor is at \(canvas.cursor)")
    }
    checkRows(canvas)
    checks += 1
    mistakes += drawing.show(canvas, again: checks % (Randomness.factor > 1 ? 10 : 40) == 0)
  }

  /// Checks that no line of the list shows the values of another item than that of its row.
  private mutating func checkRows(_ canvas: Canvas) {
    let screen = driver.screen
    let (rows, area) = (screen.rows, screen.layout.list)
    if screen.panes.hasDialog { return }
    if let cursor = screen.area.cursor, !rows.values.contains(cursor), !screen.listRows.isEmpty {
      mistakes.append("the cursor's row \(cursor) is not on the screen")
    }
    for row in screen.listRows {
      let text = canvas[row: row].enumerated().filter { area.columns.contains($0.offset) }.map(\.element.text)
        .joined()
      for name in Self.names where text.contains("=\(name)=") {
        // A section of tags has the value of a tag as its heading.
        guard let shown = rows[row] else { continue }
        if shown.subject != .item(Item.ID(name)) {
          mistakes.append("row \(row) of \(shown) shows a value of \(name)")
        }
      }
    }
  }
}
