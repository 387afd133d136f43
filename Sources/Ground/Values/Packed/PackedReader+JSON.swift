extension PackedReader {
  /// Writes the next value as JSON, without unpacking it.
  mutating func write(to writer: inout JSONWriter) {
    switch tag() {
    case .null: writer.raw("null")
    case .false: writer.write(false)
    case .true: writer.write(true)
    case .integer: writer.write(integer())
    case .double: writer.write(.double(Double(bitPattern: fixed(UInt64.self))))
    case .literal: writer.raw(bytes: textBytes())
    case .date: writer.write(text: dateBytes())
    case .string: writer.write(text: textBytes())
    case .list:
      var inside = contents()
      var isFirst = true
      writer.raw("[")
      while !inside.isAtEnd {
        writer.separate(&isFirst)
        inside.write(to: &writer)
      }
      writer.raw("]")
    case .map:
      var inside = contents()
      var isFirst = true
      writer.raw("{")
      while !inside.isAtEnd {
        writer.separate(&isFirst)
        writer.write(text: inside.keyBytes())
        writer.raw(":")
        inside.write(to: &writer)
      }
      writer.raw("}")
    }
  }
}
