@testable import Store
import Printing
import Testing

@testable import Browse
@testable import Query

@Suite struct RowMarksTests {
  private let start = ContinuousClock.now

  @Test func `a mark ends after its lifetime`() {
    var marks = RowMarks()
    marks.mark(["ada": .update], at: start)
    #expect(marks["ada"] == .update)
    #expect(marks.deadline == start + RowMarks.lifetime)
    marks.fade(at: start + RowMarks.lifetime)
    #expect(marks["ada"] == nil)
    #expect(marks.deadline == nil)
  }

  @Test func `a row that is marked again keeps its mark for longer`() {
    var marks = RowMarks()
    marks.mark(["ada": .insert], at: start)
    marks.mark(["ada": .update], at: start + .seconds(2))
    marks.fade(at: start + RowMarks.lifetime)
    #expect(marks["ada"] == .insert)
    marks.fade(at: start + .seconds(2) + RowMarks.lifetime)
    #expect(marks["ada"] == nil)
  }

  @Test func `the marks of a burst end together`() {
    var marks = RowMarks()
    for number in 0..<10 {
      marks.mark([Item.ID("item\(number)"): .insert], at: start + .milliseconds(number * 16))
    }
    let end = start + RowMarks.lifetime
    #expect(marks.deadline == end)
    marks.fade(at: end)
    #expect(marks.deadline == nil)
  }

  @Test(arguments: [
    (ChangeRow.Kind.insert, ChangeRow.Kind.move, ChangeRow.Kind.insert), (.update, .move, .move),
    (.move, .update, .move),
    (.update, .update, .update),
  ])
  func `the mark of two changes is that of the larger one`(
    first: ChangeRow.Kind, second: ChangeRow.Kind, both: ChangeRow.Kind
  ) {
    #expect(first.followed(by: second) == both)
  }

  @Test func `a change of the view marks nothing`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("/")
    driver.type("ada")
    driver.press("backspace", "backspace", "backspace")
    #expect(driver.rows == ["ada", "bob", "cleo"])
    #expect(driver.screen.deadline == nil)
  }

  @Test func `of a very large update the rows around the cursor are marked`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.change { store in
      for number in 0..<4_000 { store.write("item\(number + 1_000).yaml", "rating: 1") }
    }
    #expect(driver.line(of: "item1000")?.hasPrefix("+") == true)
    driver.press("G")
    #expect(driver.line(of: "item4998")?.hasPrefix("    item4998") == true)
  }
}
