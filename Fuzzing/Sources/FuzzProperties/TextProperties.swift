public import Values

/// Checks the readers with any input. A broken rule stops the program, and the fuzzer reports the
/// input.
public struct TextProperties {
  private let bytes: [UInt8]
  private let format: TextFormat

  /// Checks one input in one format.
  public static func check(_ bytes: UnsafeRawBufferPointer, as format: TextFormat) {
    let properties = TextProperties(bytes: Array(bytes), format: format)
    var reader = TextReader()
    do throws(TextError) {
      properties.check(try reader.readItem(bytes, as: format))
    } catch {
      properties.check(error)
    }
  }

  private func check(_ packed: PackedValue) {
    let value = packed.value
    require(packed.isMap, "The root of an item must be a map.")
    require(PackedValue(value) == packed, "Unpacking and packing keeps a value.")
    require((try? PackedValue(reading: bytes, as: format)) == packed, "Another reader reads the same value.")
    do throws(TextError) {
      let located = try LocatedText(reading: bytes, as: format)
      if let root = located.root { check(root, within: 0..<bytes.count) }
    } catch {
      require(error.message.contains("UTF-16"), "A text that can be read can be located: \(error)")
    }
  }

  private func check(_ value: LocatedValue, within range: Range<Int>) {
    require(value.range.isWithin(range), "A value is inside its container.")
    switch value.content {
    case .list(let elements): for element in elements { check(element, within: value.range) }
    case .map(let entries):
      for entry in entries {
        require(entry.range.isWithin(range), "An entry is inside its map.")
        check(entry.value, within: range)
      }
    case .scalar, .alias: break
    }
  }

  private func check(_ error: TextError) {
    require((1...bytes.count + 1).contains(error.line), "The line is in the text: \(error)")
    require((1...bytes.count + 1).contains(error.column), "The column is in the text: \(error)")
    require(!error.message.isEmpty, "There is a message: \(error)")
  }
}

extension Range<Int> {
  fileprivate func isWithin(_ other: Range<Int>) -> Bool {
    other.lowerBound <= lowerBound && upperBound <= other.upperBound
  }
}
