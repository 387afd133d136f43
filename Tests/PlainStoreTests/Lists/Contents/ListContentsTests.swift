import Files
import HashTreeCollections
@testable import Models
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

struct ListContentsTests {
  private struct Rated: Decodable, Equatable { var n: Int }

  /// Decodes `Rated`, and records each item that it was given.
  private final class RecordingDecoder: Sendable {
    let items = Mutex<[Item]>([])
    var decoder: ModelDecoder {
      let real = ModelDecoder(Rated.self) { _ in nil }
      return ModelDecoder { [self] item in
        items.withLock { $0.append(item) }
        return real.decode(item)
      }
    }
  }

  private static func request(_ random: inout SeededGenerator) throws -> FetchRequest {
    let predicates: [ItemPredicate?] = [
      nil, ItemPredicate("kind = 1"), ItemPredicate("kind = 2 OR n = 1"), ItemPredicate("n > 0"),
    ]
    let folders: [RelativePath?] = [nil, nil, "d/", "d/e", "none", .root]
    return FetchRequest(folder: random.one(of: folders), predicate: random.one(of: predicates))
  }

  private static func findings(_ random: inout SeededGenerator) -> [(
    path: RelativePath, finding: FileFinding
  )] {
    let paths: [RelativePath] = [
      "a.yaml", "a.md", "b.yaml", "d/c.yaml", "d/c.json", "d/e/f.yaml", "d/e/g.yaml", "de.yaml",
    ]
    return Set((0..<random.below(4)).map { _ in random.one(of: paths) }).map { path in
      let value: Value = random.oneIn(3) ? "bad" : .number(.integer(random.below(3)))
      let item = FileFinding.item(
        FileStamp(), PackedValue(.map(["n": value, "kind": .number(.integer(random.below(3)))])))
      return (
        path,
        random.oneIn(4) ? .missing : random.oneIn(5) ? .problem(Problem(path: path, message: "broken")) : item
      )
    }
  }

  /// The oracle: the items that a request admits.
  private static func admits(_ request: FetchRequest, _ item: Item) -> Bool {
    let folder = request.folder?.description ?? ""
    let isInside = folder.isEmpty || item.path.description.hasPrefix(folder + "/")
    return isInside && request.predicate?.matches(item, in: .now) ?? true
  }

  @Test(arguments: Randomness.seeds(120))
  func `contents of two kinds equal new ones after any steps and requests, except for last good values`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let recorder = RecordingDecoder()
    var model = StoreModel()
    func state() -> StoreState {
      StoreState(items: model.items, problems: model.problems, settings: Settings(), version: 0)
    }
    var memo = UserCodeMemo()
    var request = try Self.request(&random)
    var contents = ListContents(state(), request: request, context: .now, decoder: recorder.decoder, &memo)
    for round in 0..<60 {
      let note = "round \(round), \(request); \(seedNote(seed))"
      let before = contents.state
      var step: StoreStep?
      if random.oneIn(4) { request = try Self.request(&random) }
      if !random.oneIn(5) {
        let changes = model.apply(Self.findings(&random))
        step = StoreStep(state: state(), changes: changes, origin: .files)
      }
      let changes = contents.update(with: step, showing: request, context: .now, &memo)
      // The step reports exactly the differences.
      let expected = StoreChanges(from: before, to: contents.state)
      #expect(changes.ids == expected.ids, "\(note)")
      #expect(changes.paths == expected.paths, "\(note)")
      var freshMemo = UserCodeMemo()
      let fresh = ListContents(
        state(), request: request, context: .now, decoder: ModelDecoder(Rated.self) { _ in nil }, &freshMemo)
      #expect(contents.state.problems == fresh.state.problems, "\(note)")
      #expect(Set(contents.state.items.keys) == Set((contents.state.models ?? [:]).keys), "\(note)")
      for (id, item) in model.items {
        let isAdmitted = Self.admits(request, item)
        let isGood = isAdmitted && (try? item.decode(Rated.self)) != nil
        #expect((fresh.state.items[id] != nil) == isGood, "\(note)")
        if isGood { #expect(contents.state.items[id] === item, "\(note)") }
        if !isAdmitted { #expect(contents.state.items[id] == nil, "\(note)") }
        // A last good value belongs to its file.
        if let kept = contents.state.items[id] { #expect(kept.path == item.path, "\(note)") }
      }
      for (id, _) in contents.state.items { #expect(model.items[id] != nil, "\(note)") }
      // No item was decoded twice, and none that the request does not admit.
      let decoded = recorder.items.withLock { exchange(&$0, with: []) }
      #expect(Set(decoded.map(ObjectIdentifier.init)).count == decoded.count, "\(note)")
      for item in decoded { #expect(Self.admits(request, item), "\(note)") }
      if step == nil, before.items.count == contents.state.items.count, changes.isEmpty {
        #expect(decoded.count <= model.items.count)
      }
    }
  }

  @Test(arguments: Randomness.seeds(60))
  func `an unchanged item is decoded once, whatever the requests in between`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let recorder = RecordingDecoder()
    var model = StoreModel()
    for _ in 0..<12 { _ = model.apply(Self.findings(&random)) }
    let state = StoreState(items: model.items, problems: model.problems, settings: Settings(), version: 0)
    var memo = UserCodeMemo()
    var contents = ListContents(
      state, request: try Self.request(&random), context: .now, decoder: recorder.decoder, &memo)
    for _ in 0..<30 {
      var memo = UserCodeMemo()
      _ = contents.update(with: nil, showing: try Self.request(&random), context: .now, &memo)
    }
    let decoded = recorder.items.withLock(\.self)
    #expect(Set(decoded.map(ObjectIdentifier.init)).count == decoded.count, "\(seedNote(seed))")
    #expect(!decoded.isEmpty || model.items.isEmpty, "\(seedNote(seed))")
  }

  @Test func `a list of items that admits everything is the store's state`() throws {
    let state = StoreState([.sample("a.yaml", [:])])
    var memo = UserCodeMemo()
    var contents = ListContents(state, request: FetchRequest(), context: .now, &memo)
    #expect(contents.state.items["a"] != nil)
    let changes = contents.update(with: nil, showing: FetchRequest(folder: "d"), context: .now, &memo)
    #expect(changes.ids == ["a"])
    #expect(contents.state.items.isEmpty)
    #expect(contents.source.items["a"] != nil)
  }
}
