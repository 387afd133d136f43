import Query
@testable import Store
import Testing

@testable import Browse

@Suite struct FieldWordTests {
  @Test(
    arguments: [
      ("rating", "rating"), ("first-name", "first-name"), ("größe", "größe"), ("a b", "`a b`"),
      ("a=b", "`a=b`"), ("a-", "`a-`"),
      ("a`b", "`a``b`"), ("x@y", "`x@y`"), ("a:", "`a:`"), ("", "``"),
    ])
  func `a name that is not plain is in backquotes`(key: String, name: String) {
    #expect(FieldWord.name(FieldPath(keys: [key])) == name)
  }

  @Test func `a text is written as the other items have it`() {
    #expect(FieldWord.words("x", "1984", kind: .string, elementKind: nil) == ["x:=\"1984\""])
    #expect(
      FieldWord.words("x", "say \"hi\" \\ \u{7}", kind: .string, elementKind: nil) == [
        "x:=\"say \\\"hi\\\" \\\\ \\u0007\""
      ])
    #expect(FieldWord.words("x", "1984", kind: .number, elementKind: nil) == ["x=1984"])
    #expect(FieldWord.words("x", "1984", kind: nil, elementKind: nil) == ["x=1984"])
    #expect(
      FieldWord.words("x", "a,b c,, ", kind: .list, elementKind: .number) == ["x:=[]", "x+=a", "x+=b c"])
    #expect(FieldWord.words("x", " [1, 2]", kind: .list, elementKind: .number) == ["x:= [1, 2]"])
    #expect(FieldWord.words("x", "{}", kind: .map, elementKind: nil) == ["x:={}"])
    for kind in [.string, .date, nil] as [ValueKind?] {
      #expect(FieldWord.words("x", "@today + 3d", kind: kind, elementKind: nil) == ["x=@today + 3d"])
      #expect(FieldWord.words("x", "\"@today\"", kind: kind, elementKind: nil) == ["x=\"@today\""])
    }
  }

  @Test func `a text of another kind is noted`() {
    #expect(FieldWord.note(on: "3.5", kind: .number) == nil)
    #expect(FieldWord.note(on: "nan", kind: .number) != nil)
    #expect(FieldWord.note(on: "true", kind: .boolean) == nil)
    #expect(FieldWord.note(on: "yes", kind: .boolean) != nil)
    #expect(FieldWord.note(on: "2026-11-22", kind: .date) == nil)
    #expect(FieldWord.note(on: "tomorrow", kind: .date) != nil)
    #expect(FieldWord.note(on: "@today - 2w", kind: .date) == nil)
    #expect(FieldWord.note(on: "anything", kind: nil) == nil)
  }
}
