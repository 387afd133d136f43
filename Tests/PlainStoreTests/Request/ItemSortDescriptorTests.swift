import PlainText
import Testing

@testable import PlainStore

struct SortDescriptorTests {
  @Test(
    arguments: [
      ("name", "name", false, false), ("-name", "name", true, false), ("name:exact", "name", false, true),
      ("-a.b:exact", "a.b", true, true),
      ("--name", "-name", true, false), ("-@modified", "@modified", true, false), ("name:Exact", "name:Exact", false, false),
      ("-/a~1b", "/a~1b", true, false),
    ] as [(String, FieldPath, Bool, Bool)])
  func `a minus means descending, :exact means by code point`(text: String, path: FieldPath, isDescending: Bool, isExact: Bool) {
    let descriptor = ItemSortDescriptor(text)
    #expect(descriptor == ItemSortDescriptor(path, descending: isDescending, exact: isExact))
    #expect(descriptor?.description == text)
  }

  @Test(arguments: ["", "-", ":exact", "-:exact", "a..b", "."])
  func `a descriptor without a field name is refused`(text: String) {
    #expect(ItemSortDescriptor(text) == nil)
  }

  @Test func `a literal equals the parsed descriptor`() throws {
    let descriptor: ItemSortDescriptor = "-address.city:exact"
    #expect(descriptor == ItemSortDescriptor("address.city", descending: true, exact: true))
  }
}
