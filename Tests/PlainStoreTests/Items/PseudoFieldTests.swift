import Files
@testable import Store
import Testing
import Values

@testable import Query

struct PseudoFieldTests {
  private static let item = Item.sample(
    "a/b/note.one.md", [:], stamp: FileStamp(size: 42, modified: 1_700_000_000, created: -1))

  @Test(
    arguments: [
      ("@id", "a/b/note.one"), ("@path", "a/b/note.one.md"), ("@dir", "a/b"), ("@name", "note.one"),
      ("@ext", "md"),
      ("@modified", "2023-11-14T22:13:20.000Z"), ("@created", "1969-12-31T23:59:59.000Z"),
    ] as [(FieldPath, String)])
  func `each item has all pseudo-fields`(path: FieldPath, text: String) {
    #expect(PseudoFieldTests.item.value(at: path)?.text == text)
  }

  @Test func `the size is a number, times are dates, and the other pseudo-fields are strings`() {
    #expect(PseudoFieldTests.item.value(at: "@size") == 42)
    #expect(PseudoFieldTests.item.value(at: "@modified")?.kindName == "a date")
    // As in a file, a name that is a date is a date, so that a diary's notes can be compared by name.
    #expect(Item.sample("2024-01-01.md", [:]).value(at: "@name")?.kindName == "a date")
    #expect(
      Item.sample("x.md", [:], stamp: FileStamp(size: .max)).value(at: "@size") == .number(.integer(.max)))
  }

  @Test func `the folder of a file in the root is empty`() {
    let item = Item.sample("x.md", [:])
    #expect(item.value(at: "@dir") == "")
    #expect(item.value(at: "@name") == "x")
  }

  @Test func `paths in pseudo-fields are printed as elsewhere`() {
    let item = Item.sample("50%/a\nb.md", [:])
    #expect(item.value(at: "@dir") == "50%25")
    #expect(item.value(at: "@name") == "a%0Ab")
  }
}
