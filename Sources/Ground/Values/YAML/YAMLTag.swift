/// The tags of YAML's own types. All other tags are ignored when values are read.
package enum YAMLTag {
  case string
  case integer
  case float
  case bool
  case null
  case timestamp
  /// A binary value; its base64 text is a string.
  case binary
  case list
  case map
  case merge

  package init?(_ tag: UnsafeRawBufferPointer) {
    let prefix: StaticString = "tag:yaml.org,2002:"
    let length = prefix.utf8CodeUnitCount
    guard tag.count > length, UnsafeRawBufferPointer(rebasing: tag[..<length]).equals(prefix) else {
      return nil
    }
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

  func resolve(_ text: UnsafeRawBufferPointer) -> YAMLScalar? {
    switch (self, YAMLScalar(plain: text)) {
    case (.string, _), (.binary, _), (.merge, _): .string
    case (.timestamp, _): Timestamp.parse(text) == nil ? nil : .string
    case (.null, .null): .null
    case (.bool, .bool(let flag)): .bool(flag)
    case (.integer, .integer(let value)): .integer(value)
    case (.integer, let number) where DecimalText(text)?.isInteger == true: number
    case (.float, .integer), (.float, .double), (.float, .written), (.float, .literal):
      YAMLScalar(plain: text)
    default: nil
    }
  }

  var expectation: String {
    switch self {
    case .string: "!!str requires a string"
    case .integer: "!!int requires an integer such as 12, 0o14 or 0xC"
    case .float: "!!float requires a number such as 1.5, 1e9, .inf or .nan"
    case .bool: "!!bool requires true or false"
    case .null: "!!null requires null, ~ or nothing"
    case .timestamp: "!!timestamp requires a date such as 2024-01-31 or 2024-01-31T10:00:00Z"
    case .binary: "!!binary requires base64 text"
    case .list: "this tag requires a list"
    case .map: "this tag requires a map"
    case .merge: "!!merge is only for the key <<"
    }
  }
}
