import PlainStore
import Testing
import TextEdits
import Values

/// The examples in the documentation comments of `Values` and `TextEdits`, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct PlainTextExamples {
  // TextEdits/Edit/ItemText.swift
  @Test func `an item text is edited`() throws {
    let item = ItemText(Array("title: Notes  # mine\nrating: 5\n".utf8), as: .yaml)
    let edited = try item.applying([.set("rating", 6)])
    #expect(String(decoding: edited, as: UTF8.self) == "title: Notes  # mine\nrating: 6\n")
  }

  // TextEdits/Edit/TextEdit.swift
  @Test func `edits are listed`() {
    let edits: [TextEdit] = [
      .set("rating", 9),
      .append("new", to: "tags"),
      .removeValue("old", from: "tags"),
    ]
    #expect(edits.count == 3)
  }

  // TextEdits/Edit/TextEditError.swift
  @Test func `an edit of an alias fails`() throws {
    var printed: [String] = []
    func print(_ error: TextEditError) { printed.append("\(error)") }
    let item = ItemText(Array("base: &b {x: 1}\nm: *b\n".utf8), as: .yaml)
    do {
      _ = try item.applying([.set("m.x", .null)])
    } catch {
      print(error)  // 2:4: m.x: This value is the alias *b. …
    }
    #expect(printed.first?.hasPrefix("2:4: m.x: This value is the alias *b.") == true)
  }

  // Values/Located/LocatedText.swift
  @Test func `a value is located`() throws {
    let text = try LocatedText(reading: Array("title: Notes\nrating: 5\n".utf8), as: .yaml)
    let path: FieldPath = "rating"
    #expect(text.range(of: path) == 21..<22)  // 21..<22
    #expect(text.place(of: path) == TextPlace(line: 2, column: 9))  // line 2, column 9
  }

  // TextEdits/Merge/MergeRules.swift
  @Test func `merge rules are set by path`() {
    var rules = MergeRules()
    rules["tags"] = .set
    rules["rating"] = .max
    rules["contacts"] = .keyed(by: "name")
    rules["contacts.seen"] = .max  // of every contact
    #expect(rules["tags"] == .set)
  }

  // TextEdits/Merge/TextMerge.swift
  @Test func `texts are merged`() {
    let base = Array("n: 1\n".utf8)
    let (ours, theirs) = (Array("n: 2\n".utf8), Array("n: 3\n".utf8))
    let merge = TextMerge(base: base, ours: ours, theirs: theirs, as: .yaml)
    #expect(!merge.bytes.isEmpty)  // with conflict markers around the lines that are in conflict
    #expect(merge.isConflicted)  // true if there are any
  }

  // TextEdits/Merge/Values/ValueMerge.swift
  @Test func `values are merged`() {
    let (base, ours, theirs, rules): (Value, Value, Value, MergeRules) = (1, 2, 3, MergeRules())
    let merge = ValueMerge(base: base, ours: ours, theirs: theirs, rules: rules)
    #expect(merge.value == 2)  // with ours where the sides are in conflict
    #expect(merge.conflicts.count == 1)  // the smallest values that both sides changed in different ways
  }

  // Values/Ordering/ValueOrder.swift
  @Test func `values have an order`() {
    #expect(ValueOrder.compare("note 2", "Note 10") < 0)  // true
    #expect(ValueOrder.compare(3, "2") < 0)  // true
  }

  // Values/Packed/PackedValue.swift
  @Test func `a packed value is read`() {
    let packed = PackedValue(["name": "Ada"])
    #expect(packed.value(at: "name") == .string("Ada"))  // .string("Ada")
  }

  // Values/Paths/FieldPath.swift
  func fieldPath(_ item: Item) {
    let path: FieldPath = "releases.date.@max"
    let latest = item.value(at: path)
    _ = latest
  }

  // Values/TextError.swift
  @Test func `an unreadable text is an error`() {
    var printed: [String] = []
    func print(_ line: String) { printed.append(line) }
    do {
      _ = try PackedValue(reading: "a: [1, 2", as: .yaml)
    } catch {
      print("note.yaml:\(error)")  // note.yaml:1:4: This list is not closed. Add the missing `]`.
    }
    #expect(printed == ["note.yaml:1:4: This list is not closed. Add the missing `]`."])
  }

  @Test func `a malformed path is an error`() {
    var printed: [String] = []
    func print(_ error: TextError) { printed.append("\(error)") }
    do {
      _ = try FieldPath(parsing: "address..city")
    } catch {
      print(error)  // `address..city`, column 9: A key is missing here. …
    }
    #expect(printed.first?.hasPrefix("`address..city`, column 9: A key is missing here.") == true)
  }

  // Values/TextReader.swift
  @Test func `bytes are read`() throws {
    var reader = TextReader()
    let bytes = Array("title: Notes\nrating: 5\n".utf8)
    let item = try bytes.withUnsafeBytes { try reader.readItem($0, as: .yaml) }
    print(item.value["rating"] ?? .null)
    #expect(item.value["rating"] == 5)
  }

  // Values/Number.swift
  @Test func `a number keeps its text`() {
    let version = Number(json: "3.10")  // .literal("3.10")
    let rating = Number(json: "9")  // .integer(9)
    #expect(version == .literal("3.10"))
    #expect(rating == .integer(9))
  }

  // Values/Value.swift
  @Test func `a value is a literal`() {
    let value: Value = ["name": "Ada", "born": 1815]
    print(value["name"]?.text ?? "nobody")  // Ada
    #expect(value["born"] == 1815)
  }
}
