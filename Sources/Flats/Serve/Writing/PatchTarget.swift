import TextEdits
import Values

/// The value that the operations of a JSON Patch change, with limits on what they can make of it.
struct PatchTarget {
  /// The reason why an operation cannot be applied.
  struct Refusal: Error {
    /// A sentence.
    let message: String
    /// True if a test failed.
    var isTest = false
  }

  /// The number of values that all copies of a patch may have together.
  private static let maxCopied = 1_000_000

  private var target: EditableValue
  private let maxDepth: Int
  private var copied = 0

  /// Makes a target.
  init(_ value: Value, maxDepth: Int) { (target, self.maxDepth) = (EditableValue(value), maxDepth) }

  /// The value.
  var value: Value { target.value }

  /// Applies an operation. The cost does not depend on the size of the maps on the way.
  mutating func apply(_ operation: JSONPatch.Operation) throws(Refusal) {
    switch operation.kind {
    case .test: try test(operation)
    case .add: try add(operation.value, at: operation.path)
    case .remove: try remove(operation.path)
    case .replace:
      let old = try existing(operation.path)
      try checkDepth(of: operation.value, at: operation.path)
      put(try PatchTarget.written(operation.value, over: old), at: operation.path)
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
    guard let value = target.value(at: pointer.keys) else { throw Refusal(message: "There is no value at `\(pointer)`.") }
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
    guard let last = pointer.keys.last else { return put(try PatchTarget.written(new, over: value), at: pointer) }
    let way = Array(pointer.keys.dropLast())
    switch target.shape(at: way) {
    case .map: put(try PatchTarget.written(new, over: target.value(at: pointer.keys)), at: pointer)
    case .list(let count):
      let index = last == "-" ? count : JSONPointer.index(last)
      guard let index, index <= count else {
        throw Refusal(message: "The list has \(count) elements; add at a number up to that, or at `-`.")
      }
      target.insert(new, at: way + [String(index)])
    case .single: throw Refusal(message: "The value above it is neither a map nor a list.")
    case nil: throw refusal(of: way)
    }
  }

  /// Sets a value whose container exists.
  private mutating func put(_ new: Value, at pointer: JSONPointer) {
    if pointer.keys.isEmpty { target = EditableValue(new) } else { target.set(new, at: pointer.keys) }
  }

  private func remove(_ pointer: JSONPointer) throws(Refusal) {
    _ = try existing(pointer)
    if pointer.keys.isEmpty { throw Refusal(message: "The item itself cannot be removed. Send DELETE.") }
    target.remove(at: pointer.keys)
  }

  /// Returns the refusal of a path that leads to nothing: it names the first part that is missing.
  private func refusal(of keys: [String]) -> Refusal {
    let found = keys.indices.first { target.shape(at: Array(keys[...$0])) == nil } ?? 0
    let key = keys[found]
    switch target.shape(at: Array(keys[..<found])) {
    case .map: return Refusal(message: "The path leads to nothing: there is no key `\(key)`.")
    case .list: return Refusal(message: "The path leads to nothing: a list has no element `\(key)`.")
    case .single, nil: return Refusal(message: "The path leads to nothing: the value above `\(key)` is neither a map nor a list.")
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
}
