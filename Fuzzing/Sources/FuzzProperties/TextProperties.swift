public import PlainText

/// What holds of a reader whatever it is given. Each broken property stops the program, which is how the fuzzer is told.
public struct TextProperties {
  private let bytes: [UInt8]
  private let format: TextFormat

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
    require(packed.isMap, "The root of an item is a map.")
    require(PackedValue(value) == packed, "What is unpacked and packed again is what it was.")
    require((try? PackedValue(reading: bytes, as: format)) == packed, "Another reader reads the same.")
    do throws(TextError) {
      let located = try LocatedText(reading: bytes, as: format)
      if let root = located.root { check(root, within: 0..<bytes.count) }
    } catch {
      require(error.message.contains("UTF-16"), "What can be read can be located: \(error)")
    }
  }

  private func check(_ value: LocatedValue, within range: Range<Int>) {
    require(value.range.isWithin(range), "A value lies within what holds it.")
    switch value.content {
    case .list(let elements): for element in elements { check(element, within: value.range) }
    case .map(let entries):
      for entry in entries {
        require(entry.range.isWithin(range), "An entry lies within its map.")
        check(entry.value, within: range)
      }
    case .scalar, .alias: break
    }
  }

  private func check(_ error: TextError) {
    require(error.line >= 1 && error.column >= 1, "Lines and columns count from 1: \(error)")
    require(error.line <= bytes.count + 1 && error.column <= bytes.count + 1, "The place is in the text: \(error)")
    require(!error.message.isEmpty, "There is a message: \(error)")
  }
}

extension Range<Int> {
  fileprivate func isWithin(_ other: Range<Int>) -> Bool { other.lowerBound <= lowerBound && upperBound <= other.upperBound }
}
