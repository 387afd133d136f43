import DiffableSnapshot
import Foundation
import Store
import TestSupport
import Testing
import Values

@testable import Serve

/// Random lives of a folder and of a window on it. The client that applies the lines must always
/// show the slice of the list, with each change marked.
@Suite(.timeLimit(.minutes(5))) struct WindowFoldTests {
  /// The view that the client asks for, as JSON and as a request of the library.
  private struct View {
    var sort = ""
    var search = ""
    var section = ""
    var predicate = ""
    var window = RequestedWindow(.line(0), count: 5)

    func json(_ request: Int) -> String {
      var parts: [String] = []
      if !sort.isEmpty { parts.append("\"sort\":\"\(sort)\"") }
      if !search.isEmpty { parts.append("\"search\":\"\(search)\"") }
      if !section.isEmpty { parts.append("\"section\":\"\(section)\"") }
      if !predicate.isEmpty { parts.append("\"where\":\"\(predicate)\"") }
      switch window.start {
      case .line(let line): parts.append("\"window\":{\"first\":\(line),\"count\":\(window.count)}")
      case .item(let id, let offset):
        parts.append("\"window\":{\"anchor\":\"\(id)\",\"offset\":\(offset),\"count\":\(window.count)}")
      }
      return "{\(parts.joined(separator: ",")),\"request\":\(request)}"
    }

    func request() throws -> FetchRequest {
      FetchRequest(
        sort: sort.isEmpty ? [] : [try ItemSortDescriptor(parsing: sort)],
        section: section.isEmpty ? nil : SectionDescriptor("group"),
        predicate: predicate.isEmpty ? nil : try ItemPredicate(predicate), search: search)
    }
  }

  /// One life.
  private struct Life {
    var generator: SeededGenerator
    let served: ServedFolder
    var client: StreamClient
    var stream = ""
    var view = View()
    var reader = WindowReader()
    var requests = 0
    var position: String?

    init(_ seed: UInt64) async throws {
      generator = SeededGenerator(seed: seed)
      var files: [String: String] = [:]
      for number in 0..<generator.below(40) { files["n\(number).yaml"] = Life.text(&generator) }
      served = try await ServedFolder(files, watching: true)
      client = try await served.open(views: #"{"a":\#(view.json(0))}"#)
      try await begin()
    }

    static func text(_ generator: inout SeededGenerator) -> String {
      "rating: \(generator.below(9))\ngroup: g\(generator.below(4))\nname: \(generator.one(of: ["ada", "bob", "eve"]))\n"
    }

    mutating func begin() async throws {
      stream = await client.next("stream", named: "stream").fields["stream"] as? String ?? ""
      try await readLine()
    }

    mutating func readLine() async throws {
      let event = await client.next("window", named: "a")
      position = event.id
      try reader.apply(event.fields)
    }

    /// The rows that the list has now.
    func slice() throws -> [WindowReader.Row] {
      let list = served.store.list(try view.request()).snapshot
      var rows: [WindowReader.Row] = []
      var position = 0
      for section in list.sections {
        if !view.section.isEmpty {
          rows.append(WindowReader.Row(section: ExactText(section.id.description), count: section.count))
        }
        for item in section {
          position += 1
          let name = view.section.isEmpty ? nil : ExactText(section.id.description)
          let id = ExactText(item.id.description)
          rows.append(
            WindowReader.Row(id: id, section: name, value: Life.value(of: item), position: position))
        }
      }
      return rows
    }

    private static func value(of item: Item) -> NSDictionary {
      var fields: [String: Any] = [:]
      for name in ["rating", "group", "name"] {
        switch item.value(at: FieldPath(keys: [name])) {
        case .number(.integer(let number))?: fields[name] = number
        case .string(let text)?: fields[name] = text
        default: break
        }
      }
      return fields as NSDictionary
    }

    /// True if the client shows the slice of the list.
    func isCurrent(_ all: [WindowReader.Row]) -> Bool {
      reader.lines == all.count && reader.rows == Array(all.dropFirst(reader.first).prefix(view.window.count))
    }

    mutating func editSomething() throws {
      for _ in 0...generator.below(3) {
        let name = "n\(generator.below(50)).yaml"
        if generator.oneIn(4) {
          try? served.folder.remove(name)
        } else {
          try served.folder.write(Life.text(&generator), to: name)
        }
      }
    }

    /// Edits files, and reads lines until the client shows the new list.
    mutating func edit() async throws {
      let before = try slice()
      reader.forgetMarks()
      let shown = reader.rows
      try editSomething()
      await served.store.settled()
      let after = try slice()
      var count = 0
      while !isCurrent(after) {
        try await readLine()
        count += 1
      }
      // With several steps, a row may have changed outside of the window and then come into it.
      if count == 1 { try checkMarks(before, shown) }
    }

    /// Checks that rows that were on the screen and changed have marks, and those that came.
    private func checkMarks(_ before: [WindowReader.Row], _ shown: [WindowReader.Row]) throws {
      let old = Dictionary(before.compactMap { row in row.id.map { ($0, row) } }) { $1 }
      for row in reader.rows {
        guard let id = row.id else { continue }
        let marks = reader.marks[id] ?? []
        if old[id] == nil, marks.isEmpty {
          throw WindowReader.Violation(description: "\(id) came without a mark")
        }
        let wasShown = shown.contains { $0.id == id }
        if let known = old[id], wasShown, known.value != row.value, !marks.contains("fields") {
          throw WindowReader.Violation(description: "\(id) changed without a mark")
        }
      }
    }

    /// Asks for another window or another view, and reads its answer.
    mutating func change() async throws {
      if generator.oneIn(2) {
        view.sort = generator.one(of: ["", "rating", "-rating", "name"])
        view.search = generator.one(of: ["", "a", "ada", "xyz"])
        view.section = generator.one(of: ["", "group"])
        view.predicate = generator.one(of: ["", "rating > 4"])
      }
      let count = 1 + generator.below(12)
      let ids = try slice().compactMap(\.id)
      if !ids.isEmpty, generator.oneIn(2) {
        let id = Item.ID(printed: generator.one(of: ids).description)
        view.window = RequestedWindow(.item(id, offset: generator.below(count)), count: count)
      } else {
        view.window = RequestedWindow(.line(generator.below(50)), count: count)
      }
      requests += 1
      let answer = try await served.change(stream, #"{"a":\#(view.json(requests))}"#)
      #expect(answer.status == 204)
      repeat { try await readLine() } while reader.answer != requests
      let all = try slice()
      while !isCurrent(all) { try await readLine() }
    }

    /// Loses the connection, and connects again after some edits.
    mutating func reconnect() async throws {
      await client.close()
      if generator.oneIn(2) { try editSomething() }
      await served.store.settled()
      client = try await served.open(views: #"{"a":\#(view.json(0))}"#, after: position)
      reader = WindowReader()
      try await begin()
      let all = try slice()
      while !isCurrent(all) { try await readLine() }
    }
  }

  @Test(arguments: Randomness.seeds(24))
  func `the client shows the slice of the list, and each change is marked`(seed: UInt64) async throws {
    var life = try await Life(seed)
    do {
      for _ in 0..<30 {
        switch life.generator.below(7) {
        case 0: try await life.reconnect()
        case 1, 2, 3: try await life.change()
        default: try await life.edit()
        }
      }
    } catch {
      Issue.record("\(error), \(seedNote(seed))")
    }
    await life.client.close()
  }

  @Test(arguments: Randomness.seeds(60))
  func `the lines of a window are those of the complete list`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    var files: [String: String] = [:]
    for number in 0..<generator.below(60) {
      files["n\(number).yaml"] = "group: g\(generator.below(12))\nrating: \(generator.below(5))\n"
    }
    let served = try await ServedFolder(files)
    let order = (0..<generator.below(20)).map { _ in SectionID("g\(generator.below(15))") }
    var unique: [SectionID] = []
    for section in order where !unique.contains(section) { unique.append(section) }
    let section = generator.oneIn(4) ? nil : SectionDescriptor("group", order: unique)
    let list = served.store.list(FetchRequest(sort: ["rating"], section: section)).snapshot
    let all = list.lines(in: 0..<list.lineCount)
    #expect(all.count == list.lineCount, "\(seedNote(seed))")
    let ids = all.compactMap { line in if case .item(let id, _, _) = line { id } else { nil } }
    #expect(ids == list.list.itemIdentifiers, "\(seedNote(seed))")
    for (number, line) in all.enumerated() {
      if case .item(let id, _, let place) = line {
        #expect(list.line(of: id) == number, "\(seedNote(seed))")
        #expect(list.index(of: id) == place, "\(seedNote(seed))")
      }
    }
    for _ in 0..<20 {
      let first = generator.below(80)
      let range = first..<first + generator.below(20)
      #expect(list.lines(in: range) == Array(all[range.clamped(to: 0..<all.count)]), "\(seedNote(seed))")
    }
  }
}
