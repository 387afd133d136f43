import TestSupport
import Testing
import TextEdits
import Values

@Suite struct ElementIdentityTests {
  private func merge(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> ValueMerge {
    let list = { (elements: [Value]) in Value.map(["people": .list(elements)]) }
    return ValueMerge(base: list(base), ours: list(ours), theirs: list(theirs))
  }

  @Test func `a replaced person does not get the old one's telephone`() {
    let merge = merge(
      [["name": "Ann", "city": "Oslo", "phone": "1"]], [["name": "Bob", "city": "Oslo", "phone": "1"]],
      [["name": "Ann", "city": "Oslo", "phone": "2"]])
    #expect(merge.conflicts.map(\.keys) == [["people"]])
  }

  @Test(arguments: ["id", "_id", "uuid", "guid", "key", "slug", "name", "ID", "Name"])
  func `a conventional key identifies an element`(key: String) {
    let element = { (phone: Int, city: String) -> Value in
      [key: "x", "phone": .number(.integer(phone)), "city": .string(city)]
    }
    let merge = merge([element(1, "Oslo")], [element(2, "Oslo")], [element(1, "Rome")])
    #expect(merge.conflicts.isEmpty)
    #expect(merge.value == Value.map(["people": .list([element(2, "Rome")])]))
  }

  @Test func `a title or a city identifies nobody`() {
    for key in ["title", "city", "group"] {
      let person = { (name: String, phone: Int) -> Value in
        [key: "x", "first": .string(name), "phone": .number(.integer(phone))]
      }
      #expect(!merge([person("Ann", 1)], [person("Bob", 1)], [person("Ann", 2)]).conflicts.isEmpty, "\(key)")
    }
  }

  @Test func `a conventional key that several elements have identifies none`() {
    #expect(
      !merge(
        [["name": "x", "a": 1], ["name": "x"]], [["name": "x", "a": 2], ["name": "x"]],
        [["name": "x", "a": 1, "b": 1], ["name": "x"]]
      )
      .conflicts.isEmpty)
  }

  @Test func `an element without a conventional key is known by most of its fields`() {
    let merge = merge(
      [["cycle": "1", "eol": "no", "latest": "1.1", "lts": true]],
      [["cycle": "1", "eol": "yes", "latest": "1.1", "lts": true]],
      [["cycle": "1", "eol": "no", "latest": "1.2", "lts": true]])
    #expect(merge.conflicts.isEmpty)
    #expect(merge.value?["people"]?.text == #"[{"cycle":"1","eol":"yes","latest":"1.2","lts":true}]"#)
  }

