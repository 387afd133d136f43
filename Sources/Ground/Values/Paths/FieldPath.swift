/// The path to a value of an item, in the one grammar that is used wherever a field is named.
///
/// | path | value |
/// | --- | --- |
/// | `rating` | the field of this name |
/// | `address.city` | a key of a map; below a list, that key of each element |
/// | `tags[0]`, `tags[FIRST]`, `tags[LAST]` | an element of a list, counted from 0 |
/// | `tags[SIZE]`, `tags.@count` | the number of elements |
/// | `releases.date.@max`, `releases.@max.date` | the greatest date; also `@min`, `@sum` and `@avg` |
/// | `` `a.b`.c `` | a key in backquotes can hold any character; a backquote is doubled, and an empty key is two backquotes |
/// | `/a.b/0/c` | the same as a JSON Pointer (RFC 6901): `~1` is `/`, `~0` is `~`, and a number is an element of a list or a key of a map |
///
/// ```ebnf
/// path      = component, { ".", component } | { "/", token } ;
/// component = (key | operator), { "[", (number | "FIRST" | "LAST" | "SIZE"), "]" } ;
/// key       = any text without "." whose brackets are paired and that does not begin with a backquote or, after a ".", with "@" | in backquotes: any text, with "``" for a backquote ;
/// operator  = "@count" | "@min" | "@max" | "@sum" | "@avg" ;
/// ```
///
/// Brackets belong to the key unless they contain a place and end the component: `a[b]` is a key.
/// They come in pairs: `tags[0` is malformed. A path has at most one operator. It applies to the
/// value of all other steps, wherever it stands, so only keys can follow it. A path that consists
/// of an operator name alone is a key of this name.
///
/// ```swift
/// let path: FieldPath = "releases.date.@max"
/// let latest = item.value(at: path)
/// ```
///
/// Two paths are equal if their steps are equal, however they are written.
public struct FieldPath: Sendable, Hashable, CustomStringConvertible {
  private let storage: Storage

  /// The steps in the order of the text; at least one.
  package var steps: [Step] { storage.steps }

  /// The steps as tokens of a JSON Pointer, at least one; an element number, `FIRST` or `@count` is a
  /// key like any other. They lead to the value in an object that shows only this path: `rgb[0]` is
  /// shown as `{"rgb":{"0":255}}`.
  package var keys: [String] { storage.keys }

  /// A text that parses to this path: the one that it was parsed from, or a canonical one.
  public var description: String { storage.text ?? FieldPath.canonicalText(of: steps) }

  /// The operator; nil if the path has none.
  package var listOperator: ListOperator? { storage.listOperator }

  /// The keys at the beginning of the path, without the operator.
  package var leadingKeys: [String] { storage.leadingKeys }

  /// The steps after `leadingKeys`, without the operator. Empty, or begins with a place.
  package var laterSteps: [Step] { storage.laterSteps }

  /// Creates a path of at least one key, which may contain any characters. A number is a key, except in a
  /// `TextEdit`, where it can be an element of a list.
  public init(keys: [String]) {
    precondition(!keys.isEmpty, "a field path has at least one key")
    self.init(steps: keys.map(Step.key))
  }

  /// At least one step; at most one operator, with only keys after it. `description` is the parsed text.
  package init(steps: [Step], description: String? = nil) {
    storage = Storage(steps, description)
  }

