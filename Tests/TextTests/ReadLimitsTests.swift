import Testing
import Values

@Suite struct ReadLimitsTests {
  @Test func `a file above the size limit is refused`() {
    let limits = ReadLimits(maxSize: 10)
    #expect(limits.sizeError(forFileOf: 10) == nil)
    #expect(limits.sizeError(forFileOf: 11)?.message.contains("11 bytes") == true)
    #expect(place("a: 1234567890", limits: limits) == "1:1")
    #expect(ReadLimits().maxSize == 16 << 20)
  }

  @Test func `the depth limit is between 1 and 1,000`() {
    #expect(ReadLimits(depth: 1_000_000).depth == 1_000)
    #expect(ReadLimits(depth: -1).depth == 1)
  }

  @Test(arguments: [Int.min, -1, .max]) func `limits that are set stay in their ranges`(_ number: Int) {
    var limits = ReadLimits()
    limits.depth = number
    limits.expandedSize = number
    limits.totalExpandedSize = number
    limits.maxSize = number
    #expect(
      limits == ReadLimits(depth: number, expandedSize: number, totalExpandedSize: number, maxSize: number))
    #expect((1...1_000).contains(limits.depth))
    #expect((0...256 << 20).contains(limits.expandedSize))
    #expect((0...1 << 40).contains(limits.totalExpandedSize))
    #expect((0...256 << 20).contains(limits.maxSize))
  }

  @Test(arguments: TextFormat.allCases)
  func `one level more than the depth limit is refused`(_ format: TextFormat) {
    func nested(_ depth: Int) -> String {
      let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return format == .markdown ? "---\nb: \(list)\n---\n" : list
    }
    let free = format == .markdown ? 1 : 0
    #expect(failure(nested(1_000 - free), as: format) == nil)
    #expect(failure(nested(1_001 - free), as: format)?.message.contains("deeper than 1000 levels") == true)
    #expect(failure(nested(100_000), as: format)?.message.contains("deeper than 1000 levels") == true)
  }

  @Test(arguments: TextFormat.allCases)
  func `a value at the depth limit can be read, packed and located`(_ format: TextFormat) throws {
    let list = String(repeating: "[", count: 999) + "1" + String(repeating: "]", count: 999)
    let text =
      format == .markdown ? "---\nb: \(list)\n---\n" : format == .json ? "{\"b\": \(list)}" : "b: \(list)"
    let value = try read(text, as: format)
    #expect(value["b"]?.text == list)
    #expect(PackedValue(value).value == value)
    #expect(try LocatedText(reading: Array(text.utf8), as: format).root != nil)
  }

  @Test func `the depth limit also applies to block style`() {
    let nested = { (count: Int) in String(repeating: "- ", count: count) + "a" }
    #expect(failure(nested(1_000)) == nil)
    #expect(place(nested(1_001)) == "1:2001")
  }
}
