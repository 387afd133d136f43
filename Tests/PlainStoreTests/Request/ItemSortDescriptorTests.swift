@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct ItemSortDescriptorTests {
  @Test(
    arguments: [
      ("name", "name", false, false), ("-name", "name", true, false), ("name:exact", "name", false, true),
      ("-a.b:exact", "a.b", true, true),
      ("--name", "-name", true, false), ("-@modified", "@modified", true, false),
      ("name:Exact", "name:Exact", false, false),
      ("-/a~1b", "/a~1b", true, false),
    ] as [(String, FieldPath, Bool, Bool)])
  func `a minus means descending, :exact means by code point`(
    text: String, path: FieldPath, isDescending: Bool, isExact: Bool
  ) throws {
    let descriptor = try ItemSortDescriptor(parsing: text)
    #expect(descriptor == ItemSortDescriptor(path, descending: isDescending, exact: isExact))
    #expect(descriptor.description == text)
  }

  @Test(
    arguments: [
      ("due:nulls-first", "due:nulls-first", false, false),
      ("-due:nulls-first", "-due:nulls-first", true, false),
      ("a.b:exact:nulls-first", "a.b:exact:nulls-first", false, true),
      ("a.b:nulls-first:exact", "a.b:exact:nulls-first", false, true),
    ])
  func `:nulls-first puts items without a value first`(
    text: String, printed: String, isDescending: Bool, isExact: Bool
  ) throws {
    let descriptor = try ItemSortDescriptor(parsing: text)
    let path: FieldPath = text.contains("due") ? "due" : "a.b"
    #expect(
      descriptor == ItemSortDescriptor(path, descending: isDescending, exact: isExact, nullsFirst: true))
    #expect(descriptor.description == printed)
    #expect(
      descriptor.reversed
        == ItemSortDescriptor(path, descending: !isDescending, exact: isExact, nullsFirst: true))
  }

  @Test(arguments: ["due:nulls-last", "due:nulls", "due:Nulls-first", "due:nulls-first "])
  func `no other suffix is read`(text: String) throws {
    #expect(try ItemSortDescriptor(parsing: text).path == FieldPath(keys: [text]))
  }

  @Test(arguments: [
    "a:nulls-first", "a:exact", "-a", "a:exact:nulls-first", "a:nulls-first:nulls-first", ":exact",
  ])
  func `a field with the name of a suffix is read back`(key: String) throws {
    for isExact in [false, true] {
      for nullsFirst in [false, true] {
        let descriptor = ItemSortDescriptor(FieldPath(keys: [key]), exact: isExact, nullsFirst: nullsFirst)
        #expect(try ItemSortDescriptor(parsing: descriptor.description) == descriptor)
      }
    }
    #expect(try ItemSortDescriptor(parsing: "`\(key)`") == ItemSortDescriptor(FieldPath(keys: [key])))
  }

  @Test(arguments: ["", "-", ":exact", "-:exact", ":nulls-first", ":exact:nulls-first", "a..b", "."])
  func `a descriptor without a field name is refused`(text: String) {
    #expect(throws: TextError.self) { try ItemSortDescriptor(parsing: text) }
  }

  @Test func `a literal equals the parsed descriptor`() throws {
    let descriptor: ItemSortDescriptor = "-address.city:exact"
    #expect(descriptor == ItemSortDescriptor("address.city", descending: true, exact: true))
  }

  @Test(arguments: Randomness.seeds(20))
  func `a string in a literal is a key, whatever it contains`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "-", ":exact", ":nulls-first", "`", ".", "a", "[0]", "[", "]", "/", "~", "@max", "@id", "\u{301}",
    ]
    for _ in 0..<100 {
      let key =
        random.oneIn(3)
        ? random.hostileText() : (0..<random.below(5)).map { _ in random.one(of: pieces) }.joined()
      let note = Comment(rawValue: "\(key.debugDescription); \(seedNote(seed))")
      let path = FieldPath(keys: [key])
      #expect(ItemSortDescriptor("\(key)") == ItemSortDescriptor(path), note)
      #expect(ItemSortDescriptor("-\(key)") == ItemSortDescriptor(path, descending: true), note)
      #expect(ItemSortDescriptor("\(key):exact") == ItemSortDescriptor(path, exact: true), note)
      #expect(
        ItemSortDescriptor("-a.\(key)_x:exact:nulls-first")
          == ItemSortDescriptor(
            FieldPath(keys: ["a", key + "_x"]), descending: true, exact: true, nullsFirst: true), note)
      #expect(ItemSortDescriptor("-\(path).x").path == FieldPath(keys: [key, "x"]), note)
      #expect(ItemSortDescriptor("-\(path)") == ItemSortDescriptor(path, descending: true), note)
    }
  }

  @Test func `a number in a literal is that of an element`() throws {
    #expect(try ItemSortDescriptor("-rgb[\(2)]") == ItemSortDescriptor(parsing: "-rgb[2]"))
  }
}
