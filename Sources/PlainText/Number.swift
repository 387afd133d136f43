/// A number as it stands in a file: decimal integers keep all of their digits.
public enum Number: Sendable, Hashable {
  case integer(Int)
  case double(Double)
  /// A JSON number that is no `Int` and no finite `Double`: an optional `-`, then digits without leading zeros (an integer beyond 64 bits),
  /// or a number whose exponent is beyond a `Double`, as written.
  case literal(String)

  /// The nearest `Double`; infinite where the literal is beyond its range.
  public var doubleValue: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .literal(let text): Double(text) ?? (text.hasPrefix("-") ? -.infinity : .infinity)
    }
  }

  /// As `Hashable` wants it, and as people do: a number that is not one equals itself.
  public static func == (a: Number, b: Number) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
    case (.literal(let a), .literal(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
    case .literal(let text): hasher.combine(text)
    }
  }
}

extension Number: CustomStringConvertible {
  /// A JSON number, but for `.inf`, `-.inf` and `.nan`, which JSON cannot say.
  public var description: String {
    switch self {
    case .integer(let value): value.description
    case .double(let value) where value.isNaN: ".nan"
    case .double(let value) where value.isInfinite: value < 0 ? "-.inf" : ".inf"
    case .double(let value): value.description
    case .literal(let text): text
    }
  }
}
