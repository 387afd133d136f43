import Files
import Foundation
import Glibc
import HashTreeCollections
import Query
@testable import Store
import TestSupport
import Testing
import Watch

@testable import Folder

/// A root that goes, or cannot be read, and comes back, at any moment and with any batch.
@Suite struct MissingRootTests {
  /// The ways in which a root is not there, and how each ends. The folder is moved to `away` first.
  private static let absences: [(name: String, begin: String, end: String)] = [
    ("moved away", "mv root away", "mv away root"),
    ("replaced by a file", "mv root away; touch root", "rm root; mv away root"),
    ("replaced by a circle of links", "mv root away; ln -s root root", "rm root; mv away root"),
    ("replaced by a link to nothing", "mv root away; ln -s nothing root", "rm root; mv away root"),
  ]

  @Test func `nothing is deleted while the root is not there, and then the difference is exact`() throws {
    var absences = 0
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder()
      try folder.makeFolder("root/d")
      chmod(folder.path, 0o755)
      for number in 0..<(1 + random.below(6)) { try folder.write("n: \(number)", to: "root/\(number).yaml") }
      let worker = try StoreWorker(at: "\(folder.path)/root", watching: false, options: StoreOptions())
      for _ in 0..<3 {
        try Self.edit(folder, "root", &random)
        let before = worker.published.state.items.keys.map(\.description).sorted()
        if random.oneIn(3) {
          try #require(chmod("\(folder.path)/root", 0) == 0)
          for _ in 0...random.below(2) {
            withoutRoot { worker.scan(Self.batch(&random), isCertain: random.oneIn(2)) }
          }
          try #require(chmod("\(folder.path)/root", 0o755) == 0)
        } else {
          let absence = random.one(of: Self.absences)
          try folder.shell(absence.begin)
          for _ in 0...random.below(2) { worker.scan(Self.batch(&random), isCertain: random.oneIn(2)) }
          try folder.shell(absence.end)
        }
        absences += 1
        #expect(worker.published.state.items.keys.map(\.description).sorted() == before, "\(seedNote(seed))")
        #expect(worker.published.state.folderProblem != nil, "\(seedNote(seed))")
        try Self.edit(folder, "root", &random)
        worker.scan(Self.batch(&random), isCertain: true)
        let fresh = try ItemStore(at: "\(folder.path)/root").currentState
        let state = worker.published.state
        #expect(
          state.items.keys.map(\.description).sorted() == fresh.items.keys.map(\.description).sorted(),
          "\(seedNote(seed))")
        #expect(state.items.allSatisfy { fresh.items[$0]?.fields == $1.fields }, "\(seedNote(seed))")
        #expect(state.problems.isEmpty, "\(seedNote(seed))")
      }
    }
    #expect(absences > 0)
  }

  /// A batch of any paths, with at least one that is read.
  private static func batch(_ random: inout SeededGenerator) -> DirtyPaths {
    var batch = DirtyPaths(files: Set((0...random.below(4)).map { RelativePath(bytes: "\($0).yaml".utf8) }))
    if random.oneIn(2) { batch.subtrees.insert("d") }
    if random.oneIn(2) { batch.subtrees.insert(.root) }
    if random.oneIn(3) { batch.files.insert(PathRules.settingsPath) }
    if random.oneIn(3) { batch.gone = batch.files }
    return batch
  }

  private static func edit(_ folder: TemporaryFolder, _ root: String, _ random: inout SeededGenerator) throws
  {
    for _ in 0..<random.below(3) {
      let name = "\(root)/\(random.one(of: ["", "d/"]))\(random.below(6)).yaml"
      if random.oneIn(3) {
        try folder.shell("rm -f \(name)")
      } else {
        try folder.write("n: \(random.below(1_000))", to: name)
      }
    }
  }
}
