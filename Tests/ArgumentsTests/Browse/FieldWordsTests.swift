import Browse
import TestSupport
import Testing
import TextEdits
import Values

@testable import notes_watch

@Suite struct FieldWordsTests {
  @Test func `words are the assignments of set`() throws {
    let words = try [Assignment](words: ["rating=9", "tags+=new", "address.city=Paris"]).resolved(
      ReadLimits())
    #expect(
      try words.edits(of: [:]) == [
        .set("rating", 9), .append("new", to: "tags"), .set("address.city", "Paris"),
      ])
  }

  @Test func `a first word with an at sign is no id`() throws {
    let folder = try TemporaryFolder(["text": "hello\n"])
    let words = try [Assignment](words: ["body@\(folder.path)/text"]).resolved(ReadLimits())
    #expect(try words.edits(of: [:]) == [.set("body", "hello\n")])
  }

  @Test(arguments: ["x@-", "name", "=1", "@size=1", "a:=[", "x@/nowhere/at/all", "`a=1"])
  func `a wrong word is an error that names it`(word: String) {
    let error = #expect(throws: Failure.self) { try [Assignment](words: [word]).resolved(ReadLimits()) }
    #expect(error?.word == word)
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test func `a field cannot be set twice`() {
    #expect(throws: Failure.self) { try [Assignment](words: ["a=1", "a=2"]) }
  }

  @Test func `a mistake has its column`() {
    let error = #expect(throws: Failure.self) { try [Assignment](words: ["a:=[1,]"]) }
    #expect(error?.column == 6)
  }
}
