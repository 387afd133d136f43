import PlainText
struct LocatedValue { let value: Value
  init(reading: [UInt8], as: TextFormat, limits: ReadLimits) throws(TextError) {
    var reader = TextReader(limits: limits)
    value = try reading.withUnsafeBufferPointer { b throws(TextError) in try reader.read(UnsafeRawBufferPointer(b), as: .yaml) }.value
  }
  func place(nearestTo: [String]) -> TextPlace { TextPlace(line: 1, column: 1) }
}
