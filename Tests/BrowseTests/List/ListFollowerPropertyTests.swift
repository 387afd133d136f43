import Store
import Streams
import TestSupport
import Testing
import Values

@testable import Browse

/// Random actions, undos and other programs that write the same files.
@Suite struct ListFollowerPropertyTests {
  private struct World {
    var generator: SeededGenerator
    let folder: TemporaryFolder
    /// The files as all that was asked for leaves them; nil for a file that should not exist.
    var files: [String: [UInt8]] = [:]

    static let names = ["a", "b", "c", "d", "e"]
    static let settings = ".notes-watch.yaml"
    static let texts = ["n: 1\n", "n: 1 # one\n", "n: 2\nm: x\n", "m: [1,\n", ""]

    mutating func name() -> String { generator.one(of: World.names) }

    /// Has another program write or remove a file.
    mutating func interfere() throws {
      let file = "\(name()).yaml"
      if generator.oneIn(4) {
        files[file] = nil
        try? folder.remove(file)
      } else {
        let text = Array(generator.one(of: World.texts).utf8)
        files[file] = text
        try folder.write(text, to: file)
      }
    }

    /// The files as they are on the disk.
    func actual() -> [String: [UInt8]] {
      var actual: [String: [UInt8]] = [:]
      actual[World.settings] = try? folder.bytes(of: World.settings)
      for name in World.names { actual["\(name).yaml"] = try? folder.bytes(of: "\(name).yaml") }
      return actual
    }
  }

  @Test(arguments: Randomness.seeds(2))
  func `no action, undo or other program changes what nobody asked to change`(_ seed: UInt64) async throws {
    var world = World(generator: SeededGenerator(seed: seed), folder: try TemporaryFolder())
    for _ in 0..<4 { try world.interfere() }
    let driver = try await FollowerDriver.open(world.folder)
    for _ in 0..<30 {
      try driver.take()
      let snapshot = try #require(driver.snapshot)
      let painted = snapshot.prefix(world.generator.below(3)).map { PaintedItem($0.id, $0.revision) }
      // What is painted may be old by now.
      if world.generator.oneIn(3) { try world.interfere() }
      let before = world.files
      let action = action(&world, painted, driver.follower.store?.settings)
      let outcome = try await driver.perform { _ in action }
      check(outcome, of: action, before, &world, seed)
    }
    try await checkConvergence(driver, world, seed)
  }

  private func action(_ world: inout World, _ painted: [PaintedItem], _ settings: Settings?) -> ItemAction {
    switch world.generator.below(8) {
    case 0: .delete(painted)
    case 1, 2: .assign(painted, words: ["n=\(world.generator.below(4))"])
    case 3: .add(id: world.name(), words: ["n=7"])
    case 4: .redo
    case 5:
      .saveView(
        "v\(world.generator.below(2))",
        ViewDefinition().showing(FetchRequest(limit: world.generator.below(9))),
        settings: settings ?? Settings())
    default: .undo
    }
  }

  /// Compares the files with those before an action, and adopts what the action was asked for.
  private func check(
    _ outcome: ActionOutcome, of action: ItemAction, _ before: [String: [UInt8]], _ world: inout World,
    _ seed: UInt64
  ) {
    let after = world.actual()
    let changed = Set(World.names.map { "\($0).yaml" }.filter { after[$0] != before[$0] })
    let allowed: Set<String>
    switch action {
    case .delete(let items), .assign(let items, _): allowed = Set(items.map { "\($0.id).yaml" })
    case .add(let id, _): allowed = ["\(id).yaml"]
    case .edit, .saveView: allowed = []
    // Its step says which; the texts of a step are compared by the next expectation.
    case .undo, .redo: allowed = Set(World.names.map { "\($0).yaml" })
    }
    #expect(changed.isSubset(of: allowed), "\(outcome.message); \(seedNote(seed))")
    if case .add = action, !outcome.isFailure {
      #expect(changed.allSatisfy { before[$0] == nil }, "\(seedNote(seed))")
    }
    if case .delete(let items) = action, !outcome.isFailure {
      #expect(items.allSatisfy { after["\($0.id).yaml"] == nil }, "\(seedNote(seed))")
    }
    world.files = after
  }

  /// The list that the screen shows at the end is that of a new store.
  private func checkConvergence(_ driver: FollowerDriver, _ world: World, _ seed: UInt64) async throws {
    await driver.follower.store?.settled()
    let fresh = try ItemStore(at: world.folder.path)
    // A file that cannot be read keeps its last item in the store that runs.
    let broken = Set(fresh.problems.map(\.path))
    try await driver.wait("for the newest list; \(seedNote(seed))") {
      let shown = driver.snapshot?.filter { !broken.contains($0.path) } ?? []
      let items = fresh.fetch(FetchRequest())
      return shown.map(\.id) == items.map(\.id) && zip(shown, items).allSatisfy { $0.fields == $1.fields }
    }
  }

  @Test(arguments: Randomness.seeds(2))
  func `undoing and redoing everything restores each file byte for byte`(_ seed: UInt64) async throws {
    var world = World(generator: SeededGenerator(seed: seed), folder: try TemporaryFolder())
    for _ in 0..<6 { try world.interfere() }
    let start = world.actual()
    let driver = try await FollowerDriver.open(world.folder)
    for _ in 0..<12 {
      try driver.take()
      let painted = try #require(driver.snapshot).shuffled(using: &world.generator).prefix(2).map {
        PaintedItem($0.id, $0.revision)
      }
      // What is undone here would be redone below.
      var action = ItemAction.undo
      while action.isUndoOrRedo { action = self.action(&world, painted, driver.follower.store?.settings) }
      _ = try await driver.perform { [action] _ in action }
      await driver.follower.store?.settled()
    }
    let end = world.actual()
    // The last one fails, because there is nothing left.
    while try await !driver.perform({ _ in .undo }).isFailure {}
    #expect(world.actual() == start, "\(seedNote(seed))")
    while try await !driver.perform({ _ in .redo }).isFailure {}
    #expect(world.actual() == end, "\(seedNote(seed))")
  }
}

extension ItemAction {
  fileprivate var isUndoOrRedo: Bool {
    switch self {
    case .undo, .redo: true
    default: false
    }
  }
}
