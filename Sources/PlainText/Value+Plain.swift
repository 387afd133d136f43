extension Value {
  /// What a plain scalar of YAML's core schema is, typed without any quotes: `8` a number, `true` a boolean, `null` nothing, `2024-01-31` a date, `no` a
  /// string. All of the text counts, whatever signs it holds; the empty text is an empty string.
  package init(plain text: String) {
    var text = text
    let scalar = text.withUTF8 { $0.isEmpty ? YAMLScalar.string : YAMLScalar(plain: UnsafeRawBufferPointer($0)) }
    self =
      switch scalar {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .integer(let number): .number(.integer(number))
      case .double(let number): .number(.double(number))
      case .literal(let digits): .number(.literal(String(decoding: digits, as: UTF8.self)))
      case .string: Value(text: text)
      }
  }
}
