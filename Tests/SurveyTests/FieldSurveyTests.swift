import Files
import Store
@testable import Survey
import TestSupport
import Testing
import TextEdits
import Values

@testable import Folder
@testable import Query

/// Makes the survey of items with these YAML texts.
func survey(_ texts: [String], settings: Settings = Settings()) throws -> FieldSurvey {
  try FieldSurvey(
    items: texts.enumerated().map { number, text in
      let path = RelativePath(bytes: Array("\(number).yaml".utf8))
      let fields = try PackedValue(reading: Array(text.utf8), as: .yaml)
      let stamp = FileStamp(size: UInt64(text.utf8.count), at: FileTime(seconds: 1))
      return Item(id: Item.ID(path: path), path: path, stamp: stamp, fields: fields)
    }, settings: settings)
}

@Suite struct FieldSurveyTests {
  @Test func `the fields are in the order of the files, those of a map after the map`() throws {
    let survey = try survey([
      "name: Ada\naddress: {city: London, zip: 1}\nrating: 9", "name: Bob\nrating: high\nnick: bo",
    ])
    #expect(
      survey.fields.map(\.path.description) == [
        "name", "address", "address.city", "address.zip", "rating", "nick",
      ])
    #expect(survey.topLevel.map(\.kind) == [.string, .map, nil, .string])
    #expect(survey.count == 2)
    #expect(survey.common.map(\.path.description) == ["name", "address", "rating", "nick"])
  }

  @Test func `the kind of a field is that of more than half of its values`() throws {
    let texts = (0..<42).map { _ in "tags: [a, 1, b]\nrating: 1" } + ["tags: todo\nrating: ~"]
    let survey = try survey(texts)
    #expect(survey.fields.first?.kind == .list)
    #expect(survey.fields.first?.elementKind == .string)
    #expect(survey.fields.first?.typeNames == ["list", "string"])
    #expect(survey.fields.last?.kind == .number)
    #expect(survey.fields.last?.typeNames == ["number", "null"])
    #expect(try SurveyTests.survey(["a: 1", "a: x"]).fields.first?.kind == nil)
  }

  @Test func `a bounded number of items is read, spread over all of them`() throws {
    let survey = try survey((0..<3_000).map { "n\($0 / 1_000): 1" })
    #expect(survey.count == FieldSurvey.maxItems)
    #expect(survey.total == 3_000)
    #expect(Set(survey.fields.map(\.path.description)) == ["n0", "n1", "n2"])
  }

  @Test func `items of a bounded size are read`() throws {
    let text = "text: \(String(repeating: "x", count: 100 << 10))"
    #expect(try survey(Array(repeating: text, count: 100)).count == 40)
    let large = "large: \(String(repeating: "x", count: 200 << 10))"
    #expect(try survey([large, "n: 1"]).fields.map(\.path.description) == ["n"])
  }

  @Test func `a field with few short values has choices`() throws {
    let survey = try survey((0..<20).map { "status: \($0 % 3 == 0 ? "done" : "open")\nnumber: \($0)" })
    #expect(survey.fields.first?.values == ["done", "open"])
    #expect(survey.fields.last?.values == [])
  }

  @Test func `an editor and a store have the same survey`() throws {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1\n", "b/c.json": "{\"n\": \"x\", \"m\": [true]}", "d.md": "---\nn: 2\n---\n",
      "bad.yaml": "n: [",
    ])
    let store = try ItemStore(at: folder.path, watching: false)
    let (own, read) = (store.fieldSurvey(), try ItemEditor(root: folder.path).session().fieldSurvey)
    #expect(own.fields.map(\.path) == read.fields.map(\.path))
    #expect(own.fields.map(\.kind) == read.fields.map(\.kind))
    #expect(own.count == 3)
    #expect(read.count == 3)
  }
}

@Suite struct FieldDoubtTests {
  private func doubts(_ survey: FieldSurvey, _ edits: [TextEdit], of id: Item.ID? = nil) -> [String] {
    survey.doubts(about: edits, of: id).map(\.description)
  }

  private static let todos = (0..<4).map {
    "due: 2026-11-0\($0 + 1)\nrating: \($0)\ntags: [a, b]\nstatus: open\ntitle: t\naddress: {city: x}\n"
  }

