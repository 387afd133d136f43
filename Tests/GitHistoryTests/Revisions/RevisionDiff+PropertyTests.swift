import GitHistory
import PlainStore
import PlainText
import TestSupport
import Testing

/// A revision's list is the list of what git would check out.
@Suite(.enabled(if: Machine.has("git")), .timeLimit(.minutes(5))) struct RevisionDiffPropertyTests {
  private static let names = [
    "a.yaml", "b.json", "c.md", "d/e.yaml", "d/f.yml", "d/g/h.json", ".hidden/i.yaml", "x.yaml/j.yaml", "k.txt", "a.json",
  ]
  private static let texts = [
    "n: 1\n", "{\"n\": 2}", "n: [\n", "---\nn: 3\n---\ntext\n", "", "n: 4\nlong: enough to be found again\n", "text\n",
  ]

  /// Some files come, change, go and get other names.
  private func change(_ repository: Repository, _ generator: inout SeededGenerator) throws {
    for _ in 0..<1 + generator.below(5) {
      let (name, other) = (generator.one(of: Self.names), generator.one(of: Self.names))
      switch generator.below(4) {
      case 0: try repository.folder.shell("rm -rf '\(name)'")
      case 1: try repository.folder.shell("rm -rf '\(other)'; mkdir -p \"$(dirname '\(other)')\"; mv '\(name)' '\(other)' || true")
      default:
        try repository.folder.shell("rm -rf '\(name)'")
        try repository.folder.write(generator.one(of: Self.texts), to: name)
      }
    }
    // git knows nothing of empty folders.
    try repository.folder.shell(
      "for depth in 1 2 3; do find . -mindepth 1 -path ./.git -prune -o -type d -empty -exec rmdir {} +; done")
  }

  @Test func theListIsThatOfTheCheckout() async throws {
    for seed in Randomness.seeds(6) {
      var generator = SeededGenerator(seed: seed)
      let repository = try Repository(["a.yaml": "n: 0\n"])
      try change(repository, &generator)
      try repository.commit("second")
      let old = try ItemStore(at: repository.path)
      try change(repository, &generator)
      try repository.commit("third")
      let new = try ItemStore(at: repository.path)
      let note: Comment = "\(seedNote(seed))"
      let diff = try await repository.diff("HEAD~1", "HEAD")
      if let update = diff.update {
        #expect(contents(update.new.fetchedObjects) == contents(new.results().fetchedObjects), note)
        #expect(update.new.problems == new.problems, note)
        // In its order, too: an item that was renamed is filed under its new id.
        #expect(contents(update.old.fetchedObjects) == contents(old.results().fetchedObjects), note)
        #expect(update.old.problems == old.problems, note)
      } else {
        #expect(contents(old.results().fetchedObjects) == contents(new.results().fetchedObjects), note)
      }
      // What is checked out is no other list, however it is looked at.
      #expect(try await repository.diff("HEAD").event == nil, note)
      #expect(try await repository.diff(staged: true).event == nil, note)
      // What is broken in the work tree keeps its last item.
      if new.problems.isEmpty { #expect(try await repository.diff("HEAD~1").summary == diff.summary, note) }
    }
  }

  private func contents(_ items: [Item]) -> [String] { items.map { "\($0.id) \($0.path) \($0.fields.value.text)" } }
}
