extension Key: CustomStringConvertible {
  /// Parses the name of a key as written in a configuration or after `--expect`: `a`, `ctrl-n`,
  /// `alt-enter`, `f5`, `space`, `shift-tab`; nil if there is no such key.
  ///
  /// Modifiers come in any order. Names of keys may be in upper case; letters are as they are
  /// typed. `ctrl-i`, `ctrl-m` and `ctrl-[` are tab, enter and escape, because many terminals send
  /// the same for both.
  package init?(parsing text: String) {
    var modifiers: Modifiers = []
    var name = text[...]
    while let (modifier, rest) = Key.modifier(before: name) {
      guard !modifiers.contains(modifier) else { return nil }
      modifiers.insert(modifier)
      name = rest
    }
    if let code = Key.codes[name.lowercased()] {
      self.init(code, modifiers)
    } else if name.count == 1, let character = name.first, Key.canBeTyped(character) {
      guard let key = Key(typed: character, modifiers) else { return nil }
      self = key
    } else {
      return nil
    }
    if let plain = Key.equals[self] { self = plain }
  }

  /// The name of the key, as `init(parsing:)` reads it.
  package var description: String {
    var name =
      switch code {
      case .character(" "): "space"
      case .character(let character): String(character)
      case .function(let number): "f\(number)"
      default: Key.names[code] ?? ""
      }
    if modifiers.contains(.shift) { name = "shift-" + name }
    if modifiers.contains(.alt) { name = "alt-" + name }
    if modifiers.contains(.control) { name = "ctrl-" + name }
    return name
  }

  /// The names of all keys that are not characters, and `space`: the first name of each.
  package static var allNames: [String] { named.map(\.1[0]) + ["space"] + (1...12).map { "f\($0)" } }

  private static let named: [(Code, [String])] = [
    (.enter, ["enter", "return"]), (.tab, ["tab"]), (.escape, ["escape", "esc"]),
    (.backspace, ["backspace", "bspace", "bs"]),
    (.delete, ["delete", "del"]), (.insert, ["insert", "ins"]), (.up, ["up"]), (.down, ["down"]),
    (.left, ["left"]),
    (.right, ["right"]), (.home, ["home"]), (.end, ["end"]), (.pageUp, ["page-up", "pageup", "pgup"]),
    (.pageDown, ["page-down", "pagedown", "pgdn"]),
  ]

  private static let names = Dictionary(uniqueKeysWithValues: named.map { ($0.0, $0.1[0]) })

  private static let codes: [String: Code] = {
    var codes: [String: Code] = ["space": .character(" "), "comma": .character(",")]
    for (code, names) in named { for name in names { codes[name] = code } }
    for number in 1...35 { codes["f\(number)"] = .function(number) }
    return codes
  }()

  /// Keys that most terminals can't distinguish from others.
  static let equals: [Key: Key] = [
    Key(.character("i"), .control): Key(.tab), Key(.character("m"), .control): Key(.enter),
    Key(.character("["), .control): Key(.escape),
    Key(.character("@"), .control): Key(.character(" "), .control),
    Key(.character("i"), [.control, .alt]): Key(.tab, .alt),
    Key(.character("m"), [.control, .alt]): Key(.enter, .alt),
    Key(.character("["), [.control, .alt]): Key(.escape, .alt),
    Key(.character("@"), [.control, .alt]): Key(.character(" "), [.control, .alt]),
  ]

  private static func modifier(before name: Substring) -> (Modifiers, Substring)? {
    for (word, modifier) in [("ctrl-", Modifiers.control), ("alt-", .alt), ("shift-", .shift)] {
      if name.count > word.count, name.prefix(word.count).lowercased() == word {
        return (modifier, name.dropFirst(word.count))
      }
    }
    return nil
  }

  /// Creates the press of a character key: shift is part of the character, and Control hides it.
  private init?(typed character: Character, _ modifiers: Modifiers) {
    var character = character
    var modifiers = modifiers
    if modifiers.contains(.control) {
      character = Key.lowercased(character)
    } else if modifiers.contains(.shift) {
      guard character.isLetter, let upper = character.uppercased().first else { return nil }
      character = upper
    }
    modifiers.remove(.shift)
    self.init(.character(character), modifiers)
  }

  static func lowercased(_ character: Character) -> Character {
    let lower = character.lowercased()
    return lower.count == 1 ? lower.first ?? character : character
  }

  private static func canBeTyped(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      default: true
      }
    }
  }
}
