import Store
import Terminal
import TestSupport
import Testing

@testable import Browse
@testable import Query

/// While a search is typed, the best match is first and has the cursor.
struct ScreenSearchTests {
  private static let notes = [
    "a.yaml": "title: Trip\nbody: pack the tent", "b.yaml": "title: Unpacking", "c.yaml": "title: Garden",
    "z.yaml": "title: Packing list",
  ]

  @Test func `Enter in the search line opens the best match`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.press("/")
    driver.type("pack")
    #expect(driver.rows == ["z", "b", "a"])
    #expect(driver.cursor == "z")
    driver.press("enter")
    #expect(driver.lastTargets == ["z"])
    #expect(driver.status.contains("/pack"))
  }

  @Test func `Enter waits for the list of what was typed before it`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.answersSearches = false
    driver.press("/")
    driver.type("pack")
    driver.press("enter")
    #expect(driver.lastTargets == [])
    driver.answerSearch()
    #expect(driver.lastTargets == ["z"])
  }

  @Test func `Enter opens the best match of a list that is not painted yet`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.press("/")
    driver.paintsAtOnce = false
    driver.type("pack")
    driver.press("enter")
    #expect(driver.lastTargets == ["z"])
    driver.write("c.yaml", "title: Other")
    #expect(driver.effects.count { if case .act = $0 { true } else { false } } == 1)
  }

  @Test func `in the line of --search-first, Enter chooses no row of an older search`() {
    var options = ScreenOptions()
    options.isFilter = true
    options.searchesFirst = true
    var driver = ScreenDriver(ScreenSearchTests.notes, options: options)
    driver.answersSearches = false
    driver.type("pack")
    driver.press("enter")
    #expect(driver.lastTargets == [])
    driver.answerSearch()
    driver.press("enter")
    #expect(driver.lastTargets == ["z"])
  }

  @Test func `after Tab the cursor goes to the best match when it is there`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.answersSearches = false
    driver.press("/")
    driver.type("pack")
    driver.press("tab")
    driver.answerSearch()
    #expect(driver.cursor == "z")
    #expect(driver.lastTargets == [])
  }

  @Test func `with --print, Enter chooses no match that was not seen`() {
    var options = ScreenOptions()
    options.isFilter = true
    var driver = ScreenDriver(ScreenSearchTests.notes, options: options)
    driver.answersSearches = false
    driver.press("/")
    driver.type("pack")
    driver.press("enter")
    driver.answerSearch()
    #expect(driver.cursor == "z")
    #expect(driver.lastTargets == [])
    driver.press("enter")
    #expect(driver.lastTargets == ["z"])
  }

  @Test func `a key after Enter cancels what waits for the list`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.answersSearches = false
    driver.press("/")
    driver.type("pack")
    driver.press("enter", "j")
    driver.answerSearch()
    #expect(driver.lastTargets == [])
  }

  @Test func `an emptied search line keeps the row, and Enter closes it`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.press("/")
    driver.type("p")
    #expect(driver.cursor == "z")
    driver.press("ctrl-u", "enter")
    #expect(driver.rows == ["a", "b", "c", "z"])
    #expect(driver.cursor == "z")
    #expect(driver.lastTargets == [])
  }

  @Test func `Enter without a match opens nothing`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.press("/")
    driver.type("zebra")
    driver.press("enter")
    #expect(driver.lastTargets == [])
  }

  @Test func `Tab keeps the search, and the cursor stays on its row`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.press("/")
    driver.type("pack")
    driver.press("tab", "j")
    #expect(driver.cursor == "b")
    driver.write("a.yaml", "title: Pack")
    #expect(driver.rows == ["a", "z", "b"])
    #expect(driver.cursor == "b")
    #expect(driver.lastTargets == [])
  }

  @Test func `Escape returns to the row at which the search began`() {
    var driver = ScreenDriver(ScreenSearchTests.notes)
    driver.press("j", "j", "/")
    driver.type("pack")
    #expect(driver.cursor == "z")
    driver.press("esc")
    #expect(driver.rows == ["a", "b", "c", "z"])
    #expect(driver.cursor == "c")
  }

  @Test func `in sections the best match may be in any of them`() {
    var driver = ScreenDriver(
      ["a.yaml": "title: Unpack\ngroup: x", "b.yaml": "title: Pack\ngroup: y"],
      request: FetchRequest(section: SectionDescriptor("group")))
    driver.press("/")
    driver.type("pack")
    #expect(driver.rows == ["a", "b"])
    #expect(driver.cursor == "b")
  }
}
