extension Value {
  /// Reads `text` as a plain scalar of YAML's core schema: `8` is a number, `true` a boolean,
  /// `null` null, `2024-01-31` a date, `no` a string.
  ///
  /// The complete text is the scalar, whatever characters it contains. The empty text is an empty
  /// string.
  package init(plain text: String) {
    var text = text
    self = text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return Value(bytes.isEmpty ? .string : YAMLScalar(plain: bytes), text: bytes)
    }
  }

  /// Reads a word that a person typed: like `init(plain:)`, but a number that would not print as
  /// typed becomes a string.
  ///
  /// `8`, `3.20`, `-0` and `1e3` are numbers and keep their text. `02110`, `+49301234`, `0x1F` and
  /// `.5` are strings: as numbers they would print as `2110`, `49301234`, `31` and `0.5`. One
  /// exception: `5.` is the number `5.0`.
  package init(word text: String) {
    let plain = Value(plain: text)
    self = plain.keeps(word: text) ? plain : .string(text)
  }

  private func keeps(word text: String) -> Bool {
    guard case .number(let number) = self, number.isFinite else { return true }
    let printed = number.description
    return printed.hasSameBytes(as: text)
      || (text.utf8.last == UInt8(ascii: ".") && printed.hasSameBytes(as: text + "0"))
  }
}