  public static func == (a: FieldPath, b: FieldPath) -> Bool { a.storage === b.storage || a.steps == b.steps }

  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }

  /// Returns the JSON Pointer (RFC 6901) for these keys: `/a~1b/c` for `a/b` and `c`.
  package static func pointer(to keys: some Sequence<String>) -> String {
    keys.reduce(into: "") { text, key in
      text += "/"
      for scalar in key.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }

  /// One step of a path.
  package enum Step: Sendable, Hashable, CustomStringConvertible {
    /// A key of a map, or that key of each element of a list.
    case key(String)
    /// An element of a list, counted from 0, or the key of a map that is this number.
    case index(Int)
    /// The first element of a list.
    case first
    /// The last element of a list.
    case last
    /// The number of elements.
    case size
    /// A value that is computed from the elements of a list.
    case listOperator(ListOperator)

    /// Compares keys by their bytes.
    package static func == (a: Step, b: Step) -> Bool {
      switch (a, b) {
      case (.key(let a), .key(let b)): a.hasSameBytes(as: b)
      case (.index(let a), .index(let b)): a == b
      case (.first, .first), (.last, .last), (.size, .size): true
      case (.listOperator(let a), .listOperator(let b)): a == b
      default: false
      }
    }

    package func hash(into hasher: inout Hasher) { token.hashBytes(into: &hasher) }

    package var token: String {
      switch self {
      case .key(let key): key
      case .index(let index): String(index)
      case .first: "FIRST"
      case .last: "LAST"
      case .size: "SIZE"
      case .listOperator(let listOperator): listOperator.rawValue
      }
    }

    /// The step as in a path: `name`, `[0]`, `@count`.
    package var description: String {
      switch self {
      case .key, .listOperator: token
      case .index, .first, .last, .size: "[\(token)]"
      }
    }
  }

  /// True if a value can be written at this path: it has only keys and element numbers.
  package var isWritable: Bool {
    steps.allSatisfy { step in
      switch step {
      case .key, .index: true
      case .first, .last, .size, .listOperator: false
      }
    }
  }

  package var isComputed: Bool { listOperator != nil || laterSteps.contains(.size) }

  package var hasPlaces: Bool { !laterSteps.isEmpty }

  /// The field that this path reads, without places and operator.
  package var field: FieldPath {
    let keys = leadingKeys + laterSteps.compactMap { if case .key(let key) = $0 { key } else { nil } }
    return keys.isEmpty ? self : FieldPath(keys: keys)
  }
}

private final class Storage: Sendable {
  let steps: [FieldPath.Step]
  let keys: [String]
  let text: String?
  let leadingKeys: [String]
  let laterSteps: [FieldPath.Step]
  let listOperator: ListOperator?

  init(_ steps: [FieldPath.Step], _ text: String?) {
    self.steps = steps
    self.text = text
    keys = steps.map(\.token)
    var operand = steps
    var listOperator: ListOperator?
    if let place = steps.firstIndex(where: { if case .listOperator = $0 { true } else { false } }),
      case .listOperator(let found) = operand.remove(at: place)
    {
      listOperator = found
    }
    self.listOperator = listOperator
    let later = operand.firstIndex { if case .key = $0 { false } else { true } } ?? operand.endIndex
    leadingKeys = later == steps.count ? keys : operand[..<later].map(\.token)
    laterSteps = Array(operand[later...])
  }
}

extension FieldPath {
  /// The path with all keys in backquotes, so that no other syntax can misread it.
  package var quoted: String { FieldPath.quotedText(of: steps) }

  /// Returns `a.b[0]` if possible; else a JSON Pointer if all steps are keys; else backquotes.
  static func canonicalText(of steps: [Step]) -> String {
    if steps.indices.allSatisfy({ isBare(steps[$0], isFirst: $0 == 0, isOnly: steps.count == 1) }) {
      return text(of: steps) { $0 }
    }
    if steps.indices.allSatisfy({ isPointerKey(steps[$0], isFirst: $0 == 0) }) {
      return pointer(to: steps.map(\.token))
    }
    return quotedText(of: steps)
  }

  private static func quotedText(of steps: [Step]) -> String {
    text(of: steps) { key in
      var quoted = String.UnicodeScalarView("`".unicodeScalars)
      for scalar in key.unicodeScalars {
        if scalar == "`" { quoted.append(scalar) }
        quoted.append(scalar)
      }
      quoted.append("`")
      return String(quoted)
    }
  }

  private static func text(of steps: [Step], key: (String) -> String) -> String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .key(let name): text += (text.isEmpty ? "" : ".") + key(name)
      case .listOperator(let listOperator): text += (text.isEmpty ? "" : ".") + listOperator.rawValue
      case .index, .first, .last, .size: text += "[\(step.token)]"
      }
    }
  }

  private static func isBare(_ step: Step, isFirst: Bool, isOnly: Bool) -> Bool {
    guard case .key(let key) = step else { return true }
    guard let start = key.utf8.first, start != "`", !(isFirst && start == "/"),
      !key.utf8.contains(UInt8(ascii: ".")), isOnly || ListOperator(rawValue: key) == nil,
      isFirst || start != "@"
    else { return false }
    guard key.utf8.contains(where: { $0 == "[" || $0 == "]" }) else {
      return true
    }
    return (try? FieldPath(parsing: key))?.steps == [step]
  }

  private static func isPointerKey(_ step: Step, isFirst: Bool) -> Bool {
    guard case .key(let key) = step else { return false }
    return isFirst || (ListOperator(rawValue: key) == nil && Int(elementNumber: key) == nil)
  }
}
