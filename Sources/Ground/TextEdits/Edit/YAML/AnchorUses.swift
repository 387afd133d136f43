import Values

/// The aliases of a text and the anchored values that they refer to.
struct AnchorUses {
  struct Use {
    let name: String
    /// The range of the alias.
    let range: Range<Int>
    /// The range of the anchored value.
    let source: Range<Int>
  }

  private(set) var all: [Use] = []
  private var sources: [String: Range<Int>] = [:]

  /// Collects the aliases in the order of the text, because an anchor name can be used again.
  /// Iterative and linear.
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
        case .alias(let name):
          if let source = sources[name] { all.append(Use(name: name, range: value.range, source: source)) }
        case .map(let entries): steps += entries.reversed().map(Step.entry)
        case .list(let elements): steps += elements.reversed().map(Step.value)
        case .scalar: break
        }
      }
    }
  }

  /// Returns an alias outside of `range` that refers to a value in it, or to a value that contains
  /// it.
  func use(reaching range: Range<Int>) -> Use? {
    all.first { use in
      let isOutside = use.range.upperBound <= range.lowerBound || use.range.lowerBound >= range.upperBound
      let isReached =
        use.source.lowerBound <= range.lowerBound
        ? range.upperBound <= use.source.upperBound : use.source.upperBound <= range.upperBound
      return isOutside && isReached
    }
  }
}
