import Files
package import Terminal

/// The keys of the full screen: which action each of them does.
///
/// The keys of a line, a menu or a form are fixed; this is the map of the list.
package struct KeyMap: Hashable, Sendable {
  /// The keys that nobody gave other actions.
  static let standard = KeyMap(
    keys: Dictionary(uniqueKeysWithValues: BrowseAction.allCases.map { ($0, $0.defaultKeys) }))

  private let keysByAction: [BrowseAction: [Key]]
  private let actions: [Key: BrowseAction]

  /// Creates a map in which each key has one action.
  init(keys: [BrowseAction: [Key]]) {
    keysByAction = keys
    actions = keys.reduce(into: [:]) { actions, entry in
      for key in entry.value { actions[key] = entry.key }
    }
  }

  /// Returns the action of a key; nil if it has none.
  subscript(key: Key) -> BrowseAction? { actions[key] }

  /// Returns the keys of an action, the first one first. Empty if the action has no key.
  package func keys(of action: BrowseAction) -> [Key] { keysByAction[action] ?? [] }

  /// What a key does while a line is edited that moves the list: arrows and pages, ctrl-n, ctrl-p, ctrl-j and
  /// ctrl-k as in fzf, Enter, and Tab to select a row if several may be chosen.
  func actionWhileTyping(_ key: Key, isMulti: Bool) -> BrowseAction? {
    switch (key.code, key.modifiers) {
    case (.down, []), (.character("n"), .control), (.character("j"), .control): .down
    case (.up, []), (.character("p"), .control), (.character("k"), .control): .up
    case (.pageDown, []): .pageDown
    case (.pageUp, []): .pageUp
    case (.enter, _): .accept
    case (.tab, []): isMulti ? .select : .detail
    default: actionAnywhere(key)
    }
  }

  /// What a key that types nothing does everywhere, even in a line or a form: interrupt, suspend, redraw.
  func actionAnywhere(_ key: Key) -> BrowseAction? {
    guard key.modifiers.contains(.control), let action = actions[key] else { return nil }
    return [.interrupt, .suspend, .redraw].contains(action) ? action : nil
  }

  /// Reads the keys of `config.yaml`: the standard map with other keys for some actions.
  ///
  /// An action that is named has the given keys and no others. A key that it takes from an unnamed
  /// action no longer belongs to that action. Ctrl-C and Escape can't be remapped.
  ///
  /// - Parameter remapped: The names of actions and their keys; an empty list for an action without a key.
  /// - Returns: The map without what is wrong, and the mistakes: an unknown action or key, a key of two
  ///   actions, or an action that loses its last key without being named. Each has the name of the action
  ///   as written, the index of the key (nil if it is not about one), and what is wrong and what to write.
  package static func reading(_ remapped: [(action: String, keys: [String])]) -> (
    map: KeyMap, mistakes: [(action: String, key: Int?, message: String)]
  ) {
    var mistakes: [(action: String, key: Int?, message: String)] = []
    func report(_ action: String, key: Int? = nil, _ message: String) {
      mistakes.append((action, key, DisplayText.safe(message)))
    }
    var keys: [BrowseAction: [Key]] = [:]
    var owners: [Key: BrowseAction] = [:]
    for (name, texts) in remapped {
      guard let action = BrowseAction(rawValue: name) else {
        let known = BrowseAction.allCases.map(\.rawValue)
        let nearest = known.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
        report(
          name, "There is no action `\(name)`.\(nearest) The actions are \(known.joined(separator: ", ")).")
        continue
      }
      keys[action] = keys[action] ?? []
      for (index, text) in texts.enumerated() {
        guard let key = Key(parsing: text) else {
          let nearest = names.nearest(to: text).map { " Did you mean `\($0)`?" } ?? ""
          report(
            name, key: index,
            "There is no key `\(text)`.\(nearest) Write a character, or a name such as ctrl-n, alt-x, f5 or pgdn."
          )
          continue
        }
        if let owner = fixed.first(where: { $0.key == key })?.action, owner != action {
          report(
            name, key: index, "`\(key)` is always the key of `\(owner.rawValue)`. Choose another key.")
        } else if let owner = owners[key], owner != action {
          report(
            name, key: index, "`\(key)` is also a key of `\(owner.rawValue)`. A key can have one action.")
        } else if owners.updateValue(action, forKey: key) == nil {
          keys[action]?.append(key)
        }
      }
    }
    // The actions that were not named keep their default keys.
    for action in BrowseAction.allCases where keys[action] == nil {
      let left = action.defaultKeys.filter { owners[$0] == nil }
      if left.isEmpty, let key = action.defaultKeys.first, let owner = owners[key] {
        report(
          owner.rawValue,
          "`\(key)` is the only key of `\(action.rawValue)`. Give `\(action.rawValue)` another key too, or [] for none."
        )
      }
      keys[action] = left
    }
    for (key, action) in fixed where keys[action]?.contains(key) == false {
      keys[action]?.append(key)
    }
    return (KeyMap(keys: keys), mistakes)
  }

  private static let fixed: [(key: Key, action: BrowseAction)] = [
    (Key(control: "c"), .interrupt), (Key(.escape), .leave),
  ]

  private static let names =
    Key.allNames + ["shift-tab"] + "abcdefghijklmnopqrstuvwxyz".flatMap { ["ctrl-\($0)", "alt-\($0)"] }
}
