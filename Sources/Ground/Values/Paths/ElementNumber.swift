/// Parses keys that are element numbers.
package enum ElementNumber {
  /// Parses a number without sign and leading zeros. Returns nil for any other key.
  package static func parse(_ key: String) -> Int? {
    let digits = key.utf8
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else {
      return nil
    }
    return Int(key)
  }
}
