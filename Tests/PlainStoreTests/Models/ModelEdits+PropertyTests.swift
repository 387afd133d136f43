import Files
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import Query

/// A contact of the property tests. The files have more fields, at every level.
private struct Contact: PlainModel {
  struct Address: Codable, Equatable { var city: String?, zip: String? }
  struct Phone: Codable, Equatable { var number: String, label: String, rank: Double }
  var id: String
  var name: String
  var rating: Double
  var born: Date?
  var note: String?
  var address: Address?
  var tags: [String]
  var phones: [Phone]
  static let defaults: Fields = ["rating": 0, "phones": []]
}

/// A file with unknown fields and comments, and the model that it holds. Each line names its owner
/// in a comment: a field of the root, or a field of a phone.
private struct ContactFile {
  var lines: [(owner: String, text: String)] = []

  init(using random: inout SeededGenerator) {
    var blocks: [[(String, String)]] = [
      [("name", "name: Ada  # name")],
      [("unknown1", "# before"), ("unknown1", "extra: {a: 1, b: [x]}  # extra")],
      [("tags", "tags: [\((0..<random.below(5)).map { "tag\($0)" }.joined(separator: ", "))]  # tags")],
    ]
    if random.oneIn(2) {
      blocks.append([("rating", "rating: \(random.one(of: ["1", "2.50", "3.0", "1e1", "0x1F"]))  # rating")])
    }
    if random.oneIn(2) {
      blocks.append([
        (
          "born",
          "born: \(random.one(of: ["1815-12-10", "1815-12-10 10:00", "1815-12-10T10:00:00+02:00"]))  # born"
        )
      ])
    }
    if random.oneIn(2) { blocks.append([("note", "note: 'a # b'  # note")]) }
    if random.oneIn(3) { blocks.append([("note", "note:  # note")]) }
    if random.oneIn(2) {
      var address = [("unknown2", "address:  # address"), ("unknown2", "  floor: 3  # floor")]
      if random.oneIn(2) { address.append(("city", "  city: London  # city")) }
      if random.oneIn(2) { address.append(("zip", "  zip: \"007\"  # zip")) }
      blocks.append(address)
    }
    let phoneCount = random.below(5)
    if phoneCount > 0 {
      var phones = [("phones", "phones:")]
      for number in 0..<phoneCount {
        phones.append(("phone\(number)", "  # phone \(number)"))
        phones.append(("phone\(number).number", "  - number: n\(number)  # number \(number)"))
        phones.append(("phone\(number)", "    mark: m\(number)  # mark \(number)"))
        phones.append(("phone\(number).label", "    label: l\(number)  # label \(number)"))
        phones.append(("phone\(number).rank", "    rank: \(number)  # rank \(number)"))
        if random.oneIn(2) {
          phones.append(("phone\(number)", "    more: {deep: m\(number)}  # more \(number)"))
        }
      }
      blocks.append(phones)
    }
    // A field occurs once.
    var known: Set<String> = []
    lines = blocks.filter { known.insert($0[0].0).inserted }.shuffled(using: &random).flatMap { $0 }.map {
      (owner: $0.0, text: $0.1)
    }
  }

  var text: [UInt8] { Array(lines.map { $0.text + "\n" }.joined().utf8) }
}

struct ModelEditsPropertyTests {
  /// Changes a contact at random.
  ///
  /// - Returns: The owners of the lines that may change.
  private static func change(_ contact: inout Contact, using random: inout SeededGenerator) -> Set<String> {
    var touched: Set<String> = []
    if random.oneIn(4) { (contact.name, touched) = ("Ada \(random.below(9))", touched.union(["name"])) }
    if random.oneIn(3) {
      (contact.rating, touched) = (Double(random.below(20)) / 4, touched.union(["rating"]))
    }
    if random.oneIn(4) {
      contact.born = random.oneIn(3) ? nil : Date(timeIntervalSince1970: Double(random.below(40) * 43_200))
      touched.insert("born")
    }
    if random.oneIn(4) { (contact.note, touched) = (random.oneIn(2) ? nil : "new", touched.union(["note"])) }
    if random.oneIn(3), var address = contact.address {
      if random.oneIn(2) {
        (address.city, touched) = (random.oneIn(2) ? nil : "Paris", touched.union(["city"]))
      }
      if random.oneIn(2) { (address.zip, touched) = (random.oneIn(2) ? nil : "1", touched.union(["zip"])) }
      contact.address = address
    }
    if random.oneIn(3) {
      if random.oneIn(2) { contact.tags.shuffle(using: &random) } else { contact.tags.append("tag9") }
      touched.insert("tags")
    }
    if random.oneIn(2) {
      for index in contact.phones.indices where random.oneIn(3) {
        if random.oneIn(2) {
          contact.phones[index].label = "label\(random.below(1_000))"
          touched.insert("phone\(contact.phones[index].number.dropFirst()).label")
        } else {
          contact.phones[index].rank += 1
          touched.insert("phone\(contact.phones[index].number.dropFirst()).rank")
        }
      }
    }
    if random.oneIn(3), !contact.phones.isEmpty {
      let phone = contact.phones.remove(at: random.below(contact.phones.count))
      touched.insert("phone\(phone.number.dropFirst())")
    }
    if random.oneIn(3) {
      let phone = Contact.Phone(
        number: "new\(random.below(1_000))", label: "x\(random.below(1_000))", rank: 99)
      contact.phones.insert(phone, at: random.below(contact.phones.count + 1))
    }
    if random.oneIn(4) { contact.phones.shuffle(using: &random) }
    return touched
  }

