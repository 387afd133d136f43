import Git
import Store
import TestSupport
import Testing
import Values

/// The list of a revision equals the list of its checkout.
@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .timeLimit(.minutes(5)))
struct RevisionDiffPropertyTests {
  private static let names = [
    "a.yaml", "b.json", "c.md", "d/e.yaml", "d/f.yml", "d/g/h.json", ".hidden/i.yaml", "x.yaml/j.yaml",
    "k.txt", "a.json",
  ]
  private static let texts = [
    "n: 1\n", "{\"n\": 2}", "n: [\n", "---\nn: 3\n---\ntext\n", "", "n: 4\nlong: enough to be found again\n",
    "text\n",
  ]

  /// Adds, changes, removes and renames some files.
  private func change(_ repository: Repository, _ generator: inout SeededGenerator) throws {
    for _ in 0..<1 + generator.below(5) {
      let (name, other) = (generator.one(of: Self.names), generator.one(of: Self.names))
      switch generator.below(4) {
      case 0: try repository.folder.shell("rm -rf '\(name)'")
      case 1:
        try repository.folder.shell(
          "rm -rf '\(other)'; mkdir -p \"$(dirname '\(other)')\"; mv '\(name)' '\(other)' || true")
      default:
        try repository.folder.shell("rm -rf '\(name)'")
        try repository.folder.write(generator.one(of: Self.texts), to: name)
      }
    }
    // git does not store empty folders.
    try repository.folder.shell(
      "for depth in 1 2 3; do find . -mindepth 1 -path ./.git -prune -o -type d -empty -exec rmdir {} +; done"
    )
  }

  @Test func `the list of a revision equals the list of its checkout`() async throws {
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
        #expect(contents(Array(update.new)) == contents(Array(new.fetch(FetchRequest()))), note)
        #expect(update.new.problems == new.problems, note)
        // The order is compared too: a renamed item is stored under its new id.
        #expect(contents(Array(update.old)) == contents(Array(old.fetch(FetchRequest()))), note)
        #expect(update.old.problems == old.problems, note)
      } else {
        let (before, after) = (Array(old.fetch(FetchRequest())), Array(new.fetch(FetchRequest())))
        #expect(contents(before) == contents(after), note)
      }
      // The checked-out revision has no differences to the work tree and the index.
      #expect(try await repository.diff("HEAD").event == nil, note)
      #expect(try await repository.diff(staged: true).event == nil, note)
      // A file that is broken in the work tree keeps its last item, so the lists may differ.
      if new.problems.isEmpty { #expect(try await repository.diff("HEAD~1").summary == diff.summary, note) }
    }
  }

  private func contents(_ items: [Item]) -> [String] {
    items.map { "\($0.id) \($0.path) \($0.fields.value.text)" }
  }
}
