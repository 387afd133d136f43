import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct SectionDescriptorTests {
  @Test(
    arguments: [
      ([:], ""), (["g": .null], ""), (["g": ""], ""), (["g": "a b"], "a b"), (["g": 7], "7"),
      (["g": .number(.double(1.5))], "1.5"),
      (["g": .number(.literal("3.10"))], "3.1"), (["g": "3.10"], "3.10"), (["g": .number(.double(1))], "1"),
      (["g": .list([.number(.literal("1e3"))])], "[1000]"),
      (["g": true], "true"),
      (["g": "2024-01-01"], "2024-01-01"), (["g": .list(["a", 1, .null])], "[\"a\",1,null]"),
      (["g": .list([])], "[]"),
      (["g": .map(["a": "b"])], "{\"a\":\"b\"}"),
      (["g": .number(.literal("123456789012345678901234567890"))], "123456789012345678901234567890"),
    ] as [(Fields, String)])
  func `a section is the text of the value`(fields: Fields, id: String) {
    #expect(SectionDescriptor("g").sectionID(of: Item.sample("a.md", fields)) == SectionID(id))
  }

  @Test func `folders can be sections, and the root has an empty id`() {
    let descriptor = SectionDescriptor("@dir")
    #expect(descriptor.sectionID(of: Item.sample("a.md", [:])) == "")
    #expect(descriptor.sectionID(of: Item.sample("x/y/a.md", [:])) == "x/y")
  }

  @Test func `section ids are compared byte by byte`() {
    #expect(SectionID("caf\u{e9}") != SectionID("cafe\u{301}"))
    #expect(Set([SectionID("caf\u{e9}"), SectionID("cafe\u{301}")]).count == 2)
  }

  @Test(arguments: Randomness.seeds(20))
  func `a string in a literal is a key, whatever it contains`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = ["-", ":exact", "`", ".", "a", "[0]", "[", "]", "/", "~", "@max", "@dir", "\u{301}"]
    for _ in 0..<100 {
      let key =
        random.oneIn(3)
        ? random.hostileText() : (0..<random.below(5)).map { _ in random.one(of: pieces) }.joined()
      let note = Comment(rawValue: "\(key.debugDescription); \(seedNote(seed))")
      let path = FieldPath(keys: [key])
      #expect(SectionDescriptor("\(key)") == SectionDescriptor(path), note)
      #expect(SectionDescriptor("-\(key)") == SectionDescriptor(path, descending: true), note)
      #expect(
        SectionDescriptor("-a.\(key)_x")
          == SectionDescriptor(FieldPath(keys: ["a", key + "_x"]), descending: true), note)
      #expect(SectionDescriptor("\(path).x") == SectionDescriptor(FieldPath(keys: [key, "x"])), note)
    }
  }

  @Test func `a number in a literal is that of an element`() {
    #expect(SectionDescriptor("-rgb[\(2)]").path?.steps == [.key("rgb"), .index(2)])
  }
}
