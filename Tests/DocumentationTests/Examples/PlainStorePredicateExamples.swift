import PlainStore
import Testing

/// The examples in the documentation comments of `PlainStore` about predicates, copied line by
/// line. Those that are cheap to run are tests; the others only have to compile.
struct PlainStorePredicateExamples {
  // Query/Predicate/ItemPredicate.swift
  @Test func `a predicate decides`() {
    let predicate: ItemPredicate = "rating > \(7) AND ANY tags BEGINSWITH[cd] \("sci")"
    let ada: Value = ["rating": 9, "tags": ["Science"]]
    #expect(predicate.matches(ada))  // true
  }

  // Query/Predicate/ItemPredicate.swift
  @Test func `a typed text is a predicate`() throws {
    let line = "rating >= 3 AND name CONTAINS[c] 'ada'"
    let typed = try ItemPredicate(line)
    #expect(typed.matches(["name": "ada", "rating": 3]))
    #expect(!typed.matches(["name": "bob", "rating": 3]))
  }

  // Query/Predicate/ItemPredicateError.swift
  @Test func `an error has a caret`() {
    var printed: [String] = []
    func print(_ error: ItemPredicateError) { printed.append("\(error)") }
    let line = "rating + 1 > 3"
    do {
      _ = try ItemPredicate(line)
    } catch {
      print(error)
    }
    #expect(printed.first?.hasSuffix("but found `+` here; there is no arithmetic") == true)
  }
}
