import PlainText

/// The value that the operations of a JSON Patch change, with limits on what they can make of it.
struct PatchTarget {
  /// The reason why an operation cannot be made.
  struct Refusal: Error {
    /// A sentence.
    let message: String
    /// True if a test failed.
    var isTest = false
  }

  /// The number of values that all copies of a patch may have together.
  private static let maxCopied = 1_000_000

  /// The value.
  private(set) var value: Value
  private let maxDepth: Int
  private var copied = 0

  /// Makes a target.
  init(_ value: Value, maxDepth: Int) { (self.value, self.maxDepth) = (value, maxDepth) }

  /// Makes an operation.
  mutating func apply(_ operation: JSONPatch.Operation) throws(Refusal) {
    switch operation.kind {
    case .test: try test(operation)
    case .add: try add(operation.value, at: operation.path)
    case .remove: try remove(operation.path)
    case .replace:
      let old = try existing(operation.path)
      try checkDepth(of: operation.value, at: operation.path)
      try set(PatchTarget.written(operation.value, over: old), at: operation.path)
    case .copy:
      let value = try existing(operation.from)
      copied += value.count(upTo: PatchTarget.maxCopied)
      guard copied <= PatchTarget.maxCopied else { throw Refusal(message: "The copies of this patch are too large.") }
      try add(value, at: operation.path)
    case .move:
      let value = try existing(operation.from)
      if operation.from == operation.path { return }
      guard !operation.path.keys.starts(with: operation.from.keys, by: { $0.utf8.elementsEqual($1.utf8) }) else {
        throw Refusal(message: "A value cannot be moved into itself.")
      }
      try remove(operation.from)
      try add(value, at: operation.path)
    }
  }

  private func existing(_ pointer: JSONPointer) throws(Refusal) -> Value {
    guard let value = pointer.value(in: value) else { throw Refusal(message: "There is no value at `\(pointer)`.") }
    return value
  }

  private static func written(_ new: Value, over old: Value?) throws(Refusal) -> Value {
    do throws(AmbiguousElement) {
      return try new.asPatched(over: old)
    } catch {
      throw Refusal(message: error.sentence)
    }
  }

  private func test(_ operation: JSONPatch.Operation) throws(Refusal) {
    let found = try existing(operation.path)
    guard found.hasSameValue(as: operation.value) || found.isListed(as: operation.value) else {
      throw Refusal(message: "The value is another one.", isTest: true)
    }
  }

  private func checkDepth(of value: Value, at pointer: JSONPointer) throws(Refusal) {
    guard pointer.keys.count + value.depth <= maxDepth else {
      throw Refusal(message: "The item would have more than \(maxDepth) levels, the limit for a file.")
    }
  }

  private mutating func add(_ new: Value, at pointer: JSONPointer) throws(Refusal) {
    try checkDepth(of: new, at: pointer)
    guard let last = pointer.keys.last else {
      value = try PatchTarget.written(new, over: value)
      return
    }
    value = try PatchTarget.changing(value, pointer.keys.dropLast()[...]) { holder throws(Refusal) in
      switch holder {
      case .map(var fields):
        fields[last] = try PatchTarget.written(new, over: fields[last])
        return .map(fields)
      case .list(var elements):
        let index = last == "-" ? elements.count : JSONPointer.index(last)
        guard let index, index <= elements.count else {
          throw Refusal(message: "The list has \(elements.count) elements; add at a number up to that, or at `-`.")
        }
        elements.insert(new, at: index)
        return .list(elements)
      default: throw Refusal(message: "The value above it is neither a map nor a list.")
      }
    }
  }

  private mutating func set(_ new: Value, at pointer: JSONPointer) throws(Refusal) {
    guard let last = pointer.keys.last else {
      value = new
      return
    }
    value = try PatchTarget.changing(value, pointer.keys.dropLast()[...]) { holder throws(Refusal) in
      switch holder {
      case .map(var fields):
        fields[last] = new
        return .map(fields)
      case .list(var elements):
        if let index = JSONPointer.index(last), elements.indices.contains(index) { elements[index] = new }
        return .list(elements)
      default: return holder
      }
    }
  }

  private mutating func remove(_ pointer: JSONPointer) throws(Refusal) {
    _ = try existing(pointer)
    guard let last = pointer.keys.last else { throw Refusal(message: "The item itself cannot be removed. Send DELETE.") }
    value = try PatchTarget.changing(value, pointer.keys.dropLast()[...]) { holder throws(Refusal) in
      switch holder {
      case .map(var fields):
        fields[last] = nil
        return .map(fields)
      case .list(var elements):
        if let index = JSONPointer.index(last), elements.indices.contains(index) { elements.remove(at: index) }
        return .list(elements)
      default: return holder
      }
    }
  }

  /// Changes the value at some keys, which must exist. The recursion is as deep as the value.
  private static func changing(
    _ value: Value, _ keys: ArraySlice<String>, _ change: (Value) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    guard let key = keys.first else { return try change(value) }
    switch value {
    case .map(var fields):
      guard let child = fields[key] else { throw Refusal(message: "There is no value at `\(key)` on the way.") }
      fields[key] = try changing(child, keys.dropFirst(), change)
      return .map(fields)
    case .list(var elements):
      guard let index = JSONPointer.index(key), elements.indices.contains(index) else {
        throw Refusal(message: "The list on the way has no element `\(key)`.")
      }
      elements[index] = try changing(elements[index], keys.dropFirst(), change)
      return .list(elements)
    default: throw Refusal(message: "The value at `\(key)` on the way is neither a map nor a list.")
    }
  }
}

extension Value {
  /// The number of lists and maps that are nested in one another here.
  var depth: Int {
    switch self {
    case .list(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
    case .map(let fields): 1 + (fields.lazy.map(\.value.depth).max() ?? 0)
    default: 0
    }
  }

  /// The number of values here, or `limit` if there are more.
  func count(upTo limit: Int) -> Int {
    var count = 0
    var waiting = [self]
    while let next = waiting.popLast(), count + waiting.count < limit {
      count += 1
      switch next {
      case .list(let elements): waiting += elements
      case .map(let fields): waiting += fields.lazy.map(\.value)
      default: break
      }
    }
    return min(limit, count + waiting.count)
  }
}
