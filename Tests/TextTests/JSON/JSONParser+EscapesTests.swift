import Testing

@testable import Values

@Suite struct JSONParserEscapesTests {
  @Test func `an escaped scalar reads as that scalar`() throws {
    for value in stride(from: UInt32(0), through: 0x10FFFF, by: 97) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let escape = String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: value.isMultiple(of: 2))
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      #expect(try read("\"\(escape.joined())\"", as: .json) == .string(String(scalar)))
    }
  }
}
