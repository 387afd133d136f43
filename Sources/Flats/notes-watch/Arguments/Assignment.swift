#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Store
import TextEdits
import Values

/// One word of a command line that changes a field of an item, such as `rating=8`.
///
/// | word | effect |
/// | --- | --- |
/// | `rating=8` | sets a field to the value as YAML's core schema reads it: here a number; `no` is a string, `x=` an empty one |
/// | `due=@today + 3d`, `at=@now` | sets it to a moment (see `MomentWord`); `x="@now"` with these quotes is a string |
/// | `zip=02110` | sets it to a string, since the number would print as `2110` (see `Value.init(word:)`) |
/// | `tags:=["a","b"]` | sets it to a value in JSON |
/// | `body@text.md` | sets it to the text of a file, including its last line break; `@-` is standard input |
/// | `tags+=new`, `tags+:={"id":1}` | appends to a list; creates a missing list |
/// | `tags-=old`, `tags-:=1` | removes each element that equals the value from a list; numbers compare by value |
///
/// A field is a `FieldPath`: `address.city`, `tags[0]`, `` `a.b`.c ``, or a JSON Pointer `/a.b/c`.
/// It ends at the first `=` or `@` that is not in backquotes. A backslash makes the following sign
/// part of the name, if it is one of `= @ : + - \`.
///
/// ```swift
/// let assignment = try Assignment("address.city=Paris")
/// let edits = try assignment.edits(of: item)  // [.set("address.city", "Paris")]
/// ```
struct Assignment: Sendable, Hashable {
  enum Verb: Sendable, Hashable {
    case set, append, remove
  }

  enum Source: Sendable, Hashable {
    case value(Value)
    /// The text of the file with this name.
    case file(String)
  }

  /// The word as it was given.
  let word: String
  let path: FieldPath
  let verb: Verb
  private(set) var source: Source
  /// The number that YAML reads, if the value stays a string because the number would be printed
  /// differently.
  let numberKeptAsString: Number?

  /// - Parameter date: The present, for values such as `@now`.
  /// - Throws: `AssignmentError` if the word is not an assignment.
  init(_ word: String, at date: Date = Date()) throws(AssignmentError) {
    self.word = word
    let parts = AssignmentParts(word)
    if parts.hasOpenBackquote {
      throw AssignmentError(
        word,
        "A backquote opens a key and is not closed. Add the closing backquote, or write two for a literal one."
      )
    }
    guard let sign = parts.sign else {
      throw AssignmentError(
        word,
        "This is not a field assignment. Write field=value, field:=json or field@file; quote values with spaces."
      )
    }
    if parts.path.utf8.isEmpty {
      throw AssignmentError(word, "The field name is missing before the `\(sign)`.")
    }
    if parts.path.utf8.first == UInt8(ascii: "@"), let pseudo = PseudoField(rawValue: parts.path) {
      throw AssignmentError(word, "\(pseudo.rawValue) is a property of the file and cannot be set.")
    }
    path = try FieldPath(writing: parts.path, in: word)
    verb = parts.verb
    switch parts.kind {
    case .plain: source = .value(try Assignment.plain(parts.value, at: parts.valueColumn, of: word, date))
    case .json: source = .value(try Assignment.json(parts.value, at: parts.valueColumn, of: word))
    case .file: source = .file(parts.value)
    }
    if parts.kind == .plain, case .number(let number) = Value(plain: parts.value),
      case .value(.string) = source
    {
      numberKeptAsString = number
    } else {
      numberKeptAsString = nil
    }
    if case .file("") = source {
      throw AssignmentError(word, column: parts.valueColumn, "The file name is missing after the `@`.")
    }
  }

  private static func plain(_ text: String, at column: Int, of word: String, _ date: Date)
    throws(AssignmentError) -> Value
  {
    if let text = MomentWord.unquoted(text) { return .string(text) }
    do throws(ItemPredicateError) {
      return try MomentWord(text)?.value(at: date) ?? Value(word: text)
    } catch {
      throw AssignmentError(word, column: column, error.message)
    }
  }

  private static func json(_ text: String, at column: Int, of word: String) throws(AssignmentError) -> Value {
    do throws(TextError) {
      return try PackedValue(reading: text, as: .json).value
    } catch {
      let place = error.line == 1 ? column + error.column - 1 : column
      throw AssignmentError(
        word, column: place, "\(error.message) `:=` needs JSON; use `=` for a plain value.")
    }
  }

  /// Returns this assignment with the text of its file as its value.
  ///
  /// - Parameter read: Returns the bytes of a file.
  /// - Throws: `AssignmentError` if they are not UTF-8, or the error of `read`.
  func resolved(reading read: (String) throws(AssignmentError) -> [UInt8]) throws(AssignmentError)
    -> Assignment
  {
    guard case .file(let name) = source else { return self }
    let bytes = try read(name)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AssignmentError(word, "The file \(name) is not UTF-8 text, so no field can hold it.")
    }
    var resolved = self
    resolved.source = .value(Value(text: text))
    return resolved
  }
}

extension Assignment {
  /// Returns the edits for an item with these fields; none if nothing changes.
  func edits(of fields: Fields) throws(AssignmentError) -> [TextEdit] {
    guard case .value(let value) = source else { throw AssignmentError(word, "The file was not read.") }
    switch verb {
    case .set: return [.set(path, value)]
    case .append: return [.append(value, to: path)]
    case .remove: break
    }
    guard let list = Value.map(fields).element(at: path) else { return [] }
    guard case .list(let elements) = list else {
      throw AssignmentError(
        word, "`\(path)` is \(list.kindName), not a list, so nothing can be removed from it.")
    }
    // From the end, so that the other elements keep their numbers.
    return elements.indices.reversed().filter { elements[$0].hasSameValue(as: value) }
      .map { .remove(FieldPath(keys: path.keys + [String($0)])) }
  }

