import PlainStore
import Values

/// Checks the predicate parser with any input.
public enum PredicateProperties {
  /// An item with a value of each type, so that each operator is applied to each type.
  private static let item: Value = .map([
    "name": .string("Ada Lovelace"), "rating": .number(.integer(9)), "born": Value(text: "1815-12-10"),
    "gone": .null,
    "pinned": .bool(true),
    "tags": .list([.string("maths"), .string("Poésie")]), "address": .map(["city": .string("London")]),
    "releases": .list([.map(["date": Value(text: "2024-01-31"), "size": .number(.integer(3))])]),
  ])

  public static func check(_ bytes: UnsafeRawBufferPointer) {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(ItemPredicateError) {
      let predicate = try ItemPredicate(text)
      let holds = predicate.matches(item)
      // The result of a pattern may depend on the time that is left for it.
      if text.uppercased().contains("MATCHES") { return }
      let negation = try ItemPredicate("NOT (" + text + ")")
      require(negation.matches(item) != holds, "NOT gives the opposite result.")
    } catch {
      let column = error.place?.column ?? 0
      require(column >= 1 && column <= text.count + 1, "The column is in the text: \(error)")
      require(!error.message.isEmpty, "There is a message.")
    }
  }
}
