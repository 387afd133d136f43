import Values

/// Patches as their RFCs describe them, written down a second time.
enum ReferencePatch {
  /// RFC 7396, section 2, of two maps.
  static func merge(_ patch: Value, into target: Value) -> Fields {
    var result = target.fields ?? [:]
    for (key, value) in patch.fields ?? [:] {
      switch value {
      case .null: result[key] = nil
      case .map: result[key] = .map(merge(value, into: result[key] ?? .map([:])))
      default: result[key] = value
      }
    }
    return result
  }

  private struct Fails: Error {}

  /// RFC 6902. Nil if an operation cannot be made.
  static func apply(_ patch: Value, to target: Value) -> Value? {
    try? (patch.elements ?? []).reduce(target) { value, operation in
      let path = keys(operation["path"])
      switch operation["op"]?.text {
      case "add": return try add(operation["value"] ?? .null, path, value)
      case "remove": return try remove(path, value).rest
      case "replace": return try add(operation["value"] ?? .null, path, remove(path, value).rest, replaces: true)
      case "copy": return try add(find(keys(operation["from"]), value), path, value)
      case "move":
        let from = keys(operation["from"])
        if path != from, path.starts(with: from) { throw Fails() }
        let removed = try remove(from, value)
        return try add(removed.value, path, removed.rest)
      default:
        guard try find(path, value).hasSameValue(as: operation["value"] ?? .null) else { throw Fails() }
        return value
      }
    }
  }

  private static func keys(_ pointer: Value?) -> [String] { (pointer?.text ?? "").split(separator: "/").map(String.init) }

  private static func find(_ path: [String], _ value: Value) throws -> Value {
    guard let key = path.first else { return value }
    switch value {
    case .map(let fields):
      guard let child = fields[key] else { throw Fails() }
      return try find(Array(path.dropFirst()), child)
    case .list(let elements):
      guard let index = Int(key), elements.indices.contains(index) else { throw Fails() }
      return try find(Array(path.dropFirst()), elements[index])
    default: throw Fails()
    }
  }

  private static func add(_ new: Value, _ path: [String], _ value: Value, replaces: Bool = false) throws -> Value {
    guard let key = path.first else { return new }
    let rest = Array(path.dropFirst())
    switch value {
    case .map(var fields):
      if rest.isEmpty { fields[key] = new } else { fields[key] = try add(new, rest, fields[key] ?? .null) }
      return .map(fields)
    case .list(var elements):
      if rest.isEmpty {
        guard let index = key == "-" && !replaces ? elements.count : Int(key), (0...elements.count).contains(index) else { throw Fails() }
        elements.insert(new, at: index)
      } else {
        guard let index = Int(key), elements.indices.contains(index) else { throw Fails() }
        elements[index] = try add(new, rest, elements[index])
      }
      return .list(elements)
    default: throw Fails()
    }
  }

  private static func remove(_ path: [String], _ value: Value) throws -> (value: Value, rest: Value) {
    guard let key = path.first else { throw Fails() }
    let rest = Array(path.dropFirst())
    switch value {
    case .map(var fields):
      guard let child = fields[key] else { throw Fails() }
      let removed = rest.isEmpty ? (value: child, rest: nil as Value?) : try { ($0.value, $0.rest) }(remove(rest, child))
      fields[key] = removed.rest
      return (removed.value, .map(fields))
    case .list(var elements):
      guard let index = Int(key), elements.indices.contains(index) else { throw Fails() }
      if rest.isEmpty { return (elements.remove(at: index), .list(elements)) }
      let removed = try remove(rest, elements[index])
      elements[index] = removed.rest
      return (removed.value, .list(elements))
    default: throw Fails()
    }
  }
}
