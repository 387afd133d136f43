extension Palette {
  func attributes(for ink: Style.Ink) -> Attributes {
    var attributes = Attributes(flags: flags(of: ink))
    switch depth {
    case .attributes: break
    case .sixteen: attributes.ink = named(ink)
    case .indexed: attributes.ink = indexed(ink)
    }
    return attributes
  }

  private func flags(of ink: Style.Ink) -> Attributes.Flags {
    switch ink {
    case .strong, .title, .header, .match, .prompt:
      depth == .attributes && ink == .match ? [.bold, .underline] : .bold
    case .problem, .inserted, .moved, .changed: depth == .attributes ? .bold : []
    case .deleted: depth == .attributes ? .dim : []
    case .dim, .comment: depth == .indexed ? [] : .dim
    case .key: depth == .attributes ? .underline : []
    case .plain, .string, .number: []
    }
  }

  /// Returns one of the 16 colours that users choose, but not yellow or blue: they are often unreadable.
  private func named(_ ink: Style.Ink) -> Attributes.Colour {
    switch ink {
    case .plain, .dim, .strong, .comment, .title: .standard
    case .header, .key, .moved, .prompt: .named(6)
    case .string, .inserted: .named(2)
    case .match, .number, .changed: .named(5)
    case .deleted, .problem: .named(1)
    }
  }

  /// Returns a colour of the 240 that are the same everywhere. Matches have one of the 16, because
  /// its sequence is short and a screen has hundreds of matches.
  private func indexed(_ ink: Style.Ink) -> Attributes.Colour {
    let (unknown, dark, light): (UInt8, UInt8, UInt8)
    switch ink {
    case .plain, .strong, .title: return .standard
    case .match: return .named(isLight == false ? 3 : 5)
    case .dim, .comment: (unknown, dark, light) = (243, 248, 241)
    case .header, .key, .moved, .prompt: (unknown, dark, light) = (31, 117, 25)
    case .string, .inserted: (unknown, dark, light) = (28, 114, 22)
    case .number, .changed: (unknown, dark, light) = (130, 215, 94)
    case .deleted, .problem: (unknown, dark, light) = (161, 210, 124)
    }
    return .indexed(isLight.map { $0 ? light : dark } ?? unknown)
  }

  func tint(_ paper: Style.Paper) -> Attributes.Colour {
    switch paper {
    case .plain: .standard
    case .cursor: .indexed(isLight == true ? 253 : 237)
    case .bar: .indexed(isLight == true ? 254 : 236)
    case .box: .indexed(isLight == true ? 255 : 235)
    case .selected: .indexed(isLight == true ? 189 : 18)
    }
  }
}
