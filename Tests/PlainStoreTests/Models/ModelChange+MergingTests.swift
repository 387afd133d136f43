import Files
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

private struct Contact: PlainModel {
  var id: String
  var rating: Int?
  var age: Int?
  static let changes: [ModelChange] = [
    .renamed("stars", to: "rating"), .converted("rating") { (text: String) in text.count },
    .converted("months") { (months: Int) in months / 12 }, .renamed("months", to: "age"),
  ]
}

/// A file of a contact, each field in an older form or in the newest one, with a field that the type does not
/// know.
private struct ContactFile {
  var rating: Int?, age: Int?, mark = 0
  /// True for each field in its older form.
  var isOld = (rating: true, age: true)

  var text: String {
    func line(_ value: String?) -> String { value.map { "\($0) # kept\n" } ?? "" }
    return "# Ada\n"
      + line(rating.map { isOld.rating ? "stars: '\(String(repeating: "*", count: $0))'" : "rating: \($0)" })
      + line(age.map { isOld.age ? "months: \($0 * 12)" : "age: \($0)" }) + "mark: \(mark)\n"
  }

  /// Changes some of the fields and some of the forms.
  func changed(using random: inout SeededGenerator) -> ContactFile {
    ContactFile(
      rating: random.oneIn(2) ? rating : ContactFile.number(using: &random),
      age: random.oneIn(2) ? age : ContactFile.number(using: &random),
      mark: random.oneIn(2) ? mark : mark + 1, isOld: (random.oneIn(2), random.oneIn(2)))
  }

  static func number(using random: inout SeededGenerator) -> Int? {
    random.oneIn(4) ? nil : random.below(9)
  }

  func hasSameValues(as other: ContactFile) -> Bool {
    rating == other.rating && age == other.age && mark == other.mark
  }
}

/// Saves of older files that another program changes at the same time.
@Suite(.timeLimit(.minutes(1))) struct ModelChangeMergingTests {
  /// Returns what the file should hold after the save of a contact; nil for a conflict.
  ///
  /// - Parameter isKnown: True if the store knows the version of the other program.
  private static func expected(
    _ old: ContactFile, _ theirs: ContactFile, _ mine: Contact, _ policy: MergePolicy, isKnown: Bool
  ) -> ContactFile? {
    let (rates, ages) = (mine.rating != old.rating, mine.age != old.age)
    let (theyRate, theyAge) = (theirs.rating != old.rating, theirs.age != old.age)
    var result = theirs
    if !rates, !ages { return result }
    if rates { result.rating = mine.rating }
    if ages { result.age = mine.age }
    // The type does not know the mark, so only an unknown version differs by it.
    guard theyRate || theyAge || !isKnown && theirs.mark != old.mark else { return result }
    switch policy {
    case .error: return nil
    case .rollback: return theirs
    case .overwrite:
      return ContactFile(rating: mine.rating, age: mine.age, mark: isKnown ? theirs.mark : old.mark)
    case .mergeByPropertyObjectTrump: return result
    case .mergeByPropertyStoreTrump:
      if theyRate { result.rating = theirs.rating }
      if theyAge { result.age = theirs.age }
      return result
    }
  }

  @Test func `values are merged by what they mean, whatever form the files have`() async throws {
    for seed in Randomness.seeds(150) {
      var random = SeededGenerator(seed: seed)
      let old = ContactFile(
        rating: ContactFile.number(using: &random), age: ContactFile.number(using: &random),
        isOld: (random.oneIn(2), random.oneIn(2)))
      let folder = try TemporaryFolder(["ada.yaml": old.text])
      let store = try ItemStore(at: folder.path)
      let original = try #require(try store.object("ada", as: Contact.self))
      #expect(original == Contact(id: "ada", rating: old.rating, age: old.age), "\(seedNote(seed))")
      let theirs = old.changed(using: &random)
      try folder.write(theirs.text, to: "ada.yaml")
      let isKnown = random.oneIn(2)
      if isKnown { await store.refresh() }
      let wish = old.changed(using: &random)
      let mine = Contact(id: "ada", rating: wish.rating, age: wish.age)
      let policy = random.one(of: MergePolicy.allCases)
      let wanted = Self.expected(old, theirs, mine, policy, isKnown: isKnown)
      let note = Comment(rawValue: "\(seedNote(seed)) \(policy) \(isKnown) \(old) \(theirs) \(mine)")
      do {
        try await store.save(mine, from: original, policy: policy)
        #expect(wanted != nil, note)
      } catch let error as EditError {
        #expect(error.code == .conflict, note)
        #expect(wanted == nil, note)
      }
      let item = try ItemEditor(root: folder.path).read("ada")
      let found = try item.item.decode(Contact.self)
      let mark = if case .number(.integer(let mark))? = item.item.value(at: "mark") { mark } else { -1 }
      let result = ContactFile(rating: found.rating, age: found.age, mark: mark)
      #expect(result.hasSameValues(as: wanted ?? theirs), note)
      #expect(String(decoding: item.bytes, as: UTF8.self).hasPrefix("# Ada\n"), note)
    }
  }

  @Test func `an older program that changes a value at the same time does not lose it`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "stars: '**' # s\nmonths: 12\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let original = try #require(try store.object("ada", as: Contact.self))
    try folder.write("stars: '*****' # s\nmonths: 12\n", to: "ada.yaml")
    try await store.save(
      Contact(id: "ada", rating: 2, age: 9), from: original, policy: .mergeByPropertyObjectTrump)
    #expect(try folder.text(of: "ada.yaml") == "rating: 5 # s\nage: 9\n")
  }

  @Test func `a file that another program migrated is no conflict`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "stars: '**'\nmonths: 12\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let original = try #require(try store.object("ada", as: Contact.self))
    try folder.write("rating: 2 # theirs\nage: 1\n", to: "ada.yaml")
    try await store.save(Contact(id: "ada", rating: 2, age: 9), from: original)
    #expect(try folder.text(of: "ada.yaml") == "rating: 2 # theirs\nage: 9\n")
  }

  private struct User: PlainModel {
    var id: String
    var email: String
    static let uniqueFields: [FieldPath] = ["email"]
    static let changes: [ModelChange] = [.renamed("mail", to: "email")]
  }

  @Test func `a unique value of an older file is another item's`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "mail: ada@x\n", "bob.yaml": "mail: bob@x\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    for name in ["mail", "email"] as [FieldPath] {
      let error = await #expect(throws: EditError.self) {
        try await store.insert(User(id: "eve", email: "ada@x"))
      }
      #expect(error?.message.contains("the item `ada` has the value `ada@x`") == true)
      await #expect(throws: EditError.self) {
        try await store.update("bob", as: User.self) { $0.email = "ada@x" }
      }
      await #expect(throws: EditError.self) { try await store.update("bob", [.set(name, "ada@x")]) }
      try await store.migrate(User.self)
    }
  }
}
