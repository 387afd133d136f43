/// The full-screen list in the configuration file: the keys that the person chose.
package struct BrowseConfiguration: Sendable, Hashable {
  /// The keys of one action.
  package struct Binding: Sendable, Hashable {
    /// The name of the action.
    package let action: String
    /// The names of its keys, which replace the default ones. Without keys the action has none.
    package let keys: [String]

    package init(_ action: String, _ keys: [String]) {
      (self.action, self.keys) = (action, keys)
    }
  }

  /// The bindings, in the order of the file. No two of them are of the same action.
  package let bindings: [Binding]

  package init(_ bindings: [Binding] = []) {
    self.bindings = bindings
  }
}

/// A mistake in the keys of the full-screen list.
package struct KeyMistake: Sendable, Hashable {
  /// The name of the action, as the file has it.
  package let action: String
  /// The index of the key; nil if the mistake is the action itself.
  package let key: Int?
  /// A sentence that says what is wrong and what to write.
  package let message: String

  /// Describes a mistake.
  package init(_ action: String, key: Int? = nil, _ message: String) {
    (self.action, self.key, self.message) = (action, key, message)
  }
}
