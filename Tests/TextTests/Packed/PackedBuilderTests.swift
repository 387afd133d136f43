import Testing

@testable import TextEdits
@testable import Values

@Suite struct PackedBuilderTests {
  @Test func `one builder can write many values`() {
    var builder = PackedBuilder()
    for value: Value in [.map(["a": .list([.null])]), .string("x"), .number(.integer(.min))] {
      builder.reset()
      builder.append(value)
      #expect(builder.finish().value == value)
    }
  }

  @Test func `a builder copies and truncates values`() {
    var builder = PackedBuilder()
    let list = builder.begin(.list)
    let start = builder.count
    builder.append(Value.map(["a": .bool(true)]))
    let end = builder.count
    builder.appendCopy(of: start..<end)
    let length = builder.count
    builder.append(Value.null)
    builder.truncate(to: length)
    builder.end(list)
    #expect(builder.finish().value.text == #"[{"a":true},{"a":true}]"#)
  }

  @Test func `a key has the range that is returned`() {
    var builder = PackedBuilder()
    _ = builder.begin(.map)
    let key = Array(String(repeating: "k", count: 300).utf8)
    let range = key.withUnsafeBytes { builder.append(key: $0) }
    #expect(builder.withBytes { Array($0[range]) } == key)
  }
}
