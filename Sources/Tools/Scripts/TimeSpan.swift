/// A time span, written `250ms`, `2s`, `1.5s`, `1m`, or as a number of seconds.
package struct TimeSpan: Sendable, Hashable {
  /// A sentence for help texts.
  package static let units = "TIME is 250ms, 2s, 10m, or a number of seconds."

  package let duration: Duration

  /// Reads a time; nil if it is not one, or is too long.
  package init?(argument: String) {
    let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
    let unit = units.first { argument.hasSuffix($0.suffix) }
    let digits = argument.dropLast(unit?.suffix.count ?? 0)
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits),
      number.isFinite, number < 1e6
    else {
      return nil
    }
    duration = .seconds(number * (unit?.seconds ?? 1))
  }
}
