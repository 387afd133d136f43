import Files
import Terminal

extension KeyMap {
  /// Reads the keys of `config.yaml`: the standard map with other keys for some actions.
  ///
  /// An action that is named has the given keys and no others. A key that it takes from an unnamed
  /// action no longer belongs to that action. Ctrl-C and Escape can't be remapped.
  ///
  /// - Parameter remapped: The names of actions and their keys; an empty list for an action without
  ///   a key.
  /// - Returns: The map, and the mistakes: an unknown action or key, a key of two actions, or an
  ///   action that loses its last key without being named. Each has the name of the action as it is
  ///   written, the index of the key (nil if the mistake is not that of one key), and what is wrong
  ///   and what to write, as sentences. The map ignores what is wrong.
  public static func reading(_ remapped: [(action: String, keys: [String])]) -> (
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

  /// The keys that always do the same, so that there is always a way out.
  private static let fixed: [(key: Key, action: BrowseAction)] = [
    (Key(control: "c"), .interrupt), (Key(.escape), .leave),
  ]

  /// The names of keys that a mistyped one is compared with.
  private static let names =
    Key.allNames + ["shift-tab"] + "abcdefghijklmnopqrstuvwxyz".flatMap { ["ctrl-\($0)", "alt-\($0)"] }
}
