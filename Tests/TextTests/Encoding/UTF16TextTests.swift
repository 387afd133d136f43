import Testing
import Values

@Suite struct UTF16TextTests {
  private func encoded(_ text: String, bigEndian: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit in
      let high = UInt8(unit >> 8)
      let low = UInt8(unit & 0xFF)
      return bigEndian ? [high, low] : [low, high]
    }
  }

  @Test(arguments: [true, false])
  func `YAML can be UTF-16`(_ bigEndian: Bool) throws {
    let bytes = encoded("title: né 😀\n", bigEndian: bigEndian)
    #expect(try PackedValue(reading: bytes, as: .yaml).value == .map(["title": .string("né 😀")]))
    #expect(
      failure(encoded("é: 1\nb: ]", bigEndian: bigEndian), as: .yaml)?.description.hasPrefix("2:4: ") == true)
    #expect(failure(bytes, as: .json)?.message.contains("UTF-8") == true)
    #expect(throws: TextError.self) { try LocatedText(reading: bytes, as: .yaml) }
  }

  @Test func `half characters are refused`() {
    let error = failure([0xFE, 0xFF, 0, 0x61, 0, 0x0A, 0, 0x62, 0xD8, 0x3D, 0, 0x63], as: .yaml)
    #expect(error.map { [$0.line, $0.column] } == [2, 2])
    #expect(failure([0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8], as: .yaml)?.column == 2)
    #expect(failure([0xFF, 0xFE, 0x61], as: .yaml) != nil)
    #expect(failure([0xFF, 0xFE, 0x61, 0, 0x62], as: .yaml) != nil)
    #expect(failure([0xFF, 0xFE], as: .yaml) == nil)
  }
}