  @Test func `a save changes the known values that differ and nothing else`() throws {
    var count = 0
    for seed in Randomness.seeds(400) {
      var random = SeededGenerator(seed: seed)
      let file = ContactFile(using: &random)
      let text = ItemText(file.text, as: .yaml)
      let item = Item(id: "ada", path: "ada.yaml", stamp: .none, fields: try text.fields.get())
      let old = try item.decode(Contact.self)
      #expect(try ModelEdits(item, to: old, from: nil).edits == [], "\(seedNote(seed))")
      var new = old
      let touched = Self.change(&new, using: &random)
      let change = try ModelEdits(item, to: new, from: nil)
      let result = try text.edited(by: change.edits)
      let note = Comment(
        rawValue:
          "\(seedNote(seed))\n\(String(decoding: text.bytes, as: UTF8.self))->\n\(String(decoding: result.bytes, as: UTF8.self))"
      )
      let read = Item(id: "ada", path: "ada.yaml", stamp: .none, fields: try result.fields.get())
      #expect(try read.decode(Contact.self) == new, note)
      // Unknown fields stay, and go along with their elements.
      #expect(read.value(at: "extra") == item.value(at: "extra"), note)
      #expect(read.value(at: "address.floor") == item.value(at: "address.floor"), note)
      for phone in read.value(at: "phones")?.elements ?? [] {
        let number = phone["number"]?.text ?? ""
        let known = item.value(at: "phones")?.elements?.first { $0["number"]?.text == number }
        #expect(phone["mark"] == known?["mark"], note)
        #expect(phone["more"] == known?["more"], note)
      }
      // A line whose value did not change is there, byte for byte.
      let lines = Set(String(decoding: result.bytes, as: UTF8.self).split(separator: "\n").map(String.init))
      for (owner, line) in file.lines
      where !touched.contains(owner) && !touched.contains(String(owner.prefix { $0 != "." })) {
        if owner == "phones", new.phones.isEmpty { continue }
        #expect(lines.contains(line), note)
      }
      count += 1
    }
    #expect(count > 0)
  }

  @Test func `a save with the value that was read changes only the fields that the user changed`() throws {
    for seed in Randomness.seeds(200) {
      var random = SeededGenerator(seed: seed)
      let text = ItemText(ContactFile(using: &random).text, as: .yaml)
      let item = Item(id: "ada", path: "ada.yaml", stamp: .none, fields: try text.fields.get())
      let original = try item.decode(Contact.self)
      var mine = original
      mine.name = "Mine"
      // Another program changes other fields before the save.
      var theirs = original
      theirs.note = "theirs"
      theirs.rating += 1
      let newer = try text.edited(by: ModelEdits(item, to: theirs, from: nil).edits)
      let current = Item(id: "ada", path: "ada.yaml", stamp: .none, fields: try newer.fields.get())
      let change = try ModelEdits(current, to: mine, from: original)
      #expect(change.edits == [.set("name", "Mine")], "\(seedNote(seed))")
      // The revision is what the user read, so the resolver finds the changes of the other one.
      let read = Item(id: "ada", path: "ada.yaml", stamp: .none, fields: change.revision.fields)
      #expect(try read.decode(Contact.self) == original, "\(seedNote(seed))")
      #expect(read.value(at: "extra") == item.value(at: "extra"), "\(seedNote(seed))")
    }
  }
}
