/// Which alias takes its value from where.
struct AnchorUses {
  struct Use {
    let name: String
    /// The alias.
    let range: Range<Int>
    /// The value with the anchor.
    let source: Range<Int>
  }

  private(set) var all: [Use] = []
  private var sources: [String: Range<Int>] = [:]

  /// In the order of the text, since a name may be given anew. Iterative, linear.
  init(_ root: LocatedValue?) {
    enum Step {
      case value(LocatedValue)
      case entry(LocatedEntry)
    }
    var steps = root.map { [Step.value($0)] } ?? []
    while let step = steps.popLast() {
      switch step {
      case .entry(let entry):
        if let anchor = entry.keyAnchor { sources[anchor] = entry.keyRange }
        steps.append(.value(entry.value))
      case .value(let value):
        if let anchor = value.anchor { sources[anchor] = value.range }
        switch value.content {
        case .alias(let name): if let source = sources[name] { all.append(Use(name: name, range: value.range, source: source)) }
        case .map(let entries): steps += entries.reversed().map(Step.entry)
        case .list(let elements): steps += elements.reversed().map(Step.value)
        case .scalar: break
        }
      }
    }
  }

  /// An alias that stands outside of what is edited but takes its value from it, or from what it is part of.
  func use(reaching range: Range<Int>) -> Use? {
    all.first { use in
      let isOutside = use.range.upperBound <= range.lowerBound || use.range.lowerBound >= range.upperBound
      let isReached =
        use.source.lowerBound <= range.lowerBound ? range.upperBound <= use.source.upperBound : use.source.upperBound <= range.upperBound
      return isOutside && isReached
    }
  }
}
