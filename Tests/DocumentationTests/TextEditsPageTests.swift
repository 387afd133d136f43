import Testing
import TextEdits
import Values

/// The examples of `TextEdits.docc/TextEdits.md` compile, and give the results that the page names.
@Suite struct TextEditsPageTests {
  @Test func `the page has no other examples`() throws {
    let page = try DocumentationPage("Sources/Ground/TextEdits/TextEdits.docc/TextEdits.md", below: #filePath)
    #expect(page.lines.count > 25)
    let missing = try page.firstLineMissing(in: #filePath)
    #expect(missing == nil)
  }

  @Test func `the examples give the results that the page names`() throws {
    let text = "title: Notes  # mine\nrating: 5\ntags: [draft, new]\n"
    let note = try PackedValue(reading: text, as: .yaml)
    let title = note.value(at: "title")
    let tag = note.value(at: "tags[LAST]")
    #expect(title == "Notes")
    #expect(tag == "new")

    var printed: [String] = []
    func print(_ line: String) { printed.append(line) }
    do {
      _ = try PackedValue(reading: "tags: [draft", as: .yaml)
    } catch {
      print("note.yaml:\(error)")
    }
    #expect(printed == ["note.yaml:1:7: This list is not closed. Add the missing `]`."])

    let item: Value = ["title": "Notes", "rating": 5, "done": false, "tags": ["draft", "new"]]
    let json = item.text
    #expect(json == #"{"title":"Notes","rating":5,"done":false,"tags":["draft","new"]}"#)

    let city: FieldPath = "address.city"
    let entered = try FieldPath(parsing: "tags.@count")
    let count = note.value(at: entered)
    #expect(city.keys == ["address", "city"])
    #expect(count == 2)

    let located = try LocatedText(reading: Array(text.utf8), as: .yaml)
    let range = located.range(of: "rating")
    let place = located.place(of: "rating")
    #expect(range == 29..<30)
    #expect(place == TextPlace(line: 2, column: 9))

    let edits: [TextEdit] = [.set("rating", 6), .append("urgent", to: "tags")]
    let edited = try ItemText(Array(text.utf8), as: .yaml).applying(edits)
    #expect(
      String(decoding: edited, as: UTF8.self)
        == "title: Notes  # mine\nrating: 6\ntags: [draft, new, urgent]\n")

    let ours = Array("title: Notes  # mine\nrating: 7\ntags: [draft, new]\n".utf8)
    let theirs = Array("title: Notebook  # mine\nrating: 6\ntags: [draft, new]\n".utf8)
    var rules = MergeRules()
    rules["rating"] = .max
    let merge = TextMerge(base: Array(text.utf8), ours: ours, theirs: theirs, as: .yaml, rules: rules)
    let isClean = !merge.isConflicted
    #expect(isClean)
    #expect(
      String(decoding: merge.bytes, as: UTF8.self)
        == "title: Notebook  # mine\nrating: 7\ntags: [draft, new]\n")

    let isWrittenDifferently = Number(json: "3.10") != Number(json: "3.1")
    let mixed: [Value] = ["v10", 2, "V9", 1.5, true]
    let sorted = mixed.sorted { ValueOrder.compare($0, $1) < 0 }
    #expect(isWrittenDifferently)
    #expect(sorted == [true, 1.5, 2, "V9", "v10"])
  }
}
