import LinuxFiles
import DirectoryWatch
import PlainText
import Testing

@testable import PlainStore

struct PseudoFieldTests {
  private static let item = Item.sample("a/b/note.one.md", [:], stamp: FileStamp(size: 42, modified: 1_700_000_000, created: -1))

  @Test(
    arguments: [
      ("@id", "a/b/note.one"), ("@path", "a/b/note.one.md"), ("@dir", "a/b"), ("@name", "note.one"), ("@ext", "md"),
      ("@modified", "2023-11-14T22:13:20.000Z"), ("@created", "1969-12-31T23:59:59.000Z"),
    ] as [(FieldPath, String)])
  func `Every item has them`(path: FieldPath, text: String) {
    #expect(PseudoFieldTests.item.value(at: path)?.text == text)
  }

  @Test func `The size is a number, times are dates, the rest is text`() {
    #expect(PseudoFieldTests.item.value(at: "@size") == 42)
    #expect(PseudoFieldTests.item.value(at: "@modified")?.kindName == "a date")
    // As in a file: what is wholly a date is one, so that a diary's notes can be asked for by their names.
    #expect(Item.sample("2024-01-01.md", [:]).value(at: "@name")?.kindName == "a date")
    #expect(Item.sample("x.md", [:], stamp: FileStamp(size: .max)).value(at: "@size") == .number(.integer(.max)))
  }

  @Test func `The root's folder is empty`() {
    let item = Item.sample("x.md", [:])
    #expect(item.value(at: "@dir") == "")
    #expect(item.value(at: "@name") == "x")
  }

  @Test func `Printed as paths are`() {
    let item = Item.sample("50%/a\nb.md", [:])
    #expect(item.value(at: "@dir") == "50%25")
    #expect(item.value(at: "@name") == "a%0Ab")
  }
}
