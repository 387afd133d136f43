/// What a merge does with fields that both sides changed.
///
/// ```swift
/// var rules = MergeRules()
/// rules["tags"] = .set
/// rules["rating"] = .max
/// rules["contacts"] = .keyed(by: "name")
/// rules["contacts.seen"] = .max  // of every contact
/// ```
public struct MergeRules: Sendable, Hashable {
  public enum Rule: Sendable, Hashable {
    /// The greater of two numbers, dates or texts of one kind.
    case max
    case min
    /// Of lists: all that either side has, though the other took it out.
    case union
    case ours
    case theirs
    /// A list whose order does not matter and in which nothing stands twice.
    case set
    /// A list of maps that are told apart by this key.
    case keyed(by: String)
    /// A list in which the order matters: what lists are without a rule.
    case ordered
  }

  private var rules: [FieldPath: Rule] = [:]

  public init() {}

  /// Into the elements of a list a path goes without a number.
  public subscript(path: FieldPath) -> Rule? {
    get { rules[FieldPath(keys: path.keys)] }
    set { rules[FieldPath(keys: path.keys)] = newValue }
  }

  /// These rules without those that choose one side's value. A value that a rule chooses against a side is a conflict by them.
  package var withoutChoices: MergeRules {
    var structural = MergeRules()
    structural.rules = rules.filter { ![.max, .min, .ours, .theirs].contains($0.value) }
    return structural
  }

  /// For a merge that is asked with its sides the other way round.
  package var swapped: MergeRules {
    var swapped = self
    for (path, rule) in rules where rule == .ours || rule == .theirs { swapped.rules[path] = rule == .ours ? .theirs : .ours }
    return swapped
  }
}
