import Files
import HashTreeCollections
import Query
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder

struct ExpansionBudgetTests {
  private static let limit = 1_000

  /// A finding that counts with about `size` bytes.
  private static func finding(_ size: Int) -> FileFinding {
    let moment = FileTime(seconds: 0, nanoseconds: 0)
    return .item(
      FileStamp(size: 0, at: moment), PackedValue(.map(["v": .string(String(repeating: "x", count: size))])))
  }

  private static func contents(_ model: StoreModel) -> [String] {
    model.items.values.map { "\($0.id) \($0.fields.bytes.count)" }.sorted()
      + model.problems.values.map(\.description).sorted()
  }

  private static func fresh(_ files: [RelativePath: Int], chunk: Int, _ random: inout SeededGenerator)
    -> StoreModel
  {
    var model = StoreModel(expandedSize: limit)
    var rest = files.map { (path: $0.key, finding: finding($0.value)) }.shuffled(using: &random)[...]
    while !rest.isEmpty {
      model.load(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    model.finishLoading()
    return model
  }

  @Test(arguments: Randomness.seeds(4))
  func `a changed store holds what a fresh one would hold`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var files: [RelativePath: Int] = [:]
    var model = StoreModel(expandedSize: ExpansionBudgetTests.limit)
    var refusals = 0
    for _ in 0..<300 {
      var findings: [(path: RelativePath, finding: FileFinding)] = []
      for _ in 0..<1 + random.below(4) {
        let path = RelativePath(bytes: "\(random.below(12)).yaml".utf8)
        if random.oneIn(3) {
          files[path] = nil
          findings.append((path, .missing))
        } else {
          let size = random.one(of: [1, 100, 300, 990, 2_000])
          files[path] = size
          findings.append((path, ExpansionBudgetTests.finding(size)))
        }
      }
      _ = model.apply(findings)
      var rounds = 0
      while case let readable = model.consumeReadable(), !readable.isEmpty {
        _ = model.apply(readable.map { ($0, files[$0].map(ExpansionBudgetTests.finding) ?? .missing) })
        rounds += 1
        #expect(rounds <= 12, "Reading again ends; \(seedNote(seed))")
        if rounds > 12 { return }
      }
      let fresh = ExpansionBudgetTests.fresh(files, chunk: 1 + random.below(5), &random)
      #expect(
        ExpansionBudgetTests.contents(model) == ExpansionBudgetTests.contents(fresh), "\(seedNote(seed))")
      refusals += model.problems.count
    }
    #expect(refusals > 0)
  }

  private static let bomb =
    "a0: &a0 [xxxxxxxxxxxxxxxxxxxxxxxx]\n"
    + (1...5).map {
      "a\($0): &a\($0) [" + Array(repeating: "*a\($0 - 1)", count: 8).joined(separator: ", ") + "]\n"
    }.joined()

  @Test func `files with aliases are listed in the order of their paths while the budget has room`() throws {
    let folder = try TemporaryFolder()
    for number in 10..<40 { try folder.write(ExpansionBudgetTests.bomb, to: "\(number).yaml") }
    try folder.write("base: &b {x: 1}\nm: *b\n", to: "99.yaml")
    var options = StoreOptions()
    options.limits.totalExpandedSize = 8 << 20
    let store = try ItemStore(at: folder.path, options: options)
    let listed = store.currentState.items.map(\.value.path).sorted()
    #expect(listed.last == "99.yaml")
    #expect(listed.count > 2)
    #expect(listed.count < 30)
    #expect(
      listed.dropLast() == (10..<10 + listed.count - 1).map { RelativePath(bytes: "\($0).yaml".utf8) }[...])
    #expect(store.problems.count == 31 - listed.count)
    #expect(
      store.problems.allSatisfy {
        $0.message.contains("Aliases and merge keys add more than 8388608 bytes to this folder's files")
      })
  }

  @Test func `ordinary anchors do not count`() {
    let text = (0..<100).map { "b\($0): &b\($0) {name: x\($0)}\nc\($0): [*b\($0), *b\($0)]\n" }.joined()
    let fields = try? PackedValue(reading: text, as: .yaml)
    #expect(fields.map { ExpansionBudget.size(of: $0, fileSize: UInt64(text.utf8.count)) } == 0)
  }
}
