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
    case .dim, .comment: depth <= .sixteen ? .dim : []
    case .key: depth == .attributes ? .underline : []
    case .plain, .string, .number: []
    }
  }

  /// Returns a colour of the 16 that users choose. Yellow and blue are not among them: they are the
  /// ones that are often unreadable.
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
    switch (ink, isLight) {
    case (.plain, _), (.strong, _), (.title, _): .standard
    case (.match, false): .named(3)
    case (.match, _): .named(5)
    case (.dim, nil), (.comment, nil): .indexed(243)
    case (.dim, false), (.comment, false): .indexed(248)
    case (.dim, _), (.comment, _): .indexed(241)
    case (.header, nil), (.key, nil), (.moved, nil), (.prompt, nil): .indexed(31)
    case (.header, false), (.key, false), (.moved, false), (.prompt, false): .indexed(117)
    case (.header, _), (.key, _), (.moved, _), (.prompt, _): .indexed(25)
    case (.string, nil), (.inserted, nil): .indexed(28)
    case (.string, false), (.inserted, false): .indexed(114)
    case (.string, _), (.inserted, _): .indexed(22)
    case (.number, nil), (.changed, nil): .indexed(130)
    case (.number, false), (.changed, false): .indexed(215)
    case (.number, _), (.changed, _): .indexed(94)
    case (.deleted, nil), (.problem, nil): .indexed(161)
    case (.deleted, false), (.problem, false): .indexed(210)
    case (.deleted, _), (.problem, _): .indexed(124)
    }
  }

  func tint(_ paper: Style.Paper) -> Attributes.Colour {
    let isLight = isLight ?? false
    switch paper {
    case .plain: return .standard
    case .cursor: return .indexed(isLight ? 253 : 237)
    case .bar: return .indexed(isLight ? 254 : 236)
    case .box: return .indexed(isLight ? 255 : 235)
    case .selected: return .indexed(isLight ? 189 : 18)
    }
  }
}
