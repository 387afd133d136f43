import TextEdits
import Values

/// Applies an edit to values in a simple way, by rebuilding them from the root. Only for edits that
/// are not refused.
enum EditModel {
  static func apply(_ edit: TextEdit, to value: Value) -> Value? {
    switch edit {
    case .set(_, let new): change(value, edit.path.keys[...]) { _ in new }
    case .append(let new, _): change(value, edit.path.keys[...]) { .list(($0?.listed ?? []) + [new]) }
    case .insert(let path, let new): insert(new, value, path.keys[...])
    case .remove(let path): remove(value, path.keys[...])
    case .removeValue(let old, let path):
      value.exactly(at: path.keys)?.listed == nil
        ? value
        : change(value, path.keys[...]) { .list(($0?.listed ?? []).filter { !$0.hasSameValue(as: old) }) }
    case .rename(let path, let name): rename(value, path.keys[...], name)
    }
  }

  private static func change(_ value: Value?, _ keys: ArraySlice<String>, _ body: (Value?) -> Value) -> Value
  {
    guard let key = keys.first else { return body(value) }
    if let elements = value?.listed, let index = Int(key) {
      return .list(elements.enumerated().map { $0 == index ? change($1, keys.dropFirst(), body) : $1 })
    }
    var fields = value?.mapped ?? [:]
    fields[key] = change(fields[key], keys.dropFirst(), body)
    return .map(fields)
  }

  private static func insert(_ new: Value, _ value: Value, _ keys: ArraySlice<String>) -> Value {
    guard let last = keys.last else { return value }
    let holder = Array(keys.dropLast())
    guard let elements = (holder.isEmpty ? value : value.exactly(at: holder))?.listed, let index = Int(last)
    else {
      return change(value, keys) { _ in new }
    }
    return change(value, holder[...]) { _ in .list(elements[..<index] + [new] + elements[index...]) }
  }

  private static func remove(_ value: Value, _ keys: ArraySlice<String>) -> Value {
    guard let last = keys.last else { return value }
    return change(value, keys.dropLast()) { holder in
      if let elements = holder?.listed {
        return .list(elements.enumerated().filter { String($0.offset) != last }.map(\.element))
      }
      var fields = holder?.mapped ?? [:]
      fields[last] = nil
      return .map(fields)
    }
  }

  private static func rename(_ value: Value, _ keys: ArraySlice<String>, _ name: String) -> Value {
    guard let last = keys.last else { return value }
    return change(value, keys.dropLast()) { holder in
      var fields = holder?.mapped ?? [:]
      let moved = fields[last]
      fields[last] = nil
      fields[name] = moved
      return .map(fields)
    }
  }
}

extension Value {
  var listed: [Value]? { if case .list(let elements) = self { elements } else { nil } }
  var mapped: Fields? { if case .map(let fields) = self { fields } else { nil } }

  /// Returns the value at these keys. A number is an element of a list.
  func exactly(at keys: [String]) -> Value? {
    keys.reduce(self) { value, key in
      guard let elements = value?.listed else { return value?[key] }
      return Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }
  }
}

/// Returns the paths to all values except the root.
func allPaths(of value: Value) -> [[String]] {
  var paths: [[String]] = []
  var queue: [([String], Value)] = [([], value)]
  while let (keys, value) = queue.popLast() {
    if !keys.isEmpty { paths.append(keys) }
    value.listed?.enumerated().forEach { queue.append((keys + [String($0)], $1)) }
    value.mapped?.forEach { queue.append((keys + [$0.key], $0.value)) }
  }
  return paths
}
