import PlainStore

/// The checksum of a row that is not covered by the digest of a list.
enum Checksum {
  /// Returns the digest of numbers and byte strings.
  static func of(_ numbers: [Int64], _ parts: [UInt8]...) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers + parts.map({ Int64($0.count) }) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    for part in parts { bytes.append(contentsOf: part) }
    return ContentDigest(of: bytes).bytes
  }
}
