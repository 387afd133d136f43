#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Store

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
struct Assignment: Hashable {
  enum Verb {
    case set, append, remove
  }

  enum Source: Hashable {
    case value(Value)
    case file(String)
  }

  let word: String
  let path: FieldPath
  let verb: Verb
  fileprivate(set) var source: Source
  /// The number that YAML reads, if the value stays a string because it would be printed differently.
  let numberKeptAsString: Number?

  init(_ word: String, at date: Date = Date()) throws(Failure) {
    self.word = word
    let scalars = Array(word.unicodeScalars)
    var (name, index) = try Assignment.name(in: scalars, of: word)
    guard index < scalars.count else {
      throw Failure(
        word: word,
        "This is not a field assignment. Write field=value, field:=json or field@file; quote values with spaces."
      )
    }
    let isFile = scalars[index] == "@"
    func consume(_ mark: Unicode.Scalar) -> Bool {
      guard !isFile, let last = name.last, last.scalar == mark, !last.isEscaped else { return false }
      name.removeLast()
      return true
    }
    let isJSON = consume(":")
    verb = consume("+") ? .append : consume("-") ? .remove : .set
    let text = Assignment.text(name.map(\.scalar))
    if text.utf8.isEmpty {
      let mark = verb == .append ? "+" : verb == .remove ? "-" : ""
      throw Failure(
        word: word, "The field name is missing before the `\(mark)\(isJSON ? ":" : "")\(scalars[index])`.")
    }
    if text.utf8.first == UInt8(ascii: "@"), let pseudo = PseudoField(rawValue: text) {
      throw Failure(word: word, "\(pseudo.rawValue) is a property of the file and cannot be set.")
    }
    path = try FieldPath(writing: text, in: word)
    let value = Assignment.text(scalars[(index + 1)...])
    let column = index + 2
    var number: Number?
    if isFile {
      if value.isEmpty {
        throw Failure(word: word, column: column, "The file name is missing after the `@`.")
      }
      source = .file(value)
    } else if isJSON {
      source = .value(try Assignment.json(value, at: column, of: word))
    } else {
      source = .value(try Assignment.plain(value, at: column, of: word, date))
      if case .number(let read) = Value(plain: value), case .value(.string) = source { number = read }
    }
    numberKeptAsString = number
  }

  private static let escapable: Set<Unicode.Scalar> = ["=", "@", ":", "+", "-", "\\"]

  /// Reads up to the `=` or `@` that ends the name, and leaves backslashes out.
  private static func name(in scalars: [Unicode.Scalar], of word: String) throws(Failure) -> (
    [(scalar: Unicode.Scalar, isEscaped: Bool)], end: Int
  ) {
    var name: [(scalar: Unicode.Scalar, isEscaped: Bool)] = []
    var quotes = PathQuotes()
    var index = 0
    while index < scalars.count {
      let isQuoted = quotes.read(scalars[index])
      if !isQuoted, scalars[index] == "=" || (scalars[index] == "@" && canEnd(name)) { break }
      let isEscaped =
        !isQuoted && scalars[index] == "\\" && index + 1 < scalars.count
        && escapable.contains(scalars[index + 1])
      if isEscaped { index += 1 }
      name.append((scalars[index], isEscaped || isQuoted))
      index += 1
    }
    if quotes.isOpen {
      throw Failure(
        word: word,
        "A backquote opens a key and is not closed. Add the closing backquote, or write two for a literal one."
      )
    }
    return (name, index)
  }

  /// After a dot, an `@` begins the name of an operator.
  private static func canEnd(_ name: [(scalar: Unicode.Scalar, isEscaped: Bool)]) -> Bool {
    guard let last = name.last else { return false }
    return last.scalar != "." || last.isEscaped || name[0].scalar == "/"
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func plain(_ text: String, at column: Int, of word: String, _ date: Date)
    throws(Failure) -> Value
  {
    if let text = MomentWord.unquoted(text) { return .string(text) }
    do throws(ItemPredicateError) {
      return try MomentWord(text)?.value(at: date) ?? Value(word: text)
    } catch {
      throw Failure(word: word, column: column, error.message)
    }
  }

  private static func json(_ text: String, at column: Int, of word: String) throws(Failure) -> Value {
    do throws(TextError) {
      return try PackedValue(reading: text, as: .json).value
    } catch {
      let place = error.line == 1 ? column + error.column - 1 : column
      throw Failure(
        word: word, column: place, "\(error.message) `:=` needs JSON; use `=` for a plain value.")
    }
  }

  func edits(of fields: Fields) throws(Failure) -> [TextEdit] {
    guard case .value(let value) = source else { throw Failure(word: word, "The file was not read.") }
    switch verb {
    case .set: return [.set(path, value)]
    case .append: return [.append(value, to: path)]
    case .remove: break
    }
    guard let list = Value.map(fields).element(at: path) else { return [] }
    guard case .list(let elements) = list else {
      throw Failure(
        word: word, "`\(path)` is \(list.kindName), not a list, so nothing can be removed from it.")
    }
    // From the end, so that the other elements keep their numbers.
    return elements.indices.reversed().filter { elements[$0].hasSameValue(as: value) }
      .map { .remove(FieldPath(keys: path.keys + [String($0)])) }
  }

  /// `rating==8` sets a string, but a number was probably meant.
  var numberAfterDoubledSign: Number? {
    guard verb == .set, case .value(.string(let text)) = source, text.utf8.first == UInt8(ascii: "="),
      case .number(let number) = Value(plain: String(text.dropFirst()))
    else { return nil }
    return number
  }

  var needsNumberCheck: Bool { numberKeptAsString != nil || numberAfterDoubledSign != nil }

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

  var needsFields: Bool { verb == .remove }
}

extension [Assignment] {
  /// Reads the words of a form, which are those of `set` after the ids.
  init(words: [String]) throws(Failure) {
    self = try ItemWords([], afterDashes: words).assignments
    if let input = first(where: { $0.source == .file("-") }) {
      throw Failure(
        word: input.word, "Standard input cannot be read here. Name a file after the `@`.")
    }
  }

