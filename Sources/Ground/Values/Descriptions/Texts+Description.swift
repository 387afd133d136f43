// The lines that texts and places in them print as.

extension TextPlace: CustomStringConvertible {
  /// The place as `line:column`.
  public var description: String { "\(line):\(column)" }
}

extension ReadLimits: CustomStringConvertible {
  /// The limits with their units.
  public var description: String {
    "\(maxSize) bytes, \(depth) levels, expanded \(expandedSize) bytes per file and \(totalExpandedSize) in all"
  }
}

extension LocatedText: CustomStringConvertible {
  /// The format and the size: `yaml, 42 bytes`.
  public var description: String { "\(format), \(bytes.count) bytes" }
}

extension LocatedEntry: CustomStringConvertible {
  /// The key and its value with its range: `name: "Ada" at 6..<9`.
  public var description: String { "\(key): \(value)" }
}

extension LocatedValue: CustomStringConvertible {
  /// The content and its range: `"Ada" at 6..<9`.
  public var description: String { "\(content) at \(range)" }
}

extension LocatedValue.Content: CustomStringConvertible {
  /// A scalar as JSON, an alias as `*name`, and the size of a list or map.
  public var description: String {
    switch self {
    case .scalar(let value): value.description
    case .list(let elements): "list of \(elements.count)"
    case .map(let entries): "map of \(entries.count)"
    case .alias(let name): "*\(name)"
    }
  }
}
