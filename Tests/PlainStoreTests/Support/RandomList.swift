import Files
@testable import Store
import TestSupport
import Values

@testable import Query

/// Random items and requests. Few values make ties; few ids make deleted items come back.
enum RandomList {
  static func item(_ random: inout SeededGenerator) -> Item {
    var fields: Fields = [:]
    if !random.oneIn(6) { fields["rating"] = .number(.integer(random.below(6))) }
    if !random.oneIn(6) {
      fields["word"] = random.one(of: [
        "a", "ab", "b", "Ä", "A10", "a9", .null, "2024-01-02", .list(["ab", 7]),
      ])
    }
    if !random.oneIn(5) { fields["group"] = random.one(of: ["x", "y", "z", "Z 10", "Z 9", "", 7]) }
    if random.oneIn(3) {
      fields["title"] = random.one(of: ["a", "b a", "xa", "a b", "A-b", "ba b", .null, 1])
    }
    if random.oneIn(4) { fields["name"] = random.one(of: ["a", "B", .list(["b"])]) }
    if random.oneIn(3) { fields["body"] = random.one(of: ["a b", "zz 1\nb", ""]) }
    if random.oneIn(2) { fields["note"] = .number(.integer(random.below(3))) }
    if !random.oneIn(4) {
      fields["tags"] = random.one(of: [
        .list(["red", "blue"]), .list(["blue", "blue"]), .list([]), "red", .list(["", 7]),
      ])
    }
    return .sample(path(&random), fields)
  }

  static func path(_ random: inout SeededGenerator) -> RelativePath {
    let folder = random.one(of: ["", "", "d/", "e/f/"])
    return RelativePath(bytes: "\(folder)\(random.one(of: ["n", "m"]))\(random.below(12)).md".utf8)
  }

  static func oracle(_ random: inout SeededGenerator) throws -> ListOracle {
    let predicates: [(text: String?, holds: @Sendable (Item) -> Bool)] = [
      (nil, { _ in true }), (nil, { _ in true }),
      ("rating > 2", { ValueOrder.compare($0.value(at: "rating") ?? 0, 2) > 0 }),
      ("note = 1", { $0.value(at: "note") == 1 }), ("FALSEPREDICATE", { _ in false }),
    ]
    let (text, holds) = random.one(of: predicates)
    var request = FetchRequest(predicate: try text.map { try ItemPredicate($0) })
    request.sort = (0..<random.below(3)).map { _ in
      random.one(of: [
        "rating", "-rating", "-rating:nulls-first", "word", "word:nulls-first", "-word:exact", "@dir",
        "missing",
      ])
    }
    if random.oneIn(2) {
      let order: [SectionID] = random.one(of: [[], [], ["y", "nobody"], ["Z 9", "", "y"]])
      let path: FieldPath = random.one(of: ["group", "@dir", "word", "tags"])
      let grouping: SectionDescriptor.Grouping = random.one(of: [.value, .firstLetter, .element])
      request.section = SectionDescriptor(path, by: grouping, descending: random.oneIn(3), order: order)
    }
    request.search = random.one(of: ["", "", "", "a", "a b", "1", "zz", "b a", "b"])
    if random.oneIn(3) {
      request.searchFields = random.one(of: [["word"], ["@id", "group"], ["body", "name", "word"]])
    }
    request.sortsByRelevance = random.oneIn(2)
    if random.oneIn(2) { request.fields = random.one(of: [["rating"], ["word", "@dir"], ["missing"]]) }
    if random.oneIn(3) { request.limit = random.below(8) }
    if random.oneIn(4) { request.offset = random.below(6) }
    return ListOracle(request: request, holds: holds)
  }
}
