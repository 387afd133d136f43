import PlainStore
import PlainText

/// The words behind a folder that name items and the fields that are to be taken out of them.
///
/// The first word is an id. Of the others those are ids, too, that name an item and stand before the first that does not; all else is a field. A word that may be
/// meant either way is an error: `--` parts ids and fields.
struct UnsetWords: Sendable, Hashable {
  private(set) var ids: [String]
  private(set) var fields: [FieldPath] = []

  /// - Parameters:
  ///   - behind: the words behind a `--`; empty where there is none.
  ///   - items: the fields of those words that are ids of items.
  init(_ words: [String], behind: [String] = [], items: [String: Fields]) throws(AssignmentError) {
    ids = behind.isEmpty ? Array(words.prefix(1)) : words
    if words.dropFirst().contains("-") || ids.count > 1 && ids.contains("-") { throw AssignmentError("-", AssignmentError.mixedInput) }
    for word in behind.isEmpty ? words.dropFirst() : [] {
      guard fields.isEmpty, items[word] != nil else {
        fields.append(try UnsetWords.field(word))
        continue
      }
      if ids.contains(where: { UnsetWords.has(word, items[$0]) }) {
        throw AssignmentError(word, "This names an item, and a field of an item before it. Write `--` between the ids and the fields.")
      }
      ids.append(word)
    }
    fields += try behind.map { word throws(AssignmentError) in try UnsetWords.field(word) }
  }

  /// The edits that take the fields out of an item: those that it has, so that the numbers of elements mean what they mean now.
  func edits(of item: Fields) -> [TextEdit] {
    // `tags[0]` and `tags.0` are the same place.
    let present = Set(fields.map { FieldPath(keys: $0.keys) }).filter { Value.map(item).element(at: $0) != nil }
    return present.sorted { UnsetWords.isLater($0.keys, $1.keys) }.map { .remove($0) }
  }

  private static func field(_ word: String) throws(AssignmentError) -> FieldPath { try FieldPath(writing: word, in: word) }

  private static func has(_ word: String, _ fields: Fields?) -> Bool {
    guard let fields, let path = FieldPath(word) else { return false }
    return Value.map(fields).element(at: path) != nil
  }

  /// Elements from the end of a list to its front, and what is inside of something before it.
  private static func isLater(_ a: [String], _ b: [String]) -> Bool {
    for (a, b) in zip(a, b) where !a.hasSameBytes(as: b) {
      if let a = Int(a), let b = Int(b) { return a > b }
      return a > b
    }
    return a.count > b.count
  }
}
