extension LocatedText {
  /// Returns an alias outside of `range` that refers to a value in it, or to a value that contains it.
  /// Follows the order of the text, because an anchor name can be used again. Iterative and linear.
  func alias(reaching range: Range<Int>) -> (name: String, range: Range<Int>)? {
    enum Step {
      case value(LocatedValue)
      case entry(LocatedEntry)
    }
    var sources: [String: Range<Int>] = [:]
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
          let isOutside =
            value.range.upperBound <= range.lowerBound || value.range.lowerBound >= range.upperBound
          if isOutside, let source = sources[name], LocatedText.isReached(range, by: source) {
            return (name, value.range)
          }
        case .map(let entries): steps += entries.reversed().map(Step.entry)
        case .list(let elements): steps += elements.reversed().map(Step.value)
        case .scalar: break
        }
      }
    }
    return nil
  }

  private static func isReached(_ range: Range<Int>, by source: Range<Int>) -> Bool {
    source.lowerBound <= range.lowerBound
      ? range.upperBound <= source.upperBound : source.upperBound <= range.upperBound
  }
}
