import TestSupport
import TextEdits
import Values

/// Two versions that were changed from one item.
enum RandomSides {
  private static let keys = ["a", "b", "c", "d", "e"]

  static func map(_ generator: inout SeededGenerator, depth: Int = 2) -> Value {
    var fields = Fields()
    for key in keys.shuffled(using: &generator).prefix(1 + generator.below(4)) {
      fields[key] = value(&generator, depth: depth)
    }
    return .map(fields)
  }

  private static func value(_ generator: inout SeededGenerator, depth: Int) -> Value {
    switch generator.below(depth > 0 ? 7 : 3) {
    case 0: .number(.integer(generator.below(1_000_000)))
    case 1: .string("line \(generator.below(1_000_000))\nmore\nand more\n")
    case 3: .list((0..<1 + generator.below(4)).map { _ in value(&generator, depth: depth - 1) })
    case 4: map(&generator, depth: depth - 1)
    default: .string("text \(generator.below(1_000_000))")
    }
  }

  static func changed(_ value: Value, _ generator: inout SeededGenerator) -> Value {
    var changed = value
    for _ in 0..<generator.below(4) { changed = changedOnce(changed, &generator) }
    return changed
  }

  private static func changedOnce(_ value: Value, _ generator: inout SeededGenerator) -> Value {
    switch value {
    case .map(let fields) where fields.isEmpty: return map(&generator, depth: 1)
    case .map(var fields):
      let key = fields[generator.below(fields.count)].key
      switch generator.below(6) {
      case 0: fields[key] = nil
      case 1: fields[generator.one(of: keys)] = self.value(&generator, depth: 1)
      default: fields[key] = fields[key].map { changedOnce($0, &generator) }
      }
      return .map(fields)
    case .list(var elements) where !elements.isEmpty:
      let index = generator.below(elements.count)
      switch generator.below(5) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(self.value(&generator, depth: 1), at: index)
      default: elements[index] = changedOnce(elements[index], &generator)
      }
      return .list(elements)
    default: return self.value(&generator, depth: 0)
    }
  }
}