  @Test(
    arguments: [
      (
        .set("due", "tomorrow"),
        "`due` is a date in 4 of 4 other items, and `tomorrow` is a string. Write a date such as 2026-11-22, or @today."
      ),
      (.set("rating", "great"), "`rating` is a number in 4 of 4 other items, and `great` is a string."),
      (
        .set("tags", "todo"),
        "`tags` is a list in 4 of 4 other items, and `todo` is a string. Write tags+=todo to add an element."
      ),
      (.set("stauts", "done"), "no other item has the field `stauts`. Did you mean `status`?"),
      (.set("adress.city", "x"), "no other item has the field `adress`. Did you mean `address`?"),
      (.set("address.ctiy", "x"), "no other item has the field `address.ctiy`. Did you mean `address.city`?"),
      (
        .set("address", .map(["ctiy": "x"])),
        "no other item has the field `address.ctiy`. Did you mean `address.city`?"
      ),
      (.set("quite-new", 1), "no other item has the field `quite-new`."),
      (
        .set("title", 8),
        "`title` is a string in 4 of 4 other items, and `8` is a number. For a string, write title:=\"8\"."
      ),
      (
        .append(5, to: "tags"),
        "each element of `tags` is a string in 8 of 8 elements in the other items, and `5` is a number."
      ),
      (
        .set("tags[0]", 5),
        "each element of `tags` is a string in 8 of 8 elements in the other items, and `5` is a number."
      ),
      (.set("tags", ""), "`tags` is a list in 4 of 4 other items, and `` is a string."),
      (
        .set("due", "@today"),
        "`due` is a date in 4 of 4 other items, and `@today` is a string. For the date, write due=@today without quotes."
      ),
      (.append("x", to: "title"), "`title` is a string in 4 of 4 other items, and `[\"x\"]` is a list."),
    ] as [(TextEdit, String)])
  func `a value unlike those of the other items is doubtful`(_ edit: TextEdit, _ doubt: String) throws {
    #expect(doubts(try survey(Self.todos), [edit]) == [doubt])
  }

  @Test(
    arguments: [
      .set("due", "2026-12-01"), .set("due", .null), .set("title", "2026-12-01"), .set("tags", .list([])),
      .set("tags", .list(["c"])),
      .append("c", to: "tags"), .set("tags[0]", "c"), .set("address.city", "y"), .remove("gone"),
      .removeValue(1, from: "tags"),
      .set("body", "Text."),
    ] as [TextEdit])
  func `a value like those of the other items is not doubtful`(_ edit: TextEdit) throws {
    #expect(doubts(try survey(Self.todos), [edit]) == [])
  }

  @Test func `an item is not compared with itself, nor with nothing`() throws {
    #expect(doubts(try survey([]), [.set("x", 1)]) == [])
    #expect(doubts(try survey(["a: 1"]), [.set("x", 1)], of: "0") == [])
    #expect(doubts(try survey(["name: 1"]), [.set("x", 1)]) == [])
    #expect(doubts(try survey(["name: 1"]), [.set("nmae", 1)]).count == 1)
    // Without the item itself, the others have numbers and strings alike.
    let mixed = try survey(["a: 1", "a: 2", "a: x"])
    #expect(doubts(mixed, [.set("a", "y")], of: "0") == [])
    #expect(doubts(mixed, [.set("a", "y")], of: "2").count == 1)
    #expect(doubts(try survey(["own: 1", "a: 1"]), [.set("own", 2)], of: "0") == [])
  }

  @Test func `a change with many new fields has a bounded number of doubts`() throws {
    #expect(
      doubts(try survey(Self.todos), (0..<5_000).map { .set(FieldPath(keys: ["new\($0)"]), 1) }).count == 100)
    // Of 1,000 fields and more not all are known.
    let wide = (0..<1_200).map { "f\($0): 1\n" }.joined()
    #expect(doubts(try survey([wide, wide, wide]), [.set("f1199", 2)]) == [])
  }

  @Test func `a field of the defaults is known`() throws {
    let settings = try Settings(PackedValue(reading: Array("defaults: {status: open}".utf8), as: .yaml).value)
    #expect(doubts(try survey(["a: 1"], settings: settings), [.set("status", "done")]) == [])
  }

  @Test(arguments: Randomness.seeds(60))
  func `a kind is doubtful if and only if most of the other items have another one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = ["1", "x", "2026-01-01", "true", "[a]", "{k: v}", "~"]
    let chosen = (0..<(1 + random.below(12))).map { _ in random.oneIn(3) ? random.one(of: values) : values[0]
    }
    let survey = try survey(chosen.map { "f: \($0)" } + ["g: 1"])
    let new = try #require(
      PackedValue(reading: Array("f: \(random.one(of: values))".utf8), as: .yaml).value["f"])
    let own = random.below(chosen.count + 1)
    let others = try chosen.enumerated().filter { $0.offset != own }
      .compactMap {
        ValueKind(try PackedValue(reading: Array("f: \($0.element)".utf8), as: .yaml).value["f"] ?? .null)
      }
    let majority = ValueKind.allCases.first { kind in others.count { $0 == kind } * 2 > others.count }
    let doubts = survey.doubts(
      about: [.set("f", new)], of: own < chosen.count ? Item.ID(printed: "\(own)") : nil)
    // A map can have a field that no other item has.
    let found = doubts.first { $0.path == "f" }?.kind
    let expected: FieldDoubt.Kind? =
      ValueKind(new).flatMap { kind in
        majority.flatMap { $0 == kind || (kind == .date && $0 == .string) ? nil : .unlike($0) }
      }
    #expect(found == expected, "\(chosen), \(own), \(new); \(seedNote(seed))")
  }
}
