extension Int {
  /// Creates the number of an element from a key: digits without a sign and leading zeros. Nil for any
  /// other key.
  package init?(elementNumber key: String) {
    let digits = key.utf8
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    self.init(key)
  }
}
