import Values

func read(_ text: String, as format: TextFormat = .yaml, limits: ReadLimits = ReadLimits()) throws -> Value {
  try PackedValue(reading: text, as: format, limits: limits).value
}

/// Returns the value as JSON, which is short to compare.
func json(_ text: String, as format: TextFormat = .yaml, limits: ReadLimits = ReadLimits()) throws -> String {
  JSONWriter.text(of: try read(text, as: format, limits: limits))
}

/// Returns the error of a text; nil if it can be read.
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

/// Returns the place of a text's error as `line:column`; empty if the text can be read.
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

/// Returns the error of a text as an item; nil if it can be read.
func itemFailure(_ text: String, as format: TextFormat = .yaml) -> TextError? {
  do {
    _ = try readItem(text, as: format)
    return nil
  } catch {
    return error
  }
}
