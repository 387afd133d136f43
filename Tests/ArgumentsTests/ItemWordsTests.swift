import Store
import Testing

@testable import notes_watch

@Suite struct ItemWordsTests {
  @Test(
    arguments: [
      (["ada"], [], ["ada"], []), (["ada", "k=1"], [], ["ada"], ["k=1"]),
      (["ada", "bob", "k=1", "l@f"], [], ["ada", "bob"], ["k=1", "l@f"]),
      (["ada@example.org", "k=1"], [], ["ada@example.org"], ["k=1"]),
      (["ada", "bob%40example.org", "k=1"], [], ["ada", "bob%40example.org"], ["k=1"]),
      (["ada", "x@y"], ["k=1"], ["ada", "x@y"], ["k=1"]), (["a=b"], ["-k=1"], ["a=b"], ["-k=1"]),
      (["-", "k=1"], [], ["-"], ["k=1"]),
      (["ada", "t+=a", "t+=a", "t-=b"], [], ["ada"], ["t+=a", "t+=a", "t-=b"]),
      (["ada", "a.b=1", "`a.b`=2", "a=3"], [], ["ada"], ["a.b=1", "`a.b`=2", "a=3"]),
      ([], [], [], []),
    ] as [([String], [String], [String], [String])])
  func `ids come before assignments`(
    words: [String], afterDashes: [String], ids: [String], assignments: [String]
  ) throws {
    let split = try ItemWords(words, afterDashes: afterDashes)
    #expect(split.ids == ids)
    #expect(split.assignments.map(\.word) == assignments)
  }

  @Test(arguments: [
    (["ada", "name=Ada", "Lovelace"], [], "Lovelace", "quote values with spaces"),
    (["name=Ada"], [], "name=Ada", "id of an item is missing"),
    (["ada", "k=1", "l=1", "k=2"], [], "k=2", "set twice"),
    (["ada", "a[0]=1", "/a/0@f"], [], "/a/0@f", "set twice"),
    (["ada"], ["k=1", "k:=1"], "k:=1", "set twice"),
    (["a=b@c", "k=1"], [], "a=b@c", "write a%3Db%40c"), (["ada", "@bob", "k=1"], [], "@bob", "write %40bob"),
    (["ada"], ["bob"], "bob", "assignment"), (["ada", "=x"], [], "=x", "name is missing"),
    (["ada", "-", "k=1"], [], "-", "all items are read from standard input"),
    (["ada", "a@-", "b@-"], [], "@-", "read only once"),
  ])
  func `a word in the wrong place is an error`(
    words: [String], afterDashes: [String], word: String, part: String
  ) {
    let error = #expect(throws: Failure.self) { try ItemWords(words, afterDashes: afterDashes) }
    #expect(error?.word == word, "\(error?.description ?? "")")
    #expect(error?.message.contains(part) == true, "\(error?.description ?? "")")
  }
}
