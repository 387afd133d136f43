import Foundation
import Store
import TestSupport
import Testing
import TextEdits
import Values
import Streams

@testable import notes_watch

/// What the program prints, sent back to it: `set -` changes nothing or refuses, and `add -` makes
/// complete items or refuses.
@Suite(.serialized, .enabled(if: Machine.has("curl"), "curl is not installed"), .timeLimit(.minutes(10)))
struct JSONFormsTests {
  /// A folder with a server and a daemon, after some edits.
  private struct Bench {
    let server: CurledServer
    let daemon: RunningDaemon
    /// The values of the items; of a file with a problem, the last good one.
    var values: [String: Fields] = [:]

    var folder: TemporaryFolder { server.folder }

    init(_ random: inout SeededGenerator) async throws {
      var texts: [String: String] = [:]
      for name in ["a", "b", "c", "d/e", "broken"] { texts["\(name).yaml"] = random.item() }
      texts["j.json"] = #"{"title":"json","list":["x"],"m":{"x":1.50},"n":[1,2]}"#
      texts["k.md"] = "---\ntitle: page\nlist: [x, y]\n---\n\(String(repeating: "text ", count: 123))\n"
      server = try CurledServer(texts)
      daemon = try await RunningDaemon(folders: ["\(server.folder.path)/data"])
      _ = try run(JSONForms.preparation)
      for name in ["a", "d/e"] { try folder.write(random.item(), to: "data/\(name).yaml") }
      try folder.remove("data/c.yaml")
      try folder.write(random.item(), to: "data/new.yaml")
      let good = try ItemStore(at: "\(folder.path)/data").item("broken")
      // The server must have read the good file, and notices the broken one before it answers.
      try folder.write("title: [\n", to: "data/broken.yaml")
      values["broken"] = good?.fields.value.fields
    }

    /// Runs a script as in ``JSONForm``.
    func run(_ script: String) throws -> String {
      let environment = daemon.environment.map { "export \($0)='\($1.replacing("'", with: "'\\''"))'" }
        .sorted().joined(separator: "\n")
      return try folder.shell("\(environment)\nP='\(BuiltProgram.path)'; U='\(server.address)'\n\(script)")
    }

    /// Reads the values that the files have now.
    mutating func readValues() throws {
      for item in try ItemStore(at: "\(folder.path)/data").list(FetchRequest()).snapshot {
        values[item.id.description] = item.fields.value.fields
      }
    }
  }

  @Test func `no form changes an item or makes an incomplete one`() async throws {
    for seed in Randomness.seeds(1) {
      var random = SeededGenerator(seed: seed)
      var bench = try await Bench(&random)
      let outputs = try JSONForms.all.map { ($0.name, try bench.run($0.script)) }
      try bench.readValues()
      let store = try ItemStore(at: "\(bench.folder.path)/data")
      var (kept, refused) = (0, 0)
      for (name, output) in outputs {
        let candidates = JSONForms.candidates(in: output)
        #expect(!candidates.isEmpty, "\(name) prints nothing: \(output) \(seedNote(seed))")
        for text in candidates {
          let note = Comment("\(name): \(text) \(seedNote(seed))")
          if try changesNothing(text, store, note) { kept += 1 } else { refused += 1 }
          expectComplete(text, bench.values, note)
        }
      }
      #expect(kept > 50, "\(seedNote(seed))")
      #expect(refused > 50, "\(seedNote(seed))")
      try expectSame(outputs, &random, bench, seedNote(seed))
    }
  }

  /// The same with the program itself, for some of the outputs.
  private func expectSame(
    _ outputs: [(String, String)], _ random: inout SeededGenerator, _ bench: Bench, _ note: String
  ) throws {
    try bench.folder.shell("cp -R data before")
    for (name, output) in outputs.shuffled(using: &random).prefix(8) {
      let lines = JSONForms.candidates(in: output)
      try bench.folder.write(random.oneIn(2) ? output : random.one(of: lines), to: "input")
      let end = try bench.run("c=0; $P set data - < input > out 2>&1 || c=$?; echo $c").trimmingCharacters(
        in: .whitespacesAndNewlines)
      #expect(["0", "65", "66"].contains(end), "\(name): \(end) \(note)")
      _ = try bench.run("diff -r before data")
      let added = try bench.run(
        "rm -rf empty; mkdir empty; c=0; $P add empty - < input > out 2>&1 || c=$?; echo $c; ls -A empty")
      #expect(added.hasPrefix("0\n") || added == "65\n", "\(name): \(added) \(note)")
    }
  }

