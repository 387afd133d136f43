import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import Query

/// A contact whose fields had other names and types.
private struct Contact: PlainModel {
  struct Address: Codable, Equatable { var postcode: String?, city: String? }
  struct Phone: Codable, Equatable { var number: String, label: String? }
  struct BadStars: Error {}

  var id: String
  var name: String
  var email: String?
  var stars: Int
  var feet: Double?
  var address: Address?
  var phones: [Phone]
  static let defaults: Fields = ["stars": 0, "phones": []]
  static let changes: [ModelChange] = [
    .renamed("mail", to: "e-mail"),
    .renamed("e-mail", to: "email"),
    .renamed("rating", to: "stars"),
    .converted("stars") { (text: String) in
      guard text.allSatisfy({ $0 == "*" }) else { throw BadStars() }
      return text.count
    },
    .converted("height") { (metres: Double) in metres * 4 },
    .renamed("height", to: "feet"),
    .renamed("address.zip", to: "postcode"),
    .renamed("phones.nr", to: "number"),
  ]
}

struct ModelChangePropertyTests {
  /// Returns a file of a contact: each field in the new form, in an older one, in both, or in none.
  private static func contact(using random: inout SeededGenerator) -> String {
    func some(_ lines: [String], using random: inout SeededGenerator) -> [String] {
      var chosen = lines.filter { _ in random.oneIn(lines.count) }
      chosen.shuffle(using: &random)
      return chosen
    }
    var blocks = ["name: n\(random.below(4))  # name", "extra: [1, {mail: x}]  # extra"]
    let mail = random.below(4)
    blocks += some(
      ["mail: m\(mail)  # a", "e-mail: 'm\(mail)'  # b", "email: m\(mail + 1)  # c"], using: &random)
    let stars = random.below(4)
    let text = random.oneIn(8) ? "*?" : String(repeating: "*", count: stars)
    blocks += some(["rating: '\(text)'  # d", "stars: \(stars)  # e"], using: &random)
    if random.oneIn(4) { blocks.append("stars: '**'  # f") }
    blocks += some(["height: 1.5  # g", "feet: \(random.below(9))  # h"], using: &random)
    if random.oneIn(2) {
      let keys = some(["zip: '1'", "postcode: '2'", "city: Rome", "floor: 3"], using: &random)
      blocks.append("address: {\(keys.joined(separator: ", "))}  # i")
    }
    if random.oneIn(2) {
      let phones = (0..<1 + random.below(3)).map { number in
        "  - \(random.oneIn(2) ? "nr" : "number"): '\(random.below(3))'  # j\(number)\n    mark: \(number)"
      }
      blocks.append((["phones:  # k"] + phones).joined(separator: "\n"))
    }
    // A key occurs once.
    var known: Set<Substring> = []
    blocks = blocks.filter { known.insert($0.prefix { $0 != ":" }).inserted }
    blocks.shuffle(using: &random)
    return "# file\n" + blocks.joined(separator: "\n") + "\n"
  }

  private static func request(using random: inout SeededGenerator) -> FetchRequest {
    let predicates: [ItemPredicate?] = [
      nil, nil, "email = 'm1'", "stars >= 2", "feet > 5", "address.postcode = '1'", "ANY phones.number = '1'",
      "email = nil", "stars IN {0, 3} OR phones.@count > 1",
    ]
    let sorts: [[ItemSortDescriptor]] = [
      [], ["email"], ["-stars", "name"], ["feet", "-email"], ["address.postcode"], ["phones.number"],
    ]
    let sections: [SectionDescriptor?] = [nil, nil, "stars", "-email", "address.postcode"]
    let request = try? FetchRequest(
      in: nil, where: random.one(of: predicates), sort: random.one(of: sorts),
      section: random.one(of: sections),
      search: random.one(of: ["", "", "m1", "2", "6", "* n"]),
      searchFields: random.one(of: [[], ["email"], ["stars", "feet"]]))
    return request ?? FetchRequest()
  }

  private static func rows(of store: ItemStore, _ request: FetchRequest) -> [String] {
    let list = store.list(of: Contact.self, request).snapshot
    let counts = list.counts(by: "email").map { "\($0.key): \($0.value)" }.sorted()
    return list.sections.map { "\($0.id): \($0.map { "\($0)" })" } + counts
      + ["\(list.sum("stars") as Any) \(list.max("feet") as Any)"]
      + list.problems.map(\.path.description)
  }

  @Test func `objects and lists of older files are those of the migrated files`() async throws {
    var migrated = 0
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      var files: [String: String] = [:]
      for number in 0..<8 { files["c\(number).yaml"] = Self.contact(using: &random) }
      let note = Comment(rawValue: "\(seedNote(seed))\n\(files.sorted { $0.key < $1.key })")
      let old = try await ItemStore.temporary(files, watching: false)
      let folder = try TemporaryFolder(files)
      let new = try await ItemStore.open(folder.path, watching: false)
      let report = try await new.migrate(Contact.self)
      migrated += report.outcomes.count
      for number in 0..<8 {
        let object = try? old.object("c\(number)", as: Contact.self)
        let same = try? new.object("c\(number)", as: Contact.self)
        #expect(same == object, note)
        let isFailure = report.failures.contains { $0.id == Item.ID("c\(number)") }
        if isFailure {
          #expect(object == nil, note)
          #expect(try folder.text(of: "c\(number).yaml") == files["c\(number).yaml"], note)
        }
      }
      for _ in 0..<6 {
        let request = Self.request(using: &random)
        #expect(Self.rows(of: old, request) == Self.rows(of: new, request), "\(request) \(note)")
      }
      // Nothing is left to do, and all of it can be undone.
      #expect(try await new.migrate(Contact.self).outcomes.count == report.failures.count, note)
      try await new.save(report.inverse)
      for (path, text) in files { #expect(try folder.text(of: path) == text, note) }
    }
    #expect(migrated > 0)
  }

