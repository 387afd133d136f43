import TestSupport
import Testing

@testable import Scripts

@Suite struct AcknowledgementParserTests {
  /// Everything that a parser made of an output, with the last line completed.
  private func parse(_ chunks: [[UInt8]]) -> (output: [UInt8], acknowledgements: [String]) {
    var parser = AcknowledgementParser()
    var all = (output: [UInt8](), acknowledgements: [String]())
    for chunk in chunks {
      let result = parser.add(chunk)
      all.output += result.output
      all.acknowledgements += result.acknowledgements
    }
    if let last = parser.finish() { all.acknowledgements.append(last) }
    return all
  }

  private func parse(_ text: String) -> (output: String, numbers: [String]) {
    let result = parse([Array(text.utf8)])
    return (String(decoding: result.output, as: UTF8.self), result.acknowledgements)
  }

  @Test(
    arguments: [
      ("2\n", "", ["2"]), ("2", "", ["2"]), ("hello\n2\nworld\n", "hello\nworld\n", ["2"]),
      ("2\n3\n4\n", "", ["2", "3", "4"]),
      ("2 \n", "2 \n", []), (" 2\n", " 2\n", []), ("2\r\n", "2\r\n", []), ("-2\n", "-2\n", []),
      ("+2\n", "+2\n", []), ("\n\n", "\n\n", []),
      ("a2\n", "a2\n", []), ("2a", "2a", []), ("a\n2", "a\n", ["2"]), ("text", "text", []),
      ("007\n", "", ["007"]), ("٣\n", "٣\n", []),
      ("", "", []), ("2\n\n", "\n", ["2"]), ("12345678901234567890123\n", "", ["12345678901234567890123"]),
    ] as [(String, String, [String])])
  func `only lines of digits are acknowledgements`(text: String, output: String, numbers: [String]) {
    let result = parse(text)
    #expect(result.output == output)
    #expect(result.numbers == numbers)
  }

  @Test func `only digits at the beginning of a line are held back`() {
    var parser = AcknowledgementParser()
    #expect(parser.add(Array("no line feed".utf8)).output == Array("no line feed".utf8))
    #expect(parser.add(Array(" 12".utf8)).output == Array(" 12".utf8))
    #expect(parser.add(Array("\n12".utf8)).output == Array("\n".utf8))
    #expect(parser.add(Array("x".utf8)).output == Array("12x".utf8))
  }

  @Test func `a very long row of digits is passed on`() {
    let row = String(repeating: "7", count: AcknowledgementParser.maxDigits)
    #expect(parse(row + "\n").numbers == [row])
    #expect(parse(row + "7\n").output == row + "7\n")
    #expect(parse(row + "7").output == row + "7")
  }

  @Test func `any split of the bytes has the same result`() {
    for seed in Randomness.seeds(400) {
      var random = SeededGenerator(seed: seed)
      let alphabet = Array("0123456789\n\n\n\nab \r".utf8) + [0, 0xFF]
      var bytes: [UInt8] = []
      for _ in 0..<random.below(200) {
        if random.oneIn(60) {
          bytes += [UInt8](repeating: UInt8(ascii: "9"), count: 60 + random.below(10))
        } else {
          bytes.append(random.one(of: alphabet))
        }
      }
      var chunks: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = random.oneIn(3) ? 1 : random.below(rest.count + 1)
        chunks.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(parse(chunks) == parse([bytes]), "\(seedNote(seed))")
      #expect(parse([bytes]) == reference(bytes), "\(seedNote(seed))")
    }
  }

  /// The rule, line by line.
  private func reference(_ bytes: [UInt8]) -> (output: [UInt8], acknowledgements: [String]) {
    var result = (output: [UInt8](), acknowledgements: [String]())
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let isNumber =
        (1...AcknowledgementParser.maxDigits).contains(line.count)
        && line.allSatisfy { (0x30...0x39).contains($0) }
      if isNumber {
        result.acknowledgements.append(String(decoding: line, as: UTF8.self))
      } else {
        result.output += line + (index == lines.count - 1 ? [] : [UInt8(ascii: "\n")])
      }
    }
    return result
  }
}
