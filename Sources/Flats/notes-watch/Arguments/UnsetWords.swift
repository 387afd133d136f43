import Store
import TextEdits
import Values

/// The words of `unset` that name items and the fields to remove from them.
///
/// The first word is an id. So are the following words up to the first one that names no item; all
/// others are fields. A word that can be both is an error: `--` separates ids and fields.
struct UnsetWords: Sendable, Hashable {
  private(set) var ids: [String]
  private(set) var fields: [FieldPath] = []

  /// - Parameters:
  ///   - words: The words, or those before a `--`.
  ///   - afterDashes: The words after a `--`; empty if there is none.
  ///   - items: The fields of the words that are ids of items.
  init(_ words: [String], afterDashes: [String] = [], items: [String: Fields]) throws(AssignmentError) {
    ids = afterDashes.isEmpty ? Array(words.prefix(1)) : words
    if words.dropFirst().contains("-") || ids.count > 1 && ids.contains("-") {
      throw AssignmentError("-", AssignmentError.mixedInput)
    }
    for word in afterDashes.isEmpty ? words.dropFirst() : [] {
      guard fields.isEmpty, items[word] != nil else {
        fields.append(try UnsetWords.field(word))
        continue
      }
      if ids.contains(where: { UnsetWords.has(word, items[$0]) }) {
        throw AssignmentError(
          word,
          "This names an item and also a field of an item before it. Write `--` between the ids and the fields."
        )
      }
      ids.append(word)
    }
    fields += try afterDashes.map { word throws(AssignmentError) in try UnsetWords.field(word) }
  }

  /// Returns the edits that remove the fields that an item has. Elements are numbered as they are
  /// now.
  func edits(of item: Fields) -> [TextEdit] {
    // `tags[0]` and `tags.0` are the same element.
    let present = Set(fields.map { FieldPath(keys: $0.keys) }).filter {
      Value.map(item).element(at: $0) != nil
    }
    return present.sorted { UnsetWords.isLater($0.keys, $1.keys) }.map { .remove($0) }
  }

  private static func field(_ word: String) throws(AssignmentError) -> FieldPath {
    do throws(AssignmentError) {
      return try FieldPath(writing: word, in: word)
    } catch {
      throw AssignmentError(word, column: error.column, "\(error.message)\(valueHint(word))")
    }
  }

  /// Returns a hint for a word that contains a `=`; the empty string for any other word.
  static func valueHint(_ word: String) -> String {
    word.utf8.contains(UInt8(ascii: "="))
      ? " `unset` takes field names without values; to set a value, use `set`." : ""
  }

  private static func has(_ word: String, _ fields: Fields?) -> Bool {
    guard let fields, let path = FieldPath(word) else { return false }
    return Value.map(fields).element(at: path) != nil
  }

  /// Orders elements from the end of a list, and inner fields before outer ones.
  private static func isLater(_ a: [String], _ b: [String]) -> Bool {
    for (a, b) in zip(a, b) where !a.hasSameBytes(as: b) {
      if let a = Int(a), let b = Int(b) { return a > b }
      return a > b
    }
    return a.count > b.count
  }
}
