import Testing

@testable import Values

@Suite struct TextErrorTests {
  @Test func `a place counts characters and all kinds of line ends`() {
    let bytes = Array("é\nb\r\nc\rd😀e".utf8)
    let places = [0, 2, 3, 4, 6, 7, 8, 9, 13, 14, 99].map { offset in
      bytes.withUnsafeBytes { TextPlace(of: offset, in: $0) }
    }
    #expect(
      places.map { "\($0.line):\($0.column)" } == [
        "1:1", "1:2", "2:1", "2:2", "3:1", "3:2", "4:1", "4:2", "4:3", "4:4", "4:4",
      ])
  }

  @Test func `an error prints its place and message`() {
    #expect(TextError(line: 3, column: 7, message: "No.").description == "3:7: No.")
  }
}
