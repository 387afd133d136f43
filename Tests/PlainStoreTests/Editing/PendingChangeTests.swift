@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import Query

@Suite(.timeLimit(.minutes(1)))
struct PendingChangeTests {
  @Test func `a path with a number addresses an element`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "tags: [a, b] # mine\npeople:\n  - name: Bob\n"])
    let store = try ItemStore(at: folder.path)
    let path = FieldPath("tags[0]")
    try await store.update(
      "ada", [.set(path, "x"), .remove("tags[1]"), .set("people[0].name", "Eve"), .insert("tags[1]", "z")])
    #expect(try folder.text(of: "ada.yaml") == "tags: [x, z] # mine\npeople:\n  - name: Eve\n")
    #expect(store.item("ada")?.value(at: path) == "x")
    let error = await #expect(throws: EditError.self) {
      try await store.update("ada", [.set("tags[9]", "z")])
    }
    #expect(error?.refusal?.reason == .missing)
    // The command reads the same path.
    #expect(try FieldPath(parsingWritable: "tags[0]") == path)
  }

  @Test(arguments: PseudoField.allCases.map(\.rawValue)) func `a pseudo-field cannot be changed`(name: String)
    async throws
  {
    let text = "n: 1\n"
    let folder = try TemporaryFolder(["a.yaml": text])
    let store = try ItemStore(at: folder.path)
    let path = try FieldPath(parsing: name)
    let edits: [TextEdit] = [
      .set(path, 2), .insert(path, 2), .append(2, to: path), .remove(path), .removeValue(2, from: path),
      .rename(path, to: "m"),
      .rename("n", to: name),
    ]
    for edit in edits {
      let error = await #expect(throws: EditError.self, "\(edit)") {
        try await store.update("a", [.set("n", 2), edit])
      }
      #expect(error?.code == .refused, "\(edit)")
      #expect(
        error?.message.hasPrefix("`\(name)` is computed from the file and cannot be changed.") == true,
        "\(edit)")
    }
    let error = await #expect(throws: EditError.self) { try await store.insert("b", fields: [name: 1]) }
    #expect(error?.code == .refused)
    #expect(try folder.files == ["a.yaml": Array(text.utf8)])
    // Below the root it is a key like any other.
    try await store.update("a", [.set(FieldPath(keys: ["m", name]), 3)])
    #expect(try folder.text(of: "a.yaml") == text + "m:\n  \"\(name)\": 3\n")
  }

  @Test func `a key of a file with the name of a pseudo-field can be changed`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "\"@size\": 1\n\"@id\": x\n"])
    let store = try ItemStore(at: folder.path)
    try await store.update("a", [.set("@size", 2), .remove("@id")])
    #expect(try folder.text(of: "a.yaml") == "\"@size\": 2\n")
    #expect(store.item("a")?.value(at: "@size") == 11)
    let error = await #expect(throws: EditError.self) {
      try await store.update("a", [.rename("@size", to: "@id")])
    }
    #expect(error?.code == .refused)
    try await store.update("a", [.rename("@size", to: "size")])
    #expect(try folder.text(of: "a.yaml") == "\"size\": 2\n")
  }
}
