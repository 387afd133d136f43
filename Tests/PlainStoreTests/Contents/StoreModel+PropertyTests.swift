import Files
import HashTreeCollections
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// The model depends only on the last finding of each path, and reports exactly what changed.
struct StoreModelPropertyTests {
  private static let paths: [RelativePath] = [
    "a.json", "a.md", "a.yaml", "b.md", "b/a.md", "$.md", "\u{1}.md", "%.md", "é.md",
  ]

  @Test(arguments: Randomness.seeds(300))
  func `the model holds the last findings, however they are batched`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var idFields: [FieldPath] = random.oneIn(2) ? ["id"] : []
    var model = StoreModel(idFields: idFields)
    model.minReplacedCount = random.below(4)
    var disk = FakeDisk(idFields: idFields)
    for _ in 0..<20 {
      let before = (items: model.items, problems: model.problems)
      var changes = StoreChanges()
      var findings = (0..<random.below(6)).map { _ in StoreModelPropertyTests.finding(&random) }
      if random.oneIn(8) {
        idFields = idFields.isEmpty ? ["id"] : []
        changes = model.reidentify(by: idFields)
        // A path with a problem is read again, as the store does.
        findings += disk.reidentify(by: idFields).filter { model.stamp(of: $0.path) == nil }
      }
      for (path, finding) in findings { disk.take(finding, at: path) }
      changes.formUnion(model.apply(findings))
      guard check(model, disk, seed), check(changes, from: before, to: model, seed) else { return }
    }
  }

  @Test(arguments: Randomness.seeds(200))
  func `loading in parts gives the same model as applying findings`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let idFields: [FieldPath] = random.oneIn(2) ? ["id"] : []
    var loaded = StoreModel(idFields: idFields)
    loaded.minReplacedCount = random.below(4)
    var disk = FakeDisk(idFields: idFields)
    let findings = Dictionary(
      (0..<12).map { _ in StoreModelPropertyTests.finding(&random) }.map { ($0.path, $0.finding) }
    ) { $1 }
    var part: [(path: RelativePath, finding: FileFinding)] = []
    for (path, finding) in findings {
      disk.take(finding, at: path)
      part.append((path, finding))
      if random.oneIn(3) {
        loaded.load(part)
        part = []
      }
    }
    loaded.load(part)
    loaded.finishLoading()
    guard check(loaded, disk, seed) else { return }
    // Later findings are applied as usual.
    let later = (0..<4).map { _ in StoreModelPropertyTests.finding(&random) }
    for (path, finding) in later { disk.take(finding, at: path) }
    _ = loaded.apply(later)
    _ = check(loaded, disk, seed)
  }

  @Test(arguments: Randomness.seeds(300))
  func `without last good items the model is that of a new reading`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let idFields: [FieldPath] = random.oneIn(2) ? ["id"] : []
    var model = StoreModel(idFields: idFields)
    var last: [RelativePath: FileFinding] = [:]
    for _ in 0..<20 {
      let findings = (0..<random.below(6)).map { _ in StoreModelPropertyTests.finding(&random) }
      for (path, finding) in findings {
        if case .unchanged = finding { continue }
        last[path] = finding
      }
      _ = model.apply(findings)
      var fresh = StoreModel(idFields: idFields)
      fresh.load(last.map { (path: $0.key, finding: $0.value) })
      fresh.finishLoading()
      let found = model.withoutLastGoodItems()
      #expect(Self.lines(found.items) == Self.lines(fresh.items), "\(seedNote(seed))")
      #expect(
        Array(found.problems.values).sorted { $0.path < $1.path }
          == fresh.problems.values.sorted { $0.path < $1.path }, "\(seedNote(seed))"
      )
    }
  }

  private static func lines(_ items: ItemTable) -> [String] {
    items.map { "\($0.key) \($0.value.path) \($0.value.fields.value.text)" }.sorted()
  }

  private static func finding(_ random: inout SeededGenerator) -> (path: RelativePath, finding: FileFinding) {
    let path = random.one(of: paths)
    switch random.below(8) {
    case 0, 1: return (path, .missing)
    case 2: return (path, .unchanged)
    case 3: return (path, .problem(Problem(path: path, line: 1 + random.below(2), message: "No.")))
    default:
      var fields: Fields = ["v": .number(.integer(random.below(3)))]
      if !random.oneIn(5) { fields["id"] = random.one(of: ["x", "y", "z", 1, .list([])]) }
      return (path, .item(FileStamp(), PackedValue(.map(fields))))
    }
  }

  private func check(_ model: StoreModel, _ disk: FakeDisk, _ seed: UInt64) -> Bool {
    let items = Dictionary(
      uniqueKeysWithValues: model.items.map {
        ($0.key.description, "\($0.value.path) \($0.value.fields.value.text)")
      })
    let problems = Dictionary(uniqueKeysWithValues: model.problems.map { ($0.key, $0.value.message) })
    #expect(items == disk.items, "\(seedNote(seed))")
    #expect(problems == disk.problems, "\(seedNote(seed))")
    #expect(model.knownPaths == Set(disk.good.keys).union(disk.faults.keys), "\(seedNote(seed))")
    return items == disk.items && problems == disk.problems
  }

  private func check(
    _ changes: StoreChanges, from before: (items: ItemTable, problems: TreeDictionary<RelativePath, Problem>),
    to model: StoreModel, _ seed: UInt64
  ) -> Bool {
    let ids = Set(before.items.keys).union(model.items.keys).filter { before.items[$0] !== model.items[$0] }
    let paths = Set(before.problems.keys).union(model.problems.keys).filter {
      before.problems[$0] != model.problems[$0]
    }
    #expect(changes.ids.isSuperset(of: ids), "\(seedNote(seed))")
    #expect(changes.paths.isSuperset(of: paths), "\(seedNote(seed))")
    return changes.ids.isSuperset(of: ids) && changes.paths.isSuperset(of: paths)
  }
}

