public import TerminalDevice
import TerminalText

extension KeyMap {
  /// Creates the standard map with other keys for some actions.
  ///
  /// An action that is named has the given keys and no others. A key that it takes from an action
  /// that is not named is that action's no more.
  ///
  /// - Parameter remapped: The names of actions and their keys, as `config.yaml` has them; an empty
  ///   list for an action without a key.
  /// - Throws: A ``KeyMapError`` for an unknown action or key, a key of two actions, an action that
  ///   loses its last key without being named, or a key that cannot be given away.
  public init(remapping remapped: [(action: String, keys: [String])]) throws(KeyMapError) {
    var keys: [BrowseAction: [Key]] = [:]
    var owners: [Key: BrowseAction] = [:]
    for (name, texts) in remapped {
      let action = try KeyMap.action(named: name)
      if keys[action] != nil { throw KeyMapError(name, "The action is written twice. Write all of its keys as one list.") }
      keys[action] = []
      for text in texts {
        let key = try KeyMap.key(text, of: action)
        if let other = owners[key], other != action {
          throw KeyMapError(name, "`\(key)` is also a key of `\(other.rawValue)`. A key can have one action.")
        }
        if owners.updateValue(action, forKey: key) == nil { keys[action, default: []].append(key) }
      }
    }
    for action in BrowseAction.allCases where keys[action] == nil {
      let left = action.defaultKeys.filter { owners[$0] == nil }
      if left.isEmpty, let key = action.defaultKeys.first, let owner = owners[key] {
        throw KeyMapError(
          owner.rawValue,
          "`\(key)` is the only key of `\(action.rawValue)`. Give that action another key too, or `\(action.rawValue): []` for none.")
      }
      keys[action] = left
    }
    for (key, action) in KeyMap.fixed where keys[action]?.contains(key) == false { keys[action]?.append(key) }
    self.init(keys: keys)
  }

  /// The keys that always do the same, so that there is always a way out.
  private static let fixed: [(key: Key, action: BrowseAction)] = [(Key(control: "c"), .interrupt), (Key(.escape), .leave)]

  private static func action(named name: String) throws(KeyMapError) -> BrowseAction {
    if let action = BrowseAction(rawValue: name) { return action }
    let known = BrowseAction.allCases.map(\.rawValue)
    let nearest = known.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
    throw KeyMapError(name, "There is no action `\(name)`.\(nearest) The actions are \(known.joined(separator: ", ")).")
  }

  private static func key(_ text: String, of action: BrowseAction) throws(KeyMapError) -> Key {
    guard let key = Key(parsing: text) else {
      let nearest = names.nearest(to: text).map { " Did you mean `\($0)`?" } ?? ""
      throw KeyMapError(action.rawValue, "There is no key `\(text)`.\(nearest) Write a character, or a name such as ctrl-n, alt-x, f5 or pgdn.")
    }
    if let owner = fixed.first(where: { $0.key == key })?.action, owner != action {
      throw KeyMapError(action.rawValue, "`\(key)` is always the key of `\(owner.rawValue)`. Choose another key.")
    }
    return key
  }

  /// The names of keys that a mistyped one is compared with.
  private static let names: [String] = {
    let codes: [Key.Code] = [
      .enter, .tab, .escape, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .character(" "),
    ]
    let letters = "abcdefghijklmnopqrstuvwxyz".map(Key.Code.character)
    return (codes + (1...12).map(Key.Code.function)).map { Key($0).description }
      + letters.flatMap { [Key($0, .control).description, Key($0, .alt).description] }
      + [Key(.tab, .shift).description]
  }()
}

/// An error in the keys of `config.yaml`.
public struct KeyMapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the action as it is written.
  public let action: String
  /// Sentences: what is wrong, and what to write.
  public let message: String

  init(_ action: String, _ message: String) {
    (self.action, self.message) = (DisplayText.safe(action), DisplayText.safe(message))
  }

  /// The key of the settings and the message.
  public var description: String { "browse.keys.\(action): \(message)" }
}
