import Git
import Store
import TestSupport
import Testing
import Values

/// The history of an item lists each commit whose item differs from all parents, for random shapes
/// of history.
@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .timeLimit(.minutes(5)))
struct ItemHistoryPropertyTests {
  /// A random repository as a script for `git fast-import`, and the items of each commit.
  private struct Made {
    var script = ""
    /// The value of each item by its id, per commit.
    var states: [[String: Int]] = []
    var parents: [[Int]] = []
  }

  private static func make(_ generator: inout SeededGenerator, idsAreFields: Bool) -> Made {
    var made = Made()
    let ids = ["a", "b", "c"]
    for commit in 0..<25 {
      var parents: [Int] = commit == 0 ? [] : [max(0, commit - 1 - generator.below(3))]
      if commit > 2, generator.oneIn(4) { parents.append(generator.below(commit)) }
      if parents.count == 2, parents[0] == parents[1] { parents.removeLast() }
      var state = parents.isEmpty ? [:] : made.states[generator.one(of: parents)]
      for _ in 0..<generator.below(3) {
        let id = generator.one(of: ids)
        if generator.oneIn(4) { state[id] = nil } else { state[id] = generator.below(4) }
      }
      made.script +=
        "commit refs/heads/main\nmark :\(commit + 1)\ncommitter n <n@e> \(1_700_000_000 + commit) +0000\ndata <<E\n\(commit)\nE\n"
      for (index, parent) in parents.enumerated() {
        made.script += "\(index == 0 ? "from" : "merge") :\(parent + 1)\n"
      }
      made.script += "deleteall\n"
      for (id, value) in state.sorted(by: { $0.key < $1.key }) {
        let name = idsAreFields ? "\(id)\(value % 2)" : id
        // The long text keeps git from taking one item for a renamed copy of another.
        let text = String(repeating: id, count: 100)
        made.script +=
          "M 100644 inline \(name).yaml\ndata <<E\nuuid: \(id)\ntext: \(text)\nn: \(value)\nhalf: \(value / 2)\nE\n"
      }
      if idsAreFields { made.script += "M 100644 inline .notes-watch.yaml\ndata <<E\nid-field: uuid\nE\n" }
      made.states.append(state)
      made.parents.append(parents)
    }
    return made
  }

  /// Returns the reachable commits whose item differs from each of their parents.
  ///
  /// If ids are made of fields, merges are left out that delete an item which their parents have in
  /// different files: git names no such file.
  ///
  /// - Parameter value: The part of the item's value that is compared.
  private static func expected(_ id: String, in made: Made, idsAreFields: Bool, value: (Int) -> Int = { $0 })
    -> Set<String>
  {
    var reached: Set<Int> = [made.states.count - 1]
    for commit in made.states.indices.reversed() where reached.contains(commit) {
      reached.formUnion(made.parents[commit])
    }
    let changed = reached.filter { commit in
      let parents = made.parents[commit]
      if parents.isEmpty { return made.states[commit][id] != nil }
      let (old, new) = (parents.map { made.states[$0][id] }, made.states[commit][id])
      if idsAreFields, new == nil, Set(old.map { $0.map { $0 % 2 } }).count > 1 { return false }
      return old.allSatisfy { $0.map(value) != new.map(value) }
    }
    return Set(changed.map(String.init))
  }

  @Test(arguments: [false, true]) func `the history lists each commit that differs from all of its parents`(
    idsAreFields: Bool
  ) async throws {
    for seed in Randomness.seeds(4, test: "\(#function) \(idsAreFields)") {
      var generator = SeededGenerator(seed: seed)
      let made = Self.make(&generator, idsAreFields: idsAreFields)
      let repository = try Repository()
      try repository.folder.write(made.script, to: ".git/script")
      try repository.folder.shell("git config diff.renames false; git fast-import --quiet < .git/script")
      for id in ["a", "b", "c"] {
        let found = try await ItemHistory.entries(of: id, in: repository.path)
        let subjects = found.filter { $0.changes?.pointers != ["/@path"] }.map(\.commit.subject)
        #expect(
          Set(subjects) == Self.expected(id, in: made, idsAreFields: idsAreFields), "\(id), \(seedNote(seed))"
        )
        #expect(subjects.count == Set(subjects).count, "\(seedNote(seed))")
        let halves = try await ItemHistory.entries(
          of: id, in: repository.path, showing: [FieldPath(keys: ["half"])]
        ).map(\.commit.subject)
        #expect(
          Set(halves) == Self.expected(id, in: made, idsAreFields: idsAreFields) { $0 / 2 },
          "\(id) by one field, \(seedNote(seed))")
        #expect(
          subjects.compactMap { Int($0) } == subjects.compactMap { Int($0) }.sorted(by: >),
          "\(seedNote(seed))")
      }
    }
  }
}