  var readStandardInput: Bool { contains { $0.source == .file("-") } }

  /// - Parameter hintsAtIDs: True if a word such as `ada@example.org` may have been meant as an id.
  func resolved(_ limits: ReadLimits, hintsAtIDs: Bool = false) throws(Failure) -> [Assignment] {
    try map { assignment throws(Failure) in
      guard case .file(let name) = assignment.source else { return assignment }
      let word = assignment.word
      let bytes: [UInt8]
      do throws(Failure) { bytes = try readInput(name, upTo: limits.maxSize) } catch {
        let isID = hintsAtIDs && !word.utf8.contains(UInt8(ascii: "="))
        throw Failure(word: word, error.description + (isID ? " \(ItemWords.idHint(word))" : ""))
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure(word: word, "The file \(name) is not UTF-8 text, so no field can hold it.")
      }
      var resolved = assignment
      resolved.source = .value(Value(text: text))
      return resolved
    }
  }

  /// An edit that the fields do not allow is not an error here: editing the text reports it with its place.
  func edits(of fields: Fields) throws(Failure) -> [TextEdit] {
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

extension FieldPath {
  init(writing text: String, in word: String) throws(Failure) {
    do throws(TextError) {
      self = try FieldPath(parsingWritable: text)
    } catch {
      // Without backslashes, the word is the path or begins with it.
      let isAtStart = word.unicodeScalars.starts(with: text.unicodeScalars)
      throw Failure(
        word: word, column: isAtStart ? error.column : 1,
        "\(error.message) Write a path like address.city, tags[0], `a.b`.c or /a/b.")
    }
  }
}

/// The ids and the assignments of a command line.
///
/// The first word is an id. From the second on, a word with `=` or `@` is an assignment, and so must be all
/// words after it. For other ids, `--` separates the two, or the id has the sign as `%3D` or `%40`.
struct ItemWords {
  private(set) var ids: [String]
  private(set) var assignments: [Assignment] = []

  static let mixedInput =
    "With `-`, all items are read from standard input. Leave out the ids or the `-`. (The id `-` is written %2D.)"

  init(_ words: [String], afterDashes: [String] = []) throws(Failure) {
    ids = []
    // All values of one call are of one moment.
    let now = Date()
    for word in words { try add(word, isSeparated: !afterDashes.isEmpty, at: now) }
    assignments += try afterDashes.map { word throws(Failure) in try Assignment(word, at: now) }
    if ids.count > 1, ids.contains("-") {
      throw Failure(word: "-", ItemWords.mixedInput)
    }
    var known: Set<FieldPath> = []
    for assignment in assignments
    where assignment.verb == .set && !known.insert(FieldPath(keys: assignment.path.keys)).inserted {
      throw Failure(word: assignment.word, "The field `\(assignment.path)` is set twice. Set it once.")
    }
    let inputs = assignments.filter { $0.source == .file("-") }
    if inputs.count > 1 {
      throw Failure(
        word: "@-",
        "Standard input can be read only once, but two fields read from it. Use a file for one of them."
      )
    }
  }

  private mutating func add(_ word: String, isSeparated: Bool, at now: Date) throws(Failure) {
    if isSeparated || !ItemWords.holdsSign(word, isFirst: ids.isEmpty) {
      guard assignments.isEmpty else {
        throw Failure(
          word: word,
          "This is not a field assignment. Ids come first, then field=value (quote values with spaces)."
        )
      }
      ids.append(word)
    } else if ids.isEmpty {
      throw Failure(word: word, "The id of an item is missing before the fields. \(ItemWords.idHint(word))")
    } else {
      do throws(Failure) {
        assignments.append(try Assignment(word, at: now))
      } catch {
        // A word with `=` was hardly meant as an id.
        if word.utf8.contains(UInt8(ascii: "=")) { throw error }
        throw Failure(word: word, column: error.column, "\(error.message) \(ItemWords.idHint(word))")
      }
    }
  }

  static func idHint(_ word: String) -> String {
    "If this is an id, write "
      + "\(word.unicodeScalars.map { $0 == "=" ? "%3D" : $0 == "@" ? "%40" : String($0) }.joined())."
  }

  /// As the first word, an address (`ada@example.org`) is an id.
  private static func holdsSign(_ word: String, isFirst: Bool) -> Bool {
    word.unicodeScalars.contains { $0 == "=" || (!isFirst && $0 == "@") }
  }
}
