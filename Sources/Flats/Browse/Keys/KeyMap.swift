public import Terminal

/// The keys of the full screen: which action each of them does.
///
/// The keys of a line, a menu or a form are fixed; this is the map of the list.
public struct KeyMap: Hashable, Sendable {
  /// The keys that nobody gave other actions.
  public static let standard = KeyMap(
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
  public subscript(key: Key) -> BrowseAction? { actions[key] }

  /// Returns the keys of an action, the first one first. Empty if the action has no key.
  public func keys(of action: BrowseAction) -> [Key] { keysByAction[action] ?? [] }

  /// Returns the action that a key does while a line is being edited that moves the list: arrows
  /// and pages, ctrl-n, ctrl-p, ctrl-j and ctrl-k as in fzf, Enter and Tab.
  ///
  /// - Parameter isMulti: True if Tab selects a row, because several may be chosen.
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

  /// Returns the action that a key does everywhere, even in a line or a form: interrupt, suspend
  /// and redraw, where no character is typed.
  func actionAnywhere(_ key: Key) -> BrowseAction? {
    guard key.modifiers.contains(.control), let action = actions[key] else { return nil }
    return [.interrupt, .suspend, .redraw].contains(action) ? action : nil
  }
}
