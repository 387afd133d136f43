import Store
import Testing
import Values

@testable import notes_watch

@Suite struct UnsetWordsTests {
  private static let items: [String: Fields] = [
    "ada": [
      "rating": .number(.integer(1)), "tags": .list([.string("a"), .string("b"), .string("c")]),
      "home": .null,
    ],
    "bob": ["rating": .null], "home": ["x": .null],
  ]

  @Test(
    arguments: [
      (["ada", "rating"], [], ["ada"], ["rating"]),
      (["ada", "bob", "rating"], [], ["ada", "bob"], ["rating"]),
      (["ada", "rating", "bob"], [], ["ada"], ["rating", "bob"]),
      (["ada", "tags[0]", "/a.b/c"], [], ["ada"], ["tags[0]", "/a.b/c"]),
      (["ada", "home"], ["x"], ["ada", "home"], ["x"]), (["ada"], ["home"], ["ada"], ["home"]),
      (["nobody", "x"], [], ["nobody"], ["x"]),
      (["bob", "home", "rating"], [], ["bob", "home"], ["rating"]),
      (["ada", "bob"], [], ["ada", "bob"], []),
    ] as [([String], [String], [String], [String])])
  func `the words that name items are ids`(
    words: [String], afterDashes: [String], ids: [String], fields: [String]
  ) throws {
    let split = try UnsetCommand.divide(words, afterDashes: afterDashes, items: UnsetWordsTests.items)
    #expect(split.ids == ids)
    #expect(split.fields.map(\.description) == fields)
  }

  @Test func `a word that may be an id or a field is an error`() {
    let error = #expect(throws: Failure.self) {
      try UnsetCommand.divide(["ada", "home"], items: UnsetWordsTests.items)
    }
    #expect(error?.word == "home")
    #expect(error?.message.contains("`--`") == true)
    #expect(throws: Failure.self) { try UnsetCommand.divide(["ada", "a..b"], items: UnsetWordsTests.items) }
  }

  @Test func `element numbers refer to the item before the edits`() throws {
    let ada = try #require(UnsetWordsTests.items["ada"])
    let (_, fields) = try UnsetCommand.divide(
      ["ada", "tags[0]", "tags[2]", "tags[0]", "rating", "nothing"], items: UnsetWordsTests.items)
    let rest = try ada.applying(UnsetCommand.edits(removing: fields, from: ada))
    #expect(rest == ["tags": .list([.string("b")]), "home": .null])
    let (_, all) = try UnsetCommand.divide(["ada", "tags", "tags[1]"], items: UnsetWordsTests.items)
    #expect(try ada.applying(UnsetCommand.edits(removing: all, from: ada))["tags"] == nil)
  }
}
