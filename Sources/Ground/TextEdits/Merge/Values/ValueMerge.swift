/// A three-way merge of values, field by field.
///
/// ```swift
/// let merge = ValueMerge(base: base, ours: ours, theirs: theirs, rules: rules)
/// merge.value      // with ours where the sides are in conflict
/// merge.conflicts  // the smallest values that both sides changed in different ways
/// ```
///
/// A value that only one side changed comes from that side, regardless of the rules. Maps are merged
/// by key; lists in order, as sets, or by a key; strings of several lines by lines. Two maps in a
/// list are merged only if they are certainly the same element (see `ElementIdentity`). Everything
/// else that both sides changed is a conflict, including a value that one side changed and the other
/// one removed, and a key that both sides renamed differently: it would be in the result twice.
public struct ValueMerge: Sendable, CustomStringConvertible {
  /// The merged value, with our values in conflicts. Nil if it was removed.
  public let value: Value?
  /// The values that both sides changed in different ways.
  public let conflicts: [Conflict]

  /// A value that both sides changed in different ways. For a key that both sides renamed there is
  /// one per new key, with the value of one side only.
  public struct Conflict: Sendable, Hashable, CustomStringConvertible {
    /// The path in the merged value, which does not exist there if our side removed the key. Empty
    /// for the complete value.
    public let keys: [String]
    /// The value before both changes; nil if the key was added.
    public let base: Value?
    /// Our value; nil if the key was removed. If a string is merged by lines, it contains our lines
    /// where the sides are in conflict.
    public let ours: Value?
    /// Their value; nil if the key was removed. A string merged by lines has their lines, as in `ours`.
    public let theirs: Value?

    /// The place and the three values: `/name: "Ada" became "A." and "Ada L."`.
    public var description: String {
      let texts = [base, ours, theirs].map { $0?.description ?? "nothing" }
      return "\(FieldPath.pointer(to: keys)): \(texts[0]) became \(texts[1]) and \(texts[2])"
    }
  }

  /// Merges two values that have a common base. Nil stands for a value that a version does not have.
  public init(base: Value?, ours: Value?, theirs: Value?, rules: MergeRules = MergeRules()) {
    var merger = ValueMerger(rules: rules)
    value = merger.merge(Versions(base, ours, theirs))
    conflicts = merger.conflicts
    decisions = merger.decisions
  }

  /// The result as JSON, and its conflicts.
  public var description: String {
    let result = value?.description ?? "nothing"
    return conflicts.isEmpty
      ? result : "\(result), conflicts: \(conflicts.map(\.description).joined(separator: "; "))"
  }

  /// The values that both sides changed and a rule decided, each with its paths in our version and in
  /// theirs; nil if the key is removed.
  typealias Decision = (ours: [String], theirs: [String], value: Value?)
  let decisions: [Decision]
}
