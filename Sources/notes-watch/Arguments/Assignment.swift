import PlainStore
import PlainText

/// One word of a command line that changes a field of an item.
///
/// | word | what it does |
/// | --- | --- |
/// | `rating=8` | sets a field to what YAML's core schema makes of the value: a number, `no` a string, `x=` an empty one |
/// | `zip=02110` | sets it to a string, because the number would print as `2110` (see `Value.init(word:)`) |
/// | `tags:=["a","b"]` | sets it to a value in JSON |
/// | `body@text.md` | sets it to the text of a file, with its last line break; `@-` is standard input |
/// | `tags+=new`, `tags+:={"id":1}` | appends to a list, and makes it where it is missing |
/// | `tags-=old`, `tags-:=1` | takes every element out of a list that equals the value; numbers compare by their value |
///
/// A field is a `FieldPath`: `address.city`, `tags[0]`, `` `a.b`.c ``, or a JSON Pointer `/a.b/c`. The first `=` or `@` that is not in backquotes ends it; a backslash
/// before one of `= @ : + - \` makes that sign part of its name.
///
/// ```swift
/// let assignment = try Assignment("address.city=Paris")
/// let edits = try assignment.edits(of: item)  // [.set("address.city", "Paris")]
/// ```
struct Assignment: Sendable, Hashable {
  enum Verb: Sendable, Hashable {
    case set, append, take
  }

  enum Source: Sendable, Hashable {
    case value(Value)
    /// The text of a file of this name.
    case file(String)
  }

  /// As it was given.
  let word: String
  let path: FieldPath
  let verb: Verb
  private(set) var source: Source
  /// The number that the value is in YAML, if it is a string here because the number would print as another text.
  let numberKeptAsString: Number?

  /// - Throws: `AssignmentError` where it does not read as one.
  init(_ word: String) throws(AssignmentError) {
    self.word = word
    let parts = AssignmentParts(word)
    if parts.hasOpenBackquote {
      throw AssignmentError(word, "A backquote opens a key here and is never closed. Add the closing one, or double it.")
    }
    guard let sign = parts.sign else {
      throw AssignmentError(word, "This is no assignment. Write field=value, field:=json or field@file, with quotes around blanks.")
    }
    if parts.path.utf8.isEmpty { throw AssignmentError(word, "A field's name is missing before the `\(sign)`.") }
    if parts.path.utf8.first == UInt8(ascii: "@"), let pseudo = PseudoField(rawValue: parts.path) {
      throw AssignmentError(word, "\(pseudo.rawValue) is made of the file, and cannot be set.")
    }
    path = try FieldPath(writing: parts.path, in: word)
    verb = parts.verb
    switch parts.kind {
    case .plain: source = .value(Value(word: parts.value))
    case .json: source = .value(try Assignment.json(parts.value, at: parts.valueColumn, of: word))
    case .file: source = .file(parts.value)
    }
    if parts.kind == .plain, case .number(let number) = Value(plain: parts.value), case .value(.string) = source {
      numberKeptAsString = number
    } else {
      numberKeptAsString = nil
    }
    if case .file("") = source { throw AssignmentError(word, column: parts.valueColumn, "The name of a file is missing behind the `@`.") }
  }

  private static func json(_ text: String, at column: Int, of word: String) throws(AssignmentError) -> Value {
    do throws(TextError) {
      return try PackedValue(reading: text, as: .json).value
    } catch {
      let place = error.line == 1 ? column + error.column - 1 : column
      throw AssignmentError(word, column: place, "\(error.message) Behind `:=` stands JSON; `=` takes a text as it is.")
    }
  }

  /// This assignment with the text of its file in its place.
  ///
  /// - Parameter read: gives the bytes of a file.
  /// - Throws: where they are no text, or what `read` throws.
  func resolved(reading read: (String) throws(AssignmentError) -> [UInt8]) throws(AssignmentError) -> Assignment {
    guard case .file(let name) = source else { return self }
    let bytes = try read(name)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AssignmentError(word, "The file \(name) is no UTF-8, and a field holds text.")
    }
    var resolved = self
    resolved.source = .value(Value(text: text))
    return resolved
  }
}

extension Assignment {
  /// The edits that do it to an item with these fields; none where nothing is to be done.
  func edits(of fields: Fields) throws(AssignmentError) -> [TextEdit] {
    guard case .value(let value) = source else { throw AssignmentError(word, "The file was not read.") }
    switch verb {
    case .set: return [.set(path, value)]
    case .append: return [.append(value, to: path)]
    case .take: break
    }
    guard let list = Value.map(fields).element(at: path) else { return [] }
    guard case .list(let elements) = list else {
      throw AssignmentError(word, "`\(path)` is \(list.kindName), not a list, so nothing can be taken out of it.")
    }
    // From the end, so that numbers stay as they are.
    return elements.indices.reversed().filter { elements[$0].hasSameValue(as: value) }
      .map { .remove(FieldPath(keys: path.keys + [String($0)])) }
  }

  /// A sentence if this makes a string of a field that holds a number; nil otherwise.
  func warning(for fields: Fields) -> String? {
    guard verb == .set, let number = numberKeptAsString, case .value(let value) = source,
      case .number(let old)? = Value.map(fields).element(at: path)
    else { return nil }
    return
      "`\(path)` holds the number \(old); `\(value.text)` is written as a string, because a number would be \(number). For that write \(path):=\(number)."
  }

  /// Whether the edits depend on what the item holds.
  var needsFields: Bool { verb == .take }
}

extension [Assignment] {
  /// The edits of all of them, one after the other. What cannot be done to the fields is left to the editing of the text to say.
  func edits(of fields: Fields) throws(AssignmentError) -> [TextEdit] {
    var fields = fields
    var edits: [TextEdit] = []
    for assignment in self {
      let own = try assignment.edits(of: fields)
      edits += own
      fields = (try? fields.applying(own)) ?? fields
    }
    return edits
  }
}
