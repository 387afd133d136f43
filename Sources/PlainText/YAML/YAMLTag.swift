/// The tags of YAML's own types. Every other tag is left out of the value: its node is as if it had none.
enum YAMLTag {
  case string
  case integer
  case float
  case bool
  case null
  case timestamp
  /// Its base64 text stays as it is.
  case binary
  case list
  case map
  case merge

  /// Nil where the tag is not one of YAML's.
  init?(_ tag: UnsafeRawBufferPointer) {
    let prefix: StaticString = "tag:yaml.org,2002:"
    let length = prefix.utf8CodeUnitCount
    guard tag.count > length, UnsafeRawBufferPointer(rebasing: tag[..<length]).equals(prefix) else { return nil }
    switch String(decoding: tag[length...], as: UTF8.self) {
    case "str": self = .string
    case "int": self = .integer
    case "float": self = .float
    case "bool": self = .bool
    case "null": self = .null
    case "timestamp": self = .timestamp
    case "binary": self = .binary
    case "seq", "omap", "pairs": self = .list
    case "map", "set": self = .map
    case "merge": self = .merge
    default: return nil
    }
  }

  /// What a scalar with this tag is; nil where its text is no such thing.
  func resolve(_ text: UnsafeRawBufferPointer) -> YAMLScalar? {
    switch (self, YAMLScalar(plain: text)) {
    case (.string, _), (.binary, _), (.merge, _): .string
    case (.timestamp, _): Timestamp.parse(text) == nil ? nil : .string
    case (.null, .null): .null
    case (.bool, .bool(let flag)): .bool(flag)
    case (.integer, .integer(let value)): .integer(value)
    case (.integer, let number) where DecimalText(text)?.isInteger == true: number
    case (.float, .integer), (.float, .double), (.float, .written), (.float, .literal): YAMLScalar(plain: text)
    default: nil
    }
  }

  /// What an error says that a value with this tag has to be.
  var expectation: String {
    switch self {
    case .string: "!!str wants text"
    case .integer: "!!int wants a whole number such as 12, 0o14 or 0xC"
    case .float: "!!float wants a number such as 1.5, 1e9, .inf or .nan"
    case .bool: "!!bool wants true or false"
    case .null: "!!null wants null, ~ or nothing"
    case .timestamp: "!!timestamp wants a date such as 2024-01-31 or 2024-01-31T10:00:00Z"
    case .binary: "!!binary wants base64 text"
    case .list: "this tag wants a list"
    case .map: "this tag wants a map"
    case .merge: "!!merge is for the key <<"
    }
  }
}
