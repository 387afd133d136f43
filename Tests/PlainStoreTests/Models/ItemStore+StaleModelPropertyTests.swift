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
}

/// A file of a contact, with a field that the type does not know.
private struct ContactFile: Equatable {
  var rating: Int?, age: Int?, mark = 0

  var text: String {
    "# Ada\n" + (rating.map { "rating: \($0) # mine\n" } ?? "") + (age.map { "age: \($0)\n" } ?? "")
      + "mark: \(mark) # last\n"
  }

  /// Changes some of the fields.
  func changed(using random: inout SeededGenerator) -> ContactFile {
    ContactFile(
      rating: random.oneIn(2) ? rating : ContactFile.number(using: &random),
      age: random.oneIn(2) ? age : ContactFile.number(using: &random),
      mark: random.oneIn(2) ? mark : mark + 1)
  }

  static func number(using random: inout SeededGenerator) -> Int? {
    random.oneIn(4) ? nil : random.below(100)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreStaleModelPropertyTests {
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

  @Test func `a save of what the user changed since reading does exactly what the policy says`() async throws
  {
    for seed in Randomness.seeds(40) {
      var random = SeededGenerator(seed: seed)
      let old = ContactFile(
        rating: ContactFile.number(using: &random), age: ContactFile.number(using: &random))
      let folder = try TemporaryFolder(["ada.yaml": old.text])
      let store = try ItemStore(at: folder.path)
      let original = try #require(try store.object("ada", as: Contact.self))
      let theirs = old.changed(using: &random)
      try folder.write(theirs.text, to: "ada.yaml")
      let isKnown = random.oneIn(2)
      if isKnown { await store.refresh() }
      let wish = old.changed(using: &random)
      let mine = Contact(id: "ada", rating: wish.rating, age: wish.age)
      let policy = random.one(of: MergePolicy.allCases)
      let wanted = Self.expected(old, theirs, mine, policy, isKnown: isKnown)
      let note = Comment(rawValue: "\(seedNote(seed)) \(policy) \(old) \(theirs) \(mine)")
      do {
        try await store.save(mine, from: original, policy: policy)
        #expect(wanted != nil, note)
      } catch let error as EditError {
        #expect(error.code == .conflict, note)
        #expect(wanted == nil, note)
      }
      let item = try ItemEditor(root: folder.path).read("ada")
      let found = try item.item.decode(Contact.self)
      #expect(
        ContactFile(rating: found.rating, age: found.age, mark: Self.mark(item.item)) == wanted ?? theirs,
        note)
      #expect(String(decoding: item.bytes, as: UTF8.self).hasPrefix("# Ada\n"), note)
    }
  }

  private static func mark(_ item: Item) -> Int {
    if case .number(.integer(let mark))? = item.value(at: "mark") { mark } else { -1 }
  }
}
