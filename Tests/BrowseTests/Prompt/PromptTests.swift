@testable import Store
import Terminal
import TestSupport
import Testing
import Streams
import Survey

@testable import Browse
@testable import Folder
@testable import Query

@Suite struct PromptTests {
  /// Returns a pane whose data are hostile.
  private func pane(_ random: inout SeededGenerator) -> any PromptPane {
    var store = MemoryStore()
    for number in 0..<random.below(4) {
      let fields = (0..<random.below(4)).map {
        "\(Value.string("\($0)" + random.hostileText())): \(Value.string(random.hostileText()))\n"
      }
      store.write(
        "\(number)\(random.hostileText().filter { $0 != "/" && $0 != "\0" }).yaml",
        fields.joined() + "x: [1, a]\n")
    }
    var view = ViewDefinition()
    (view.search, view.sort, view.section) = (random.hostileText(), ["x"], "x")
    store.settings.views[random.hostileText()] = view
    let list = store.snapshot(FetchRequest())
    let items = Array(list)
    let targets = items.map { PaintedItem($0.id, $0.revision) }
    let check: @Sendable (String) -> (column: Int, message: String)? = {
      $0.count % 3 == 0 ? (column: $0.count, message: "Wrong: \($0)") : nil
    }
    switch random.below(9) {
    case 0: return SearchLine(search: random.hostileText(), movesList: random.oneIn(2))
    case 1: return PredicateLine(predicate: nil)
    case 2: return AssignLine(targets, items, fields: ["x"], check: check)
    case 3:
      return Menu.sorting(list, columns: [FieldPath(keys: [random.hostileText()])], settings: store.settings)
    case 4: return Menu.sections(list, settings: store.settings)
    case 5: return Menu.views(store.settings, current: nil)
    case 6: return Question(deleting: targets)
    case 7: return HelpPane(.standard)
    default: return AddForm(FieldSurvey(list), settings: store.settings, check: check)
    }
  }

  private func input(_ random: inout SeededGenerator) -> TerminalInput {
    let keys = [
      "enter", "esc", "tab", "shift-tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdn",
      "backspace", "delete", "ctrl-w",
      "ctrl-u", "ctrl-k", "ctrl-y", "ctrl-s", "ctrl-n", "alt-b", "alt-d", "a", "=", ":", "[", "\"", "`", "x",
      ">", "space", "n", "漢",
    ]
    switch random.below(8) {
    case 0: return .paste(random.hostileText())
    case 1:
      let place = CellPosition(row: random.below(40), column: random.below(100))
      return .mouse(random.one(of: [.press, .release, .drag, .wheelUp, .wheelDown]), place, [])
    default: return .key(Key(named: random.one(of: keys)))
    }
  }

  @Test(arguments: Randomness.seeds(12))
  func `a prompt draws only in its area and keeps the cursor on the screen, whatever happens`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var prompt = Prompt()
    var last: ItemAction?
    for _ in 0..<30 {
      let size = ScreenSize(
        columns: 1 + random.below(random.oneIn(2) ? 12 : 90), rows: 1 + random.below(random.oneIn(2) ? 6 : 30)
      )
      let area = ScreenArea(rows: 0..<size.rows, columns: 0..<size.columns)
      prompt.fit(area)
      if !prompt.isOpen || random.oneIn(10) { prompt.open(pane(&random)) }
      for _ in 0..<random.below(8) {
        switch prompt.handle(input(&random)) {
        case .handled(let effects), .closed(let effects):
          for case .act(let action) in effects { last = action }
        case .unhandled: break
        }
      }
      if random.oneIn(4) {
        var outcome = ActionOutcome(random.hostileText(), isFailure: random.oneIn(2))
        outcome.action = last
        prompt.receive(outcome)
      }
      check(prompt, size, area, seed)
    }
  }

  private func check(_ prompt: Prompt, _ size: ScreenSize, _ area: ScreenArea, _ seed: UInt64) {
    guard let own = prompt.paneArea(in: area) else { return }
    var empty = Canvas(size)
    for row in 0..<size.rows {
      empty.write(
        StyledLine(String(repeating: "#", count: size.columns)), row: row, columns: 0..<size.columns)
    }
    var canvas = empty
    prompt.draw(into: &canvas, area: area)
    var again = empty
    prompt.draw(into: &again, area: area)
    #expect(canvas == again, "\(seedNote(seed))")
    #expect(own.rows.contains(canvas.cursor.row), "\(seedNote(seed))")
    #expect(own.columns.contains(canvas.cursor.column), "\(seedNote(seed))")
    for row in 0..<size.rows {
      for column in 0..<size.columns where !own.contains(CellPosition(row: row, column: column)) {
        guard canvas.cells[row * size.columns + column] != empty.cells[row * size.columns + column] else {
          continue
        }
        Issue.record("The cell \(row), \(column) outside of \(own) was written; \(seedNote(seed))")
        return
      }
    }
  }

  @Test func `the history is bounded and has each line once`() {
    var memory = PromptMemory()
    for number in 0..<1000 { memory.remember("\(number)", in: \.searches) }
    #expect(memory.searches.count == 100)
    #expect(memory.searches.last == "999")
    memory.remember("950", in: \.searches)
    memory.remember("", in: \.searches)
    #expect(memory.searches.count == 100)
    #expect(memory.searches.last == "950")
  }

  @Test func `what one line removes, another one inserts`() {
    var driver = ScreenDriver(["a.yaml": "x: 1"])
    driver.press("/")
    driver.type("needle")
    driver.press("ctrl-u", "esc", ":", "ctrl-y")
    #expect(driver.text.contains(":needle"))
    driver.press("esc", "esc", "a", "ctrl-y")
    #expect(driver.text.contains("needle"))
  }
}
