import Testing
import TextEdits
import Values

@Suite struct ValueEditingTests {
  private static let fields: Fields = [
    "name": .string("Ada"), "tags": .list([.string("a")]), "address": .map(["city": .string("London")]),
  ]

  @Test func `editing values gives the values of the edited text`() throws {
    let edits: [TextEdit] = [
      .set(FieldPath(keys: ["name"]), .string("Bob")), .append(.string("b"), to: FieldPath(keys: ["tags"])),
      .remove(FieldPath(keys: ["address", "city"])), .set(FieldPath(keys: ["born"]), .string("1815-12-10")),
      .rename(FieldPath(keys: ["name"]), to: "first"),
    ]
    let text = "name: Ada\ntags: [a]\naddress: {city: London}\n"
    let edited = try ItemText(Array(text.utf8), as: .yaml).applying(edits)
    #expect(try PackedValue(reading: edited, as: .yaml).value == .map(try Self.fields.applying(edits)))
  }

  @Test func `a refused edit of values has a reason`() {
    let error = #expect(throws: TextEditError.self) {
      try Self.fields.applying([.set(FieldPath(keys: ["name", "x"]), .null)])
    }
    #expect(error?.reason == .wrongKind)
    #expect(error?.path == "name.x")
  }
}
