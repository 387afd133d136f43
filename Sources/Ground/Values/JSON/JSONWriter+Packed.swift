extension JSONWriter {
  /// Writes a packed value as its tree would be written.
  package mutating func write(_ value: PackedValue) {
    value.bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      write(&reader)
    }
  }

  /// Writes the next value of the reader, without unpacking it.
  private mutating func write(_ reader: inout PackedReader) {
    switch reader.tag() {
    case .null: raw("null")
    case .false: write(false)
    case .true: write(true)
    case .integer: write(reader.integer())
    case .double: write(.double(Double(bitPattern: reader.fixed(UInt64.self))))
    case .literal: raw(bytes: reader.textBytes())
    case .date: write(text: reader.dateBytes())
    case .string: write(text: reader.textBytes())
    case .list: write(contentsOf: &reader, isMap: false)
    case .map: write(contentsOf: &reader, isMap: true)
    }
  }

  private mutating func write(contentsOf reader: inout PackedReader, isMap: Bool) {
    var inside = reader.contents()
    var isFirst = true
    raw(isMap ? "{" : "[")
    while !inside.isAtEnd {
      separate(&isFirst)
      if isMap {
        write(text: inside.keyBytes())
        raw(":")
      }
      write(&inside)
    }
    raw(isMap ? "}" : "]")
  }
}
