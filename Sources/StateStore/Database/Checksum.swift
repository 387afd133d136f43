import PlainStore

/// The checksum of a row that no digest of a list covers.
enum Checksum {
  /// Returns the digest of some numbers and bytes.
  static func of(_ numbers: [Int64], _ parts: [UInt8]...) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers + parts.map({ Int64($0.count) }) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    for part in parts { bytes.append(contentsOf: part) }
    return ContentDigest(of: bytes).bytes
  }
}
