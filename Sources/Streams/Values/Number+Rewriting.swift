package import Store

import Glibc

extension Number {
  /// Returns true if a program may have printed this number as `other` without anyone editing it.
  ///
  /// Programs that do not keep the text of numbers print a canonical form: `3.10` as `3.1`, `1e3` as `1000`,
  /// `1000.0` or `1E+3`, `12345678901234567890` as `12345678901234567000` or `1.2345678901234567e+19`. None
  /// prints `3.1` as `3.10` or `5` as `5.0`, so `other` must be canonical.
  package func isRewritten(as other: Number) -> Bool {
    if self == other { return true }
    // All programs keep integers that a `Double` represents exactly.
    if case .integer(let value) = self, value.magnitude <= 1 << 53 { return false }
    guard isFinite, other.isFinite else { return false }
    let text = other.description
    return decimalText.map { $0.hasSameBytes(as: text) } ?? false
      || (Number.isCanonical(text) && isPrinted(as: text))
  }

  /// The number as decimal libraries print it, with all digits: `1.00` for `100e-2`, `1E+3` for
  /// `1e3`. Nil if the exponent is too large for them.
  private var decimalText: String? {
    guard case .literal(let text) = self else { return nil }
    let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let number = parts[0].split(separator: ".", maxSplits: 1)
    guard let scale = parts.count > 1 ? Int(parts[1]) : 0, abs(scale) < Number.maxDecimalExponent else {
      return nil
    }
    let sign = text.hasPrefix("-") ? "-" : ""
    let fraction = number.count > 1 ? number[1] : ""
    let written = String(number[0].drop { $0 == "-" } + fraction)
    let significant = written.drop { $0 == "0" }
    let digits = significant.isEmpty ? "0" : String(significant)
    let exponent = scale - fraction.utf8.count
    let order = exponent + digits.utf8.count - 1
    guard exponent > 0 || order < -6 else { return sign + Number.plainText(digits, fractionCount: -exponent) }
    let rest = digits.dropFirst()
    return sign + digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + (order < 0 ? "E" : "E+")
      + String(order)
  }

  private static let maxDecimalExponent = 1_000_000_000

  private static func plainText(_ digits: String, fractionCount: Int) -> String {
    if fractionCount == 0 { return digits }
    let zeros = String(repeating: "0", count: max(0, fractionCount + 1 - digits.utf8.count))
    let padded = zeros + digits
    return padded.dropLast(fractionCount) + "." + padded.suffix(fractionCount)
  }

  /// True if some program prints this for a `Double`: no extra zeros, an exponent only if large or small.
  private static func isCanonical(_ text: String) -> Bool {
    let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let number = parts[0].drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
    guard number.count < 2 || number[1] == "0" || !number[1].hasSuffix("0") else { return false }
    guard parts.count > 1 else { return true }
    guard let exponent = Int(parts[1]), number[0].utf8.count == 1, number[0] != "0" else { return false }
    if exponent <= -5 || exponent >= 15 { return true }
    // Java prints 1.0E7 and 1.0E-4.
    return text.contains("E") && !parts[1].hasPrefix("+") && number.count > 1
      && (exponent == -4 || exponent >= 7)
  }

  private func isPrinted(as text: String) -> Bool {
    var value = doubleValue
    // Programs that do not know infinity print the greatest finite double.
    if value.isInfinite { value = value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude }
    let written = ExactNumber(decimal: text)
    if value == 0 { return written.kind == .zero && (!text.hasPrefix("-") || description.hasPrefix("-")) }
    if written == ExactNumber(decimal: value.description)
      || written == ExactNumber(decimal: Number.longText(of: value))
    {
      return true
    }
    return value.magnitude >= 0x1p53 && written == ExactNumber(.double(value))
  }

  private static func longText(of value: Double) -> String {
    withVaList([value]) { arguments in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        vsnprintf(buffer.baseAddress, buffer.count, "%.17g", arguments)
        return buffer.baseAddress.map { String(cString: $0) } ?? ""
      }
    }
  }
}
