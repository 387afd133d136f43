extension Value {
  /// The size of a text up to which working with it takes some tens of milliseconds at most, so that
  /// others may wait for it.
  package static let quickSize = 1 << 18

  /// True if the value takes more in a text than `quickSize`. Costs no more than that.
  package var isLarge: Bool {
    var rest = Value.quickSize
    subtractSize(from: &rest)
    return rest < 0
  }

  /// Subtracts about as many bytes as the value takes in a text, until nothing is left.
  package func subtractSize(from rest: inout Int) {
    rest -= 1
    switch self {
    case .string(let text): rest -= text.utf8.count
    case .list(let elements): for element in elements where rest >= 0 { element.subtractSize(from: &rest) }
    case .map(let fields):
      for (key, value) in fields where rest >= 0 {
        rest -= key.utf8.count
        value.subtractSize(from: &rest)
      }
    default: break
    }
  }
}