/// A model made in the simplest way: everything is computed again from the contents of each path.
private struct FakeDisk {
  var idFields: [FieldPath]
  /// The last good fields of each path.
  var good: [RelativePath: Fields] = [:]
  var faults: [RelativePath: String] = [:]
  /// The last finding of each path.
  private var content: [RelativePath: FileFinding] = [:]

  init(idFields: [FieldPath]) { self.idFields = idFields }

  mutating func take(_ finding: FileFinding, at path: RelativePath) {
    switch finding {
    case .unchanged, .tooExpanded: return
    case .missing: (good[path], faults[path]) = (nil, nil)
    case .problem(let problem): faults[path] = problem.message
    case .item(_, let fields):
      guard case .map(let fields) = fields.value else { return }
      if id(of: fields, at: path) == nil {
        faults[path] = "The id field `id` is missing, empty, a list or a map. Give it a single value."
      } else {
        (good[path], faults[path]) = (fields, nil)
      }
    }
    content[path] = finding
  }

  /// Returns the findings that a scan of everything would make.
  mutating func reidentify(by idFields: [FieldPath]) -> [(path: RelativePath, finding: FileFinding)] {
    self.idFields = idFields
    good = good.filter { id(of: $0.value, at: $0.key) != nil }
    return content.map { ($0.key, $0.value) }
  }

  private func id(of fields: Fields, at path: RelativePath) -> String? {
    if idFields.isEmpty { return String(path.description.split(separator: ".")[0]) }
    guard let id = fields["id"], id.isScalar else { return nil }
    return id.text
  }

  private var claims: [String: [RelativePath]] {
    Dictionary(grouping: good.keys.sorted()) { path in good[path].flatMap { id(of: $0, at: path) } ?? "" }
  }

  var items: [String: String] {
    claims.compactMapValues { paths in good[paths[0]].map { "\(paths[0]) \(Value.map($0).text)" } }
  }

  var problems: [RelativePath: String] {
    var problems: [RelativePath: String] = [:]
    for (id, paths) in claims {
      for path in paths.dropFirst() {
        problems[path] =
          "The id \(id) belongs to \(paths[0]), whose path comes first. Give one of the two files another name or id."
      }
    }
    return problems.merging(faults) { $1 }
  }
}
