import Values

/// Durations as people write them: `1h30m`, `45s`, `250ms`.
extension Duration: CodableScalar {
  static let expected = "a duration such as 1h30m, 45s or a number of seconds"

  private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000
  /// The units that are read, by their length in attoseconds.
  private static let units: [String: Int128] = {
    let second = attosecondsPerSecond
    return [
      "ns": second / 1_000_000_000, "us": second / 1_000_000, "µs": second / 1_000_000, "ms": second / 1_000,
      "s": second, "sec": second, "m": second * 60, "min": second * 60, "h": second * 3_600,
      "d": second * 86_400, "w": second * 604_800,
    ]
  }()

  /// Decodes a number of seconds, a text of numbers with units, or the two integers of the standard library.
  init?(_ value: Value) {
    switch value {
    case .number(let number): self.init(text: number.description, unit: "s")
    case .string(let text): self.init(text)
    case .list(let parts) where parts.count == 2:
      guard let high = Int64(parts[0]), let low = UInt64(parts[1]) else { return nil }
      self.init(attoseconds: Int128(high) << 64 | Int128(low))
    default: return nil
    }
  }

  private init?(_ text: String) {
    var rest = text.filter { !$0.isWhitespace }[...]
    let isNegative = rest.first == "-"
    if isNegative { rest.removeFirst() }
    var sum: Int128 = 0
    repeat {
      let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let part = Duration.attoseconds(String(number), String(unit)) else { return nil }
      let (next, isTooLarge) = sum.addingReportingOverflow(part)
      if isTooLarge { return nil }
      sum = next
    } while !rest.isEmpty
    self.init(attoseconds: isNegative ? -sum : sum)
  }

  private init?(text: String, unit: String) {
    let isNegative = text.hasPrefix("-")
    guard let number = Duration.attoseconds(isNegative ? String(text.dropFirst()) : text, unit) else {
      return nil
    }
    self.init(attoseconds: isNegative ? -number : number)
  }

  /// Returns a decimal number of units, exactly; nil if that is none, or has parts of an attosecond.
  private static func attoseconds(_ number: String, _ unit: String) -> Int128? {
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let size = units[unit], let whole = Int128(parts[0]) else { return nil }
    let (sum, isTooLarge) = whole.multipliedReportingOverflow(by: size)
    if isTooLarge { return nil }
    guard parts.count == 2 else { return sum }
    guard let digits = Int128(parts[1]), parts[1].count <= 18, parts[1].first != "-", parts[1].first != "+"
    else {
      return nil
    }
    let power = (0..<parts[1].count).reduce(Int128(1)) { power, _ in power * 10 }
    let (product, isFractionTooLarge) = digits.multipliedReportingOverflow(by: size)
    if isFractionTooLarge || product % power != 0 { return nil }
    let (total, isTotalTooLarge) = sum.addingReportingOverflow(product / power)
    return isTotalTooLarge ? nil : total
  }

  /// The duration in hours, minutes and seconds; below a second in milliseconds, if that is exact.
  var encoded: Value? {
    let all = attoseconds
    if all == .min { return nil }
    let second = Duration.attosecondsPerSecond
    let size = abs(all)
    let sign = all < 0 ? "-" : ""
    if size > 0, size < second, size % (second / 1_000) == 0 {
      return .string("\(sign)\(size / (second / 1_000))ms")
    }
    let (minutes, rest) = size.quotientAndRemainder(dividingBy: second * 60)
    var text = sign + (minutes >= 60 ? "\(minutes / 60)h" : "") + (minutes % 60 > 0 ? "\(minutes % 60)m" : "")
    if rest > 0 || minutes == 0 {
      let fraction = String(rest % second)
      let digits = String(repeating: "0", count: 18 - fraction.count) + fraction
      let shown = digits.prefix(
        (digits.lastIndex { $0 != "0" }.map { digits.distance(from: digits.startIndex, to: $0) + 1 }) ?? 0)
      text += "\(rest / second)\(shown.isEmpty ? "" : ".\(shown)")s"
    }
    return .string(text)
  }
}
