import Files
@testable import Store
import Terminal
import TestSupport
import Values

@testable import Browse
@testable import Query

/// A random history of a folder, a slow terminal, and a person who knows only what the terminal
/// shows. The person remembers each frame as text and never asks the model. Some files are broken: their
/// problems are rows above the items, named by their paths.
struct PaintedRace {
  /// What the person saw in one frame.
  private struct Seen {
    /// All rows of the list.
    let rows: [String]
    /// The row of the cursor.
    let cursor: String?
    /// The rows by the line of the screen.
    let lines: [Int: String]
    /// The number of the last write of each item.
    let versions: [String: Int64]
  }

  /// A row that the person means; nil if the person does not know which one it is.
  private enum Meant: Equatable {
    case row(String)
    case none
    case unknown
  }

  private var random: SeededGenerator
  private var driver: ScreenDriver
  private var seen: [Int: Seen] = [:]
  /// The row of the last movement, and the number of the frame that was drawn before it.
  private var movement: (target: Meant, after: Int)?
  /// What an action did that should not have been.
  private(set) var mistakes: [String] = []
  /// The number of actions that hit an item.
  private(set) var actions = 0

  private static let names = (0..<9).map { "item\($0)" }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let request = FetchRequest(
      sort: random.oneIn(2) ? ["n"] : [], section: random.oneIn(2) ? SectionDescriptor("group") : nil)
    var files: [String: String] = [:]
    for name in Self.names where !random.oneIn(3) { files["\(name).yaml"] = Self.text(&random) }
    driver = ScreenDriver(files, request: request, columns: 50, rows: 3 + random.below(8))
    driver.paintsAtOnce = false
    remember()
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    if random.oneIn(5) { return "{broken" }
    return
      "{n: \(random.below(5)), group: g\(random.below(3)), text: \(String(repeating: "x", count: random.below(50)))}"
  }

  /// Runs the history until a mistake.
  mutating func run() {
    for _ in 0..<12 where mistakes.isEmpty { step() }
  }

  private mutating func step() {
    switch random.below(10) {
    case 0, 1: changeFiles()
    case 2, 3: draw()
    case 4: driver.showFrames(to: driver.paintedFrame + random.below(3))
    case 5: act(opensProblems: true) { $0.press("e") }
    case 6: delete()
    case 7: click()
    default: move()
    }
  }

  private mutating func draw() {
    // The device draws no further frame then.
    if driver.frame - driver.paintedFrame >= PaintedFrames.maxUnderWay { return }
    driver.draw()
    remember()
  }

  private mutating func changeFiles() {
    let changes = (0...random.below(3)).map { _ in
      (name: random.one(of: Self.names), text: random.oneIn(3) ? nil : Self.text(&random))
    }
    driver.change { store in
      for (name, text) in changes {
        if let text { store.write("\(name).yaml", text) } else { store.remove("\(name).yaml") }
      }
    }
  }

  private mutating func remember() {
    let list = driver.list
    var lines: [Int: String] = [:]
    var cursor: String?
    for (number, line) in driver.lines.enumerated() {
      guard let id = line.dropFirst(4).split(whereSeparator: { " :".contains($0) }).first,
        id.hasPrefix("item"),
        line.dropFirst(2).first == " "
      else { continue }
      lines[number] = String(id)
      if line.dropFirst().first == ">" { cursor = String(id) }
    }
    seen[driver.frame] = Seen(
      rows: list.problemRows.map(\.path.description) + list.list.itemIdentifiers.map(\.description),
      cursor: cursor, lines: lines,
      versions: Dictionary(uniqueKeysWithValues: list.map { ($0.id.description, $0.stamp.modified.seconds) }))
  }

  private var meant: Meant {
    guard let frame = seen[driver.paintedFrame] else { return .unknown }
    if let movement, movement.after >= driver.paintedFrame { return movement.target }
    return frame.cursor.map(Meant.row) ?? .none
  }

  private mutating func move() {
    guard let frame = seen[driver.paintedFrame], !frame.rows.isEmpty else { return }
    let (key, step) = random.one(of: [("j", 1), ("k", -1), ("g", -100), ("G", 100), ("j", 1)])
    var target = Meant.unknown
    if case .row(let id) = meant, let index = frame.rows.firstIndex(of: id) {
      target = .row(frame.rows[min(max(index + step, 0), frame.rows.count - 1)])
    }
    // From an unknown row, only the ends of the list are known.
    if abs(step) == 100 { target = .row(step < 0 ? frame.rows[0] : frame.rows[frame.rows.count - 1]) }
    driver.press(key)
    movement = (target, driver.frame)
  }

  private mutating func click() {
    guard let frame = seen[driver.paintedFrame],
      let line = frame.lines.keys.sorted().randomElement(using: &random)
    else { return }
    driver.time += .seconds(1)
    driver.mouse(.press, row: line)
    movement = (frame.lines[line].map(Meant.row) ?? .none, driver.frame)
  }

  /// Deletes after a question; files and frames change before the answer.
  private mutating func delete() {
    let changes = random.below(3)
    act { race in
      race.press("d")
    } then: { race in
      for _ in 0..<changes {
        race.changeFiles()
        race.draw()
        race.driver.showFrames(to: race.driver.paintedFrame + race.random.below(2))
      }
      race.driver.press("y")
    }
  }

  private mutating func press(_ key: String) { driver.press(key) }

  private mutating func act(
    opensProblems: Bool = false, _ press: (inout PaintedRace) -> Void,
    then answer: (inout PaintedRace) -> Void = { _ in }
  ) {
    let before = driver.effects.count
    let (meant, frame) = (meant, seen[driver.paintedFrame])
    var isThere = false
    if case .row(let id) = meant {
      let isProblem = driver.list.problemRows.contains { $0.path.description == id }
      isThere = frame?.rows.contains(id) == true && (isProblem || driver.list[id: Item.ID(id)] != nil)
    }
    press(&self)
    let isQuestion = driver.screen.panes.hasDialog
    if isQuestion { answer(&self) }
    guard let hit = targets(since: before).first else {
      // A row that was painted and is still there must not be refused, unless it is not an item.
      if isThere, isQuestion || opensProblems || !isProblem(meant) { mistakes.append("\(meant) was refused") }
      return
    }
    actions += 1
    if meant != .unknown, meant != .row(hit.name) {
      mistakes.append("\(hit.name) was hit instead of \(meant)")
    }
    if frame?.versions[hit.name] != hit.version {
      mistakes.append("\(hit.name) was hit in another state than the painted one")
    }
  }

  private func isProblem(_ meant: Meant) -> Bool {
    if case .row(let name) = meant { name.hasSuffix(".yaml") } else { false }
  }

  private func targets(since count: Int) -> [(name: String, version: Int64?)] {
    var hits: [(name: String, version: Int64?)] = []
    for effect in driver.effects[count...] {
      switch effect {
      case .act(.edit(let items)), .act(.delete(let items)):
        for item in items { hits.append((item.id.description, item.revision.stamp.modified.seconds)) }
      case .open(let problem): hits.append((problem.path.description, nil))
      default: break
      }
    }
    return hits
  }
}