  @Test func `a save of an older file reads back, and keeps the form that others see`() async throws {
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      let text = Self.contact(using: &random)
      let folder = try TemporaryFolder(["ada.yaml": text])
      let store = try await ItemStore.open(folder.path, watching: false)
      guard let original = try? store.object("ada", as: Contact.self) else { continue }
      var edited = original
      if random.oneIn(2) { edited.email = random.oneIn(2) ? nil : "new" }
      if random.oneIn(2) { edited.stars += 1 }
      if random.oneIn(2) { edited.feet = random.oneIn(2) ? nil : 7 }
      if random.oneIn(2) { edited.address?.postcode = random.oneIn(2) ? nil : "9" }
      if random.oneIn(2), !edited.phones.isEmpty { edited.phones[0].number = "9" }
      if random.oneIn(4), !edited.phones.isEmpty { edited.phones.removeLast() }
      let outcome = try await store.save(edited, from: original)
      let result = try folder.text(of: "ada.yaml")
      let note = Comment(rawValue: "\(seedNote(seed))\n\(text)->\n\(result)")
      #expect(try store.object("ada", as: Contact.self) == edited, note)
      #expect(outcome.object == edited, note)
      let isUnchanged = edited == original
      #expect((result == text) == isUnchanged, note)
      #expect(store.item("ada")?.value(at: "extra") == [1, ["mail": "x"]], note)
      if result != text { #expect(try await store.migrate(Contact.self).outcomes.isEmpty, note) }
      try await store.save(outcome.inverse)
      #expect(try folder.text(of: "ada.yaml") == text, note)
    }
  }

  // MARK: Random changes

  private static let names = ["a", "b", "c", "d", "e"]

  private static func change(using random: inout SeededGenerator) -> ModelChange {
    let holders = [[], [], ["m"], ["l"], ["m", "l"]]
    let path =
      random.oneIn(8)
      ? FieldPath(keys: [random.one(of: ["m", "l"])])
      : FieldPath(keys: random.one(of: holders) + [random.one(of: names)])
    if random.oneIn(2) { return .renamed(path, to: random.one(of: names + ["f", "g"])) }
    return .converted(path) { (text: String) in text.utf8.count }
  }

  /// Returns the lines of a map at some depth. Each line has its own comment.
  private static func map(
    _ indent: String, depth: Int, _ count: inout Int, using random: inout SeededGenerator
  )
    -> [String]
  {
    var lines: [String] = []
    for name in (names + ["f"]).shuffled(using: &random) where random.oneIn(2) {
      count += 1
      let value = random.one(of: ["x\(count)", "'y'", "\(count)", "[p, 'q']", "null"])
      lines.append("\(indent)\(name): \(value)  # \(count)")
    }
    if depth < 2, random.oneIn(2) {
      lines += ["\(indent)m:"] + map(indent + "  ", depth: depth + 1, &count, using: &random)
      count += 1
      lines.append("\(indent)  z: 1  # \(count)")
    }
    if depth < 2, random.oneIn(2) {
      lines.append("\(indent)l:")
      for _ in 0...random.below(2) {
        count += 1
        lines.append("\(indent)  - z: 1  # \(count)")
        lines += map(indent + "    ", depth: 2, &count, using: &random)
      }
    }
    return lines
  }

  @Test func `random changes keep all comments and untouched values, and leave nothing to do`() throws {
    var edited = 0
    for seed in Randomness.seeds(900) {
      var random = SeededGenerator(seed: seed)
      let changes = (0..<1 + random.below(6)).map { _ in Self.change(using: &random) }
      var count = 0
      let lines = Self.map("", depth: 0, &count, using: &random)
      let text = ItemText(Array((lines.joined(separator: "\n") + "\nz: 1\n").utf8), as: .yaml)
      let item = Item(id: "a", path: "a.yaml", stamp: .none, fields: try text.fields.get())
      let migration = ModelMigration(changes)
      let found = migration.edits(of: item)
      if found.failure != nil {
        // A name or a value that has two meanings.
        #expect(found.edits.isEmpty, "\(seedNote(seed)) \(changes)")
        continue
      }
      let result = try text.edited(by: found.edits)
      let note = Comment(
        rawValue:
          "\(seedNote(seed)) \(changes)\n\(String(decoding: text.bytes, as: UTF8.self))-> \(found.edits)"
          + "\n\(String(decoding: result.bytes, as: UTF8.self))")
      let fields = try result.fields.get().value.fields ?? [:]
      #expect(fields == found.applied(to: item.fields.value.fields ?? [:]), note)
      #expect(migration.edits(of: fields).edits.isEmpty, note)
      // Each line has its comment, and all others are the same.
      let new = String(decoding: result.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      #expect(new.count == lines.count + 1, note)
      let touched = Set(found.edits.flatMap { $0.path.keys } + ["f", "g"])
      for (before, after) in zip(lines, new) {
        #expect(before.split(separator: "#").dropFirst() == after.split(separator: "#").dropFirst(), note)
        let key = before.prefix { $0 != ":" }.filter { $0.isLetter }
        if !touched.contains(key) { #expect(before == after, note) }
      }
      edited += found.edits.count
    }
    #expect(edited > 0)
  }
}
