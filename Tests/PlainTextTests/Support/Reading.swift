import PlainText

func read(_ text: String, as format: TextFormat = .yaml, limits: ReadLimits = ReadLimits()) throws -> Value {
  try PackedValue(reading: text, as: format, limits: limits).value
}

/// The value as JSON, which is short to compare with.
func json(_ text: String, as format: TextFormat = .yaml, limits: ReadLimits = ReadLimits()) throws -> String {
  JSONWriter.text(of: try read(text, as: format, limits: limits))
}

/// What is wrong with a text; nil where nothing is.
func failure(_ text: String, as format: TextFormat = .yaml, limits: ReadLimits = ReadLimits()) -> TextError? {
  failure(Array(text.utf8), as: format, limits: limits)
}

func failure(_ bytes: [UInt8], as format: TextFormat, limits: ReadLimits = ReadLimits()) -> TextError? {
  do {
    _ = try PackedValue(reading: bytes, as: format, limits: limits)
    return nil
  } catch {
    return error
  }
}

/// Where a text is wrong, as `line:column`; empty where it is not.
func place(_ text: String, as format: TextFormat = .yaml, limits: ReadLimits = ReadLimits()) -> String {
  failure(text, as: format, limits: limits).map { "\($0.line):\($0.column)" } ?? ""
}

func readItem(_ text: String, as format: TextFormat = .yaml) throws(TextError) -> Value {
  var reader = TextReader()
  let bytes = Array(text.utf8)
  return try bytes.withUnsafeBufferPointer { buffer throws(TextError) in
    try reader.readItem(UnsafeRawBufferPointer(buffer), as: format).value
  }
}

/// What is wrong with a text as an item; nil where nothing is.
func itemFailure(_ text: String, as format: TextFormat = .yaml) -> TextError? {
  do {
    _ = try readItem(text, as: format)
    return nil
  } catch {
    return error
  }
}
