import LinuxFiles
import DirectoryWatch
import HashTreeCollections
import PlainText
import TestSupport
import Testing

@testable import PlainStore

struct DecodedStoreTests {
  private struct Rated: Decodable, Equatable { var n: Int }

  @Test(arguments: Randomness.seeds(60))
  func `a decoded store equals a new one after any steps, except for last good values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let decoder = ModelDecoder(Rated.self) { _ in nil }
    var model = StoreModel()
    func state() -> StoreState { StoreState(items: model.items, problems: model.problems, settings: Settings(), version: 0) }
    let decoded = DecodedStore(state(), decoder)
    for _ in 0..<60 {
      let before = try #require(decoded.state)
      var findings: [(path: RelativePath, finding: FileFinding)] = []
      for path in Set(
        (0..<random.below(4)).map { _ in random.one(of: ["a.yaml", "a.md", "b.yaml", "c.yaml", "c.json"] as [RelativePath]) })
      {
        let value: Value = random.oneIn(3) ? "bad" : .number(.integer(random.below(3)))
        let item = FileFinding.item(FileStamp(), PackedValue(.map(["n": value])))
        findings.append((path, random.oneIn(4) ? .missing : random.oneIn(5) ? .problem(Problem(path: path, message: "broken")) : item))
      }
      let changes = model.apply(findings)
      let step = decoded.update(with: StoreStep(state: state(), changes: changes, origin: .files))
      // The step reports exactly the differences.
      let expected = StoreChanges(from: before, to: step.state)
      #expect(step.changes.ids == expected.ids, "\(seedNote(seed))")
      #expect(step.changes.paths == expected.paths, "\(seedNote(seed))")
      let fresh = try #require(DecodedStore(state(), decoder).state)
      #expect(step.state.problems == fresh.problems, "\(seedNote(seed))")
      for (id, item) in model.items {
        if fresh.items[id] != nil { #expect(step.state.items[id] === item, "\(seedNote(seed))") }
        if let kept = step.state.items[id] { #expect(kept.path == item.path, "\(seedNote(seed))") }
        #expect((step.state.items[id] == nil) == (step.state.models?[id] == nil), "\(seedNote(seed))")
      }
      for (id, _) in step.state.items { #expect(model.items[id] != nil, "\(seedNote(seed))") }
    }
  }
}
