/// A size in bytes, written `4096`, `64K`, `16M` or `1G`.
package struct ByteCount: Hashable {
  package let bytes: Int
}

extension ByteCount {
  /// Reads a size; nil if it is not one, or is too large.
  package init?(argument: String) {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = argument.last.flatMap { units[Character($0.uppercased())] }
    guard let number = Int(unit == nil ? argument[...] : argument.dropLast()), number >= 0 else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
    if isTooLarge { return nil }
    self.bytes = bytes
  }
}

extension ByteCount: CustomStringConvertible {
  /// The size with the largest unit of which it is a multiple, as `init(argument:)` reads it.
  package var description: String {
    for (unit, size) in [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]
    where bytes > 0 && bytes.isMultiple(of: size) {
      return "\(bytes / size)\(unit)"
    }
    return "\(bytes)"
  }
}
