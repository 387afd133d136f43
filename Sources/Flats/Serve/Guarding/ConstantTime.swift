/// Compares secrets.
enum ConstantTime {
  /// Returns true if two texts are equal. The time does not depend on where they differ.
  static func isEqual(_ text: String, to secret: String) -> Bool {
    let (left, right) = (Array(text.utf8), Array(secret.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
