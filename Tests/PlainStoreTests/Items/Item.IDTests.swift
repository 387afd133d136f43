import Foundation
@testable import Models
@testable import Store
import Testing

@testable import Query

struct ItemIDTests {
  @Test(arguments: [
    "50% off", "50%25", "a%41", "%", "../x", "/x", "a//b", "", "caf\u{e9}", "cafe\u{301}", "a\nb", "a\u{0}b",
    "2024-01-31",
  ])
  func `a string is the id as it is, as a literal, an interpolation or data`(text: String) {
    #expect(Item.ID(text).text == text)
    let interpolated: Item.ID = "\(text)"
    #expect(interpolated == Item.ID(text))
    #expect(interpolated == Item.ID(bytes: text.utf8))
    #expect(Item.ID(printed: interpolated.description) == interpolated)
  }

  @Test func `a literal is not the printed form`() {
    let id: Item.ID = "50% off"
    #expect(id.description == "50%25 off")
    #expect(id == Item.ID(printed: "50%25 off"))
    #expect(("50%25" as Item.ID).description == "50%2525")
  }

  @Test func `an id that is not UTF-8 has no text`() {
    #expect(Item.ID(bytes: [0x61, 0xFF]).text == nil)
    #expect(Item.ID(printed: "a%FF").text == nil)
  }

  @Test func `an id is encoded as the string that it is`() throws {
    let ids: [Item.ID] = ["friends/ada", "50% off", "a\nb"]
    let data = try JSONEncoder().encode(ids)
    #expect(try JSONDecoder().decode([String].self, from: data) == ["friends/ada", "50% off", "a\nb"])
    #expect(try JSONDecoder().decode([Item.ID].self, from: data) == ids)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([Item.ID(bytes: [0xFF])]) }
  }

  @Test(
    arguments: [
      ("garden/mend-fnece", "garden/mend-fence"), ("mend-fence", "garden/mend-fence"),
      ("Garden/Mend-Fence", "garden/mend-fence"),
      ("garden/mend-fence.yml", "garden/mend-fence"), ("same", nil), ("5", nil), ("v1.2", "v1.3"),
      ("zzzzzzz", nil),
    ] as [(String, String?)])
  func `an unknown id has a nearest one by its spelling, its last part or without its ending`(
    id: String, nearest: String?
  ) {
    let ids: [Item.ID] = ["garden/mend-fence", "a/same", "b/same", "5", "v1.3"]
    #expect(Item.ID(id).nearest(among: ids)?.description == nearest)
  }
}
