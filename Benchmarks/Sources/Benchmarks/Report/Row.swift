/// One row of the table: a measured figure beside its yardstick.
struct Row {
  /// The other side of the ratio.
  enum Yardstick {
    /// Another program, or another library, that did the same in the same run.
    case measured(String, Quantity)
    /// A figure that the bar states.
    case stated(Quantity)
  }

  /// The target.
  enum Bar {
    /// Ours divided by the yardstick is at most this.
    case atMost(Double)
    /// The yardstick divided by ours is at least this.
    case atLeast(Double)
  }

  enum Outcome {
    case measured(ours: Quantity, Yardstick, Bar)
    /// A sentence that says why nothing was measured.
    case skipped(String)
  }

  let name: String
  let outcome: Outcome

  /// Creates a row with a yardstick that was measured in the same run.
  init(_ name: String, _ ours: Quantity, than yardstick: Quantity, of other: String, _ bar: Bar) {
    self.name = name
    outcome = .measured(ours: ours, .measured(other, yardstick), bar)
  }

  /// Creates a row whose bar is a figure.
  init(_ name: String, _ ours: Quantity, atMost limit: Quantity) {
    self.name = name
    outcome = .measured(ours: ours, .stated(limit), .atMost(1))
  }

  /// Creates a row without a figure.
  init(_ name: String, skipped reason: String) {
    self.name = name
    outcome = .skipped(reason)
  }

  /// The row in Markdown.
  var markdown: String {
    switch outcome {
    case .skipped(let reason): return "| \(name) | | | | | skipped: \(reason) |"
    case .measured(let ours, let yardstick, let bar):
      let (other, label): (Quantity, String) =
        switch yardstick {
        case .measured(let name, let quantity): (quantity, "\(name): \(quantity)")
        case .stated(let quantity): (quantity, "")
        }
      let (ratio, isMet, limit): (Double, Bool, String) =
        switch bar {
        case .atMost(let most):
          (ours.value / other.value, ours.value / other.value <= most, "≤ \(Quantity.format(most)) ×")
        case .atLeast(let least):
          (
            other.value / ours.value, other.value / ours.value >= least,
            "≥ \(Quantity.format(least)) × faster"
          )
        }
      let target = if case .stated(let quantity) = yardstick { "≤ \(quantity)" } else { limit }
      return
        "| \(name) | \(ours) | \(label) | \(Quantity.format(ratio)) | \(target) | \(isMet ? "met" : "**missed**") |"
    }
  }

  /// The head of the table.
  static let head = "| what | ours | yardstick | ratio | bar | |\n| --- | ---: | ---: | ---: | ---: | --- |"
}

/// A measured figure with its unit.
enum Quantity: CustomStringConvertible {
  case time(Duration)
  case bytes(Int)
  case count(Double)

  var value: Double {
    switch self {
    case .time(let time): time / .seconds(1)
    case .bytes(let bytes): Double(bytes)
    case .count(let count): count
    }
  }

  var description: String {
    switch self {
    case .time(let time):
      switch time / .nanoseconds(1) {
      case ..<1e3: "\(Quantity.format(time / .nanoseconds(1))) ns"
      case ..<1e6: "\(Quantity.format(time / .microseconds(1))) µs"
      case ..<1e9: "\(Quantity.format(time / .milliseconds(1))) ms"
      default: "\(Quantity.format(time / .seconds(1))) s"
      }
    case .bytes(let bytes): "\(Quantity.format(Double(bytes) / 1_048_576)) MiB"
    case .count(let count): Quantity.format(count)
    }
  }

  /// Returns a number with about three digits.
  static func format(_ number: Double) -> String {
    if number >= 100 { return "\(Int(number.rounded()))" }
    return number >= 10 ? "\((number * 10).rounded() / 10)" : "\((number * 100).rounded() / 100)"
  }
}
