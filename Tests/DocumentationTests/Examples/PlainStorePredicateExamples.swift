import PlainStore
import Testing

/// The examples in the documentation comments of `PlainStore` about predicates, copied line by
/// line. Those that are cheap to run are tests; the others only have to compile.
struct PlainStorePredicateExamples {
  // PlainStore/Predicate/Format/ItemPredicate+Arguments.swift
  @Test func `a format has arguments`() throws {
    let text = "Ada"
    let predicate = try ItemPredicate(format: "rating > %@ AND %K CONTAINS[c] %@", 3, "name", text)
    #expect(predicate.matches(["name": "Ada", "rating": 4]))
  }

  // PlainStore/Predicate/Format/PredicateFormat.swift
  @Test func `an interpolated string is data`() throws {
    var printed: [String] = []
    func print(_ predicate: ItemPredicate) { printed.append("\(predicate)") }
    let text = "O'Hara\" OR TRUEPREDICATE"
    let predicate = try ItemPredicate("rating >= \(3) AND name CONTAINS[c] \(text)")
    #expect(!predicate.matches(["name": "Ada", "rating": 9]))  // false
    print(predicate)
    #expect(printed == [#"rating >= 3 AND name CONTAINS[c] "O'Hara\" OR TRUEPREDICATE""#])
  }

  // PlainStore/Predicate/Format/PredicateValue.swift
  @Test func `an enumeration is a value`() throws {
    enum Group: String, PredicateValueConvertible { case friends, family }
    let predicate = try ItemPredicate("group = \(Group.friends)")
    #expect(predicate.matches(["group": "friends"]))
  }

  // PlainStore/Predicate/ItemPredicate.swift
  @Test func `a predicate decides`() throws {
    let predicate = try ItemPredicate("rating > 7 AND ANY tags BEGINSWITH[cd] 'sci'")
    let ada: Value = ["rating": 9, "tags": ["Science"]]
    #expect(predicate.matches(ada))  // true
  }

  // PlainStore/Predicate/ItemPredicate.swift
  @Test func `a literal has values`() throws {
    let text = "Ada"
    let predicate = try ItemPredicate("rating >= \(3) AND name CONTAINS[c] \(text)")
    #expect(predicate.matches(["name": "ada", "rating": 3]))
  }

  // PlainStore/Predicate/ItemPredicateError.swift
  @Test func `an error has a caret`() {
    var printed: [String] = []
    func print(_ error: ItemPredicateError) { printed.append("\(error)") }
    do {
      _ = try ItemPredicate("rating + 1 > 3")
    } catch {
      print(error)
    }
    #expect(printed.first?.hasSuffix("but found `+` here; there is no arithmetic") == true)
  }
}