  /// Returns false if `set -` refuses the text.
  private func changesNothing(_ text: String, _ store: ItemStore, _ note: Comment) throws -> Bool {
    let list = ItemList(Array(text.utf8), idsArePaths: true)
    if !list.errors.isEmpty { return false }
    for entry in list.entries {
      guard let item = store.item(entry.id) else { return false }
      let own = item.fields.value.fields ?? [:]
      guard let wanted = try? item.fields(writingBack: entry.line.value ?? [:], computed: entry.line.computed)
      else { return false }
      #expect(TextEdit.edits(from: own, to: wanted).isEmpty, note)
    }
    return true
  }

  private func expectComplete(_ text: String, _ values: [String: Fields], _ note: Comment) {
    let list = ItemList(Array(text.utf8))
    guard list.errors.isEmpty, list.entries.allSatisfy({ $0.line.mistakeOfNewItem == nil }) else { return }
    for entry in list.entries {
      let value = Value.map(entry.line.value?.withoutPseudoFields ?? [:])
      #expect(values[entry.id.description].map { JSONFormsTests.isPart(value, of: .map($0)) } == true, note)
    }
  }

  /// Returns true if each value of a line is the complete one of the item at the same place.
  private static func isPart(_ listed: Value, of own: Value) -> Bool {
    if own.isListed(as: listed) { return true }
    guard case .map(let listed) = listed, case .map(let own) = own else { return false }
    return listed.allSatisfy { key, value in own[key].map { isPart(value, of: $0) } ?? false }
  }

  @Test func `a row with a shortened value is refused, and nothing is written`() async throws {
    let long = String(repeating: "text ", count: 123)
    let folder = try TemporaryFolder(["data/a.yaml": "note: \(long)\n", "data/b.yaml": "n: 1\n"])
    let row =
      #"{"id":"a","position":1,"path":"a.yaml","value":{"note":"\#(long.prefix(200))"},"revision":"x","cut":true}"#
    try folder.write(#"{"id":"b","value":{"n":2}}"# + "\n\(row)\n", to: "input")
    for words in ["set data -", "add empty -"] {
      try await folder.shell("mkdir -p empty")
      let output = try await folder.shell(
        "c=0; '\(BuiltProgram.path)' \(words) < input 2>&1 || c=$?; echo $c")
      #expect(output.contains("Standard input, line 2, column"), "\(words): \(output)")
      #expect(output.hasSuffix("\n65\n"), "\(words): \(output)")
    }
    #expect(try await folder.shell("cat data/b.yaml; ls -A empty") == "n: 1\n")
    // With fields, only the ids of the rows count.
    #expect(
      try await folder.shell("'\(BuiltProgram.path)' set data - late=true < input")
        == "changed b.yaml\nchanged a.yaml\n")
  }
}

extension SeededGenerator {
  /// The text of an item whose fields have all kinds of values.
  fileprivate mutating func item() -> String {
    let text = oneIn(2) ? String(repeating: "long ", count: 100 + below(60)) : "short"
    let people = (0..<below(3)).map { "{name: p\($0), age: \(below(90))}" }.joined(separator: ", ")
    return """
      title: t\(below(1_000))
      note: \(text)
      list: [\(["x", "y", "z"].prefix(below(4)).joined(separator: ", "))]
      m: {x: \(below(9)).50, y: [1, 2], SIZE: 5}
      n: [\(below(9)), 0x1F, .inf]
      due: 2026-0\(1 + below(9))-01
      people: [\(people)]
      tag\(below(3)): \(["null", "true", ".nan", "''"][below(4)])

      """
  }
}
