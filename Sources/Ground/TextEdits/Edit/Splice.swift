struct Splice {
  let range: Range<Int>
  let bytes: [UInt8]

  init(_ range: Range<Int>, _ text: String) {
    self.range = range
    bytes = Array(text.utf8)
  }

  init(at offset: Int, _ text: String) { self.init(offset..<offset, text) }

  static func growth(of splices: [Splice]) -> Int {
    splices.reduce(0) { $0 + $1.bytes.count - $1.range.count }
  }

  /// Applies splices that are in order and do not overlap. Linear.
  static func apply(_ splices: [Splice], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + max(0, growth(of: splices)))
    var position = 0
    for splice in splices {
      result.append(contentsOf: bytes[position..<splice.range.lowerBound])
      result.append(contentsOf: splice.bytes)
      position = splice.range.upperBound
    }
    result.append(contentsOf: bytes[position...])
    return result
  }
}
