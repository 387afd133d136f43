import LinuxFiles
import PlainText
import TerminalDevice
import TestSupport
import Testing

@testable import PlainStore
@testable import TerminalView

@Suite struct PaintedFrameTests {
  @Test func `an action hits the row that was painted when the key was pressed`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.paintsAtOnce = false
    driver.write("abe.yaml", "rating: 1")
    driver.draw()
    driver.press("j", "e")
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `an action on a row that is gone is refused and hits no neighbour`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.paintsAtOnce = false
    driver.remove("ada.yaml")
    driver.draw()
    #expect(driver.cursor == "bob")
    driver.press("e")
    #expect(driver.lastTargets == [])
    driver.draw()
    #expect(driver.status == " 2 items · ada is not in the list any more; nothing was done.")
    driver.showFrames()
    driver.press("e")
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `an action carries the state of the item that was painted`() throws {
    var driver = ScreenDriver(ScreenTests.three)
    let painted = try #require(driver.list[id: "ada"])
    driver.paintsAtOnce = false
    driver.write("ada.yaml", "rating: 1")
    driver.draw()
    driver.press("e")
    guard case .act(.edit(let items))? = driver.effects.last else { return #expect(Bool(false), "there is no edit") }
    #expect(items.map(\.revision.stamp) == [painted.stamp])
  }

  @Test func `movements that were typed ahead compose in the painted list`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.paintsAtOnce = false
    driver.change {
      $0.remove("bob.yaml")
      $0.write("abe.yaml", "rating: 2")
    }
    driver.press("j", "j", "e")
    #expect(driver.lastTargets == ["cleo"])
  }

  @Test func `a movement that a drawn frame does not show yet still counts`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.paintsAtOnce = false
    driver.draw()
    driver.press("j")
    driver.showFrames()
    driver.press("e")
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `input before any frame acts on nothing`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.send(.input(.key(Key(.enter)), frame: -1))
    #expect(driver.lastTargets == [])
  }

  @Test func `input of a frame that is forgotten acts on nothing`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.paintsAtOnce = false
    for number in 0..<20 {
      driver.write("dan.yaml", "rating: \(number)")
      driver.draw()
    }
    driver.press("e")
    #expect(driver.lastTargets == [])
    driver.showFrames()
    driver.press("e")
    #expect(driver.lastTargets == ["ada"])
  }

  @Test func `a click hits the row that was painted there`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.paintsAtOnce = false
    driver.write("abe.yaml", "rating: 1")
    driver.draw()
    driver.mouse(.press, row: 2)
    #expect(driver.cursor == "bob")
    driver.mouse(.press, row: 2)
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `two clicks on different items are no double click`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.mouse(.press, row: 2)
    driver.mouse(.press, row: 3)
    #expect(driver.lastTargets == [])
    driver.time += .seconds(1)
    driver.mouse(.press, row: 3)
    #expect(driver.lastTargets == [])
  }

  /// 100,000 races in `make stress`.
  @Test func `no race makes an action hit another item than the painted one`() {
    var actions = 0
    for seed in Randomness.seeds(Randomness.factor > 1 ? 2_000 : 400) {
      var race = PaintedRace(seed: seed)
      race.run()
      actions += race.actions
      #expect(race.mistakes == [], Comment(rawValue: seedNote(seed)))
    }
    #expect(actions > 0)
  }
}

/// A random history of a folder, a slow terminal, and a person who knows only what the terminal
/// shows. The person remembers each frame as ids and never asks the model.
private struct PaintedRace {
  /// What the person saw in one frame: all rows of the list, the one of the cursor, and the state
  /// of each item.
  private struct Seen {
    let rows: [String]
    let cursor: String?
    let stamps: [String: Int64]
  }

  private var random: SeededGenerator
  private var driver: ScreenDriver
  private var seen: [Int: Seen] = [:]
  /// The row of the last movement, and the number of the frame that was drawn before it; nil if the
  /// row is not known, because its frame did not show the row from which it was reached.
  private var movement: (target: String?, after: Int)?
  private(set) var mistakes: [String] = []
  private(set) var actions = 0

  private static let names = (0..<9).map { "item\($0)" }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let request = FetchRequest(
      sort: random.oneIn(2) ? ["n"] : [], section: random.oneIn(2) ? SectionDescriptor("group") : nil)
    var files: [String: String] = [:]
    for name in Self.names where !random.oneIn(3) { files["\(name).yaml"] = Self.text(&random) }
    driver = ScreenDriver(files, request: request, columns: 24, rows: 3 + random.below(8))
    driver.paintsAtOnce = false
    remember()
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    "{n: \(random.below(5)), group: g\(random.below(3)), text: \(String(repeating: "x", count: random.below(50)))}"
  }

  mutating func run() {
    for _ in 0..<12 where mistakes.isEmpty { step() }
  }

  private mutating func step() {
    switch random.below(8) {
    case 0, 1: changeFiles()
    case 2, 3:
      driver.draw()
      remember()
    case 4: driver.showFrames(to: driver.paintedFrame + random.below(3))
    case 5: act()
    default: move()
    }
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
    seen[driver.frame] = Seen(
      rows: list.list.itemIdentifiers.map(\.description), cursor: paintedCursor,
      stamps: Dictionary(uniqueKeysWithValues: list.map { ($0.id.description, $0.stamp.modified.seconds) }))
  }

  /// The id on the line with the cursor's sign, as the person reads it from the screen.
  private var paintedCursor: String? {
    for line in driver.lines where line.dropFirst().first == ">" {
      return line.dropFirst(4).split(separator: " ").first.map(String.init)
    }
    return nil
  }

  private var meant: String?? {
    guard let frame = seen[driver.paintedFrame] else { return .some(nil) }
    if let movement, movement.after >= driver.paintedFrame { return movement.target.map { .some($0) } ?? nil }
    return .some(frame.cursor)
  }

  private mutating func move() {
    guard let frame = seen[driver.paintedFrame] else { return }
    let (key, step) = random.one(of: [("j", 1), ("k", -1), ("g", -100), ("G", 100), ("j", 1)])
    var target: String?
    if case .some(let id?) = meant, let index = frame.rows.firstIndex(of: id) {
      target = frame.rows[min(max(index + step, 0), frame.rows.count - 1)]
    }
    driver.press(key)
    // From an unknown row, only the ends of the list are known.
    if abs(step) == 100 { target = step < 0 ? frame.rows.first : frame.rows.last }
    if !frame.rows.isEmpty { movement = (target, driver.frame) }
  }

  private mutating func act() {
    let before = driver.effects.count
    let meant = meant
    let isThere = meant.flatMap { $0 }.map { id in driver.list.contains { $0.id.description == id } } ?? false
    driver.press("e")
    let items: [PaintedItem] = driver.effects[before...].flatMap { effect in
      if case .act(.edit(let items)) = effect { items } else { [] as [PaintedItem] }
    }
    guard let hit = items.first else {
      // A row that was painted and is still there must not be refused.
      if isThere, case .some(let id?) = meant, seen[driver.paintedFrame]?.rows.contains(id) == true { mistakes.append("\(id) was refused") }
      return
    }
    actions += 1
    guard case .some(let known) = meant else { return }
    if known != hit.id.description { mistakes.append("\(hit.id) was hit instead of \(known ?? "nothing")") }
    let stamp = seen[driver.paintedFrame]?.stamps[hit.id.description]
    if stamp != hit.revision.stamp.modified.seconds { mistakes.append("\(hit.id) was hit in another state than the painted one") }
  }
}
