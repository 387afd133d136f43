/// Formats numbers in sentences.
package enum Wording {
  /// Returns a number with its noun: `1 item`, `12,345 items`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Returns a number without commas with its noun, for logs and states: `1 item`, `12345 items`.
  package static func plainCount(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Returns a number with commas between thousands.
  package static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}