  /// A number after a doubled `=`, as in `rating==8`: the value is a string, but a number was
  /// probably meant.
  var numberAfterDoubledSign: Number? {
    guard verb == .set, case .value(.string(let text)) = source, text.utf8.first == UInt8(ascii: "="),
      case .number(let number) = Value(plain: String(text.dropFirst()))
    else { return nil }
    return number
  }

  /// True if the word may turn a number into a string by mistake.
  var needsNumberCheck: Bool { numberKeptAsString != nil || numberAfterDoubledSign != nil }

  /// Returns a warning if this replaces a number by a string; nil otherwise.
  func warning(for fields: Fields) -> String? {
    guard verb == .set, case .value(let value) = source,
      case .number(let old)? = Value.map(fields).element(at: path)
    else { return nil }
    let start = "`\(path)` holds the number \(old); `\(value.text)` is written as a string"
    if let number = numberAfterDoubledSign { return "\(start). To set the number, write \(path)=\(number)." }
    guard let number = numberKeptAsString else { return nil }
    return
      "\(start), because the number would be printed as \(number). To set the number, write \(path):=\(number)."
  }

  /// True if the edits depend on the fields of the item.
  var needsFields: Bool { verb == .remove }
}

extension [Assignment] {
  /// Returns the edits of all assignments, in order. An edit that the fields do not allow is not an
  /// error here: editing the text reports it with its place.
  func edits(of fields: Fields) throws(AssignmentError) -> [TextEdit] {
    var fields = fields
    var edits: [TextEdit] = []
    // Fields are changed only for assignments that read them: each change costs a pass.
    var waiting: [TextEdit] = []
    for assignment in self {
      if assignment.needsFields {
        fields = (try? fields.applying(waiting)) ?? waiting.reduce(fields) { (try? $0.applying([$1])) ?? $0 }
        waiting = []
      }
      let own = try assignment.edits(of: fields)
      edits += own
      waiting += own
    }
    return edits
  }
}

/// The words of a command line that name items, and those that change fields.
///
/// The ids come first. The first word is an id. From the second word on, a word with `=` or `@` is
/// an assignment, and so must be all words after it. For other ids, `--` separates ids and
/// assignments, or the id has the sign as `%3D` or `%40`.
struct ItemWords: Sendable, Hashable {
  /// The ids as given, in order.
  private(set) var ids: [String]
  private(set) var assignments: [Assignment] = []

  /// - Parameters:
  ///   - words: The words, or those before a `--`.
  ///   - afterDashes: The words after a `--`; empty if there is none.
  /// - Throws: `AssignmentError` for a word that is neither, or is in the wrong place.
  init(_ words: [String], afterDashes: [String] = []) throws(AssignmentError) {
    ids = []
    // All values of one call are of one moment.
    let now = Date()
    for word in words { try add(word, isSeparated: !afterDashes.isEmpty, at: now) }
    assignments += try afterDashes.map { word throws(AssignmentError) in try Assignment(word, at: now) }
    if ids.count > 1, ids.contains("-") {
      throw AssignmentError("-", AssignmentError.mixedInput)
    }
    var known: Set<FieldPath> = []
    for assignment in assignments
    where assignment.verb == .set && !known.insert(FieldPath(keys: assignment.path.keys)).inserted {
      throw AssignmentError(assignment.word, "The field `\(assignment.path)` is set twice. Set it once.")
    }
    let inputs = assignments.filter { $0.source == .file("-") }
    if inputs.count > 1 {
      throw AssignmentError(
        "@-", "Standard input can be read only once, but two fields read from it. Use a file for one of them."
      )
    }
  }

  private mutating func add(_ word: String, isSeparated: Bool, at now: Date) throws(AssignmentError) {
    if isSeparated || !ItemWords.holdsSign(word, isFirst: ids.isEmpty) {
      guard assignments.isEmpty else {
        throw AssignmentError(
          word, "This is not a field assignment. Ids come first, then field=value (quote values with spaces)."
        )
      }
      ids.append(word)
    } else if ids.isEmpty {
      throw AssignmentError(word, "The id of an item is missing before the fields. \(ItemWords.idHint(word))")
    } else {
      do throws(AssignmentError) {
        assignments.append(try Assignment(word, at: now))
      } catch {
        // A word with `=` was hardly meant as an id.
        if word.utf8.contains(UInt8(ascii: "=")) { throw error }
        throw AssignmentError(error.word, column: error.column, "\(error.message) \(ItemWords.idHint(word))")
      }
    }
  }

  /// Returns a sentence that shows how to write an id with these signs.
  static func idHint(_ word: String) -> String {
    "If this is an id, write "
      + "\(word.unicodeScalars.map { $0 == "=" ? "%3D" : $0 == "@" ? "%40" : String($0) }.joined())."
  }

  /// Returns true if a word has the sign of an assignment. As the first word, an address
  /// (`ada@example.org`) is an id.
  private static func holdsSign(_ word: String, isFirst: Bool) -> Bool {
    word.unicodeScalars.contains { $0 == "=" || (!isFirst && $0 == "@") }
  }
}
