import Testing

@testable import Git

@Suite struct ObjectStreamTests {
  private static let id = String(repeating: "a1", count: 20)

  private func objects(_ text: String, chunk: Int, limit: Int = 10) -> [String] {
    var stream = ObjectStream(limit: limit)
    var found: [String] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      for object in stream.consume(Array(bytes[start..<min(bytes.count, start + chunk)])) {
        switch object {
        case .bytes(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
        case .tooLarge(let size): found.append("too large: \(size)")
        case .missing: found.append("missing")
        }
      }
    }
    return found
  }

  @Test func `objects are parsed from chunks of any size`() {
    let id = ObjectStreamTests.id
    let text =
      "\(id) blob 3\na\nb\n\(id) blob 0\n\n\(id) missing\n\(id) blob 11\nhello\nhello\n\(id) tree 4\nabcd\n\(id) blob 10\n0123456789\n"
    for chunk in 1...text.utf8.count {
      #expect(
        objects(text, chunk: chunk) == ["a\nb", "", "missing", "too large: 11", "missing", "0123456789"],
        "chunks of \(chunk)")
    }
  }

  @Test func `headers with a valid size are parsed and all others are not`() {
    let id = ObjectStreamTests.id
    #expect(ObjectHeader("\(id) commit 120".utf8)?.size == 120)
    #expect(ObjectHeader("\(id) blob \(Int.max)".utf8) == nil)
    for line in [
      "", "\(id) missing", "HEAD missing", "abc blob 3", "\(id) blob -1", "\(id) blob x",
      "zz\(id.dropFirst(2)) blob 3", "a ambiguous",
    ] {
      #expect(ObjectHeader(line.utf8) == nil, "\(line)")
    }
  }
}
