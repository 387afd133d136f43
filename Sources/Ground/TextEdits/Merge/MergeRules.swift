/// Rules for fields that both sides of a merge changed.
///
/// ```swift
/// var rules = MergeRules()
/// rules["tags"] = .set
/// rules["rating"] = .max
/// rules["contacts"] = .keyed(by: "name")
/// rules["contacts.seen"] = .max  // of every contact
/// ```
public struct MergeRules: Sendable, Hashable, CustomStringConvertible {
  /// A rule for a value that both sides changed.
  public enum Rule: Sendable, Hashable, CustomStringConvertible {
    /// The greater one of two numbers, dates, strings or booleans.
    case max
    /// The smaller one of two numbers, dates, strings or booleans.
    case min
    /// For lists: all elements of both sides, including those that one side removed.
    case union
    /// Our value.
    case ours
    /// Their value.
    case theirs
    /// A list without duplicates, in which the order does not matter.
    case set
    /// A list of maps that are identified by this key.
    case keyed(by: String)
    /// A list in which the order matters. This is the default for lists.
    case ordered

    /// The name of the rule, such as `union` or `keyed by id`.
    public var description: String {
      switch self {
      case .max: "max"
      case .min: "min"
      case .union: "union"
      case .ours: "ours"
      case .theirs: "theirs"
      case .set: "set"
      case .keyed(let key): "keyed by \(key)"
      case .ordered: "ordered"
      }
    }
  }

  private var rules: [FieldPath: Rule] = [:]

  /// Creates rules without any rule: both sides' changes to one value are a conflict.
  public init() {}

  /// The rule for a field. The path to a field of list elements contains no element numbers.
  public subscript(path: FieldPath) -> Rule? {
    get { rules[FieldPath(keys: path.keys)] }
    set { rules[FieldPath(keys: path.keys)] = newValue }
  }

  /// The rules with their fields: `rating: max, tags: union`.
  public var description: String {
    rules.isEmpty ? "no rules" : rules.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ")
  }

  /// These rules without those that choose one of two values. By them, such values are in conflict.
  package var withoutChoices: MergeRules {
    var structural = MergeRules()
    structural.rules = rules.filter { ![.max, .min, .ours, .theirs].contains($0.value) }
    return structural
  }

  package var swapped: MergeRules {
    var swapped = self
    for (path, rule) in rules where rule == .ours || rule == .theirs {
      swapped.rules[path] = rule == .ours ? .theirs : .ours
    }
    return swapped
  }
}