  @Test func `an element that resembles another one equally is in conflict`() {
    let twin: Value = ["a": 1, "b": 2, "c": 3, "d": 9]
    #expect(
      !merge(
        [["a": 1, "b": 2, "c": 3, "d": 4], twin], [["a": 1, "b": 2, "c": 3, "d": 5], twin],
        [["a": 1, "b": 2, "c": 3, "d": 4, "e": 1], twin]
      ).conflicts.isEmpty)
  }

  @Test func `a renamed element is in conflict with a change of it unless another key identifies it`() {
    #expect(
      !merge(
        [["name": "Ann", "a": 1, "b": 2, "c": 3]], [["name": "Anna", "a": 1, "b": 2, "c": 3]],
        [["name": "Ann", "a": 1, "b": 2, "c": 4]]
      ).conflicts.isEmpty)
    #expect(
      merge(
        [["id": 5, "name": "Ann", "a": 1, "b": 2]], [["id": 5, "name": "Anna", "a": 1, "b": 2]],
        [["id": 5, "name": "Ann", "a": 1, "b": 3]]
      ).conflicts.isEmpty)
    // Replaced at the same position, with a number that counts the elements.
    #expect(
      !merge(
        [["id": 5, "name": "Ann", "a": 1, "b": 2]], [["id": 5, "name": "Bob", "a": 7, "b": 8]],
        [["id": 5, "name": "Ann", "a": 1, "b": 3]]
      )
      .conflicts.isEmpty)
  }

  @Test func `elements of one name that both sides inserted are in conflict`() {
    let base: [Value] = [["id": 1], ["id": 2]]
    #expect(!merge(base, [["id": 3, "a": 1]] + base, base + [["id": 3, "a": 2]]).conflicts.isEmpty)
    #expect(merge(base, [["id": 3, "a": 1]] + base, base + [["id": 4, "a": 2]]).conflicts.isEmpty)
  }

  @Test func `an element that one side moved and the other removed does not come back`() {
    let (a, b, c): (Value, Value, Value) = (["id": 1], ["id": 2], ["id": 3])
    let merge = merge([a, b, c], [b, c, a], [b, c])
    #expect(merge.conflicts.map(\.keys) == [["people"]])
  }

  /// Each person's strings contain a marker that the merge does not know.
  @Test func `a clean merge never puts one person's field on another`() throws {
    var cleanMerges = 0
    for seed in Randomness.seeds(1_500) {
      var generator = SeededGenerator(seed: seed)
      var people = RandomPeople(hasNames: generator.oneIn(2))
      let base = (0..<1 + generator.below(4)).map { _ in people.person(&generator) }
      let (ours, theirs) = (people.changed(base, &generator), people.changed(base, &generator))
      let merge = ValueMerge(base: .list(base), ours: .list(ours), theirs: .list(theirs))
      guard merge.conflicts.isEmpty, case .list(let merged)? = merge.value else { continue }
      cleanMerges += 1
      for person in merged {
        #expect(
          RandomPeople.markers(of: person).count <= 1,
          "\(seedNote(seed)) \(Value.list(base).text) \(Value.list(ours).text) \(Value.list(theirs).text) \(person.text)"
        )
      }
    }
    #expect(cleanMerges > 0)
  }
}

/// Lists of people with elements that are edited, replaced and moved.
private struct RandomPeople {
  let hasNames: Bool
  private var count = 0

  init(hasNames: Bool) { self.hasNames = hasNames }

  mutating func person(_ generator: inout SeededGenerator) -> Value {
    count += 1
    let mark = "(\(count))"
    var fields: Fields = [
      "city": .string(generator.one(of: ["Oslo", "Rome"])),
      "role": .string(generator.one(of: ["owner", "guest"])),
      (hasNames ? "name" : "who"): .string("Person \(mark)"),
      "phone": .string("\(generator.below(1_000)) \(mark)"),
      "mail": .string("\(generator.below(1_000)) \(mark)"),
    ]
    if generator.oneIn(3) { fields["age"] = .number(.integer(generator.below(90))) }
    return .map(fields)
  }

  mutating func changed(_ people: [Value], _ generator: inout SeededGenerator) -> [Value] {
    var people = people
    for _ in 0..<1 + generator.below(3) where !people.isEmpty {
      let index = generator.below(people.count)
      switch generator.below(6) {
      case 0: people[index] = person(&generator)
      case 1: people.insert(people.remove(at: index), at: generator.below(people.count + 1))
      case 2: people.insert(person(&generator), at: index)
      case 3: people.remove(at: index)
      default:
        guard case .map(var fields) = people[index] else { continue }
        let mark = RandomPeople.markers(of: people[index]).first ?? ""
        switch generator.below(4) {
        case 0: fields["phone"] = .string("\(generator.below(1_000_000)) \(mark)")
        case 1: fields["mail"] = .string("\(generator.below(1_000_000)) \(mark)")
        case 2: fields["city"] = .string(generator.one(of: ["Oslo", "Rome", "Bonn"]))
        default: fields["note"] = .string("\(generator.below(1_000_000)) \(mark)")
        }
        people[index] = .map(fields)
      }
    }
    return people
  }

  static func markers(of person: Value) -> Set<String> {
    Set(
      (person.fields ?? [:]).compactMap {
        $0.value.text.split(separator: "(").dropFirst().first.map { "(" + $0 }
      })
  }
}
