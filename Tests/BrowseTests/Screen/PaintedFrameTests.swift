import Files
import Query
@testable import Store
import Terminal
import TestSupport
import Testing
import Values

@testable import Browse

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
    #expect(driver.status.hasPrefix(" 2 items · ada is not in the list any more; nothing was done. · files"))
    driver.showFrames()
    driver.press("e")
    #expect(driver.lastTargets == ["bob"])
  }

  /// Returns the items of the last effect; nil if it is not an edit.
  private func edited(_ driver: ScreenDriver) -> [PaintedItem]? {
    if case .act(.edit(let items))? = driver.effects.last { items } else { nil }
  }

  @Test func `an action carries the state of the item that was painted`() throws {
    var driver = ScreenDriver(ScreenTests.three)
    let painted = try #require(driver.list[id: "ada"])
    driver.paintsAtOnce = false
    driver.write("ada.yaml", "rating: 1")
    driver.draw()
    driver.press("e")
    let items = try #require(edited(driver))
    #expect(items.map(\.revision.stamp) == [painted.stamp])
  }

  @Test func `selected items carry the states that were painted`() throws {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("space")
    driver.write("ada.yaml", "rating: 1")
    let painted = try #require(driver.list[id: "ada"])
    driver.paintsAtOnce = false
    driver.write("ada.yaml", "rating: 2")
    driver.draw()
    driver.press("e")
    let items = try #require(edited(driver))
    #expect(items.map(\.revision.stamp) == [painted.stamp])
  }

  @Test func `a selected item outside of the window carries the state in which it was selected`() throws {
    let files = Dictionary(uniqueKeysWithValues: (10..<60).map { ("n\($0).yaml", "rating: 1") })
    var driver = ScreenDriver(files)
    let selected = try #require(driver.list[id: "n10"])
    driver.press("space", "G")
    driver.write("n10.yaml", "rating: 2")
    driver.press("e")
    let items = try #require(edited(driver))
    #expect(items.map(\.revision.stamp) == [selected.stamp])
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

  @Test func `two clicks with a key between them are no double click`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.mouse(.press, row: 2)
    driver.press("p")
    driver.mouse(.press, row: 2)
    #expect(driver.lastTargets == [])
  }

  @Test func `a second click that hits another item, because the rows moved, acts on neither`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.mouse(.press, row: 2)
    driver.write("abe.yaml", "rating: 1")
    driver.mouse(.press, row: 2)
    #expect(driver.cursor == "ada")
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
