import Files
import Foundation
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// A folder of to-dos that an app changes by drafts, and other programs at the same time. Each text
/// that another program writes has a token of its own.
private struct SharedFolder {
  static let names = ["a", "b", "c", "d/e", "f", "g"]

  let folder: TemporaryFolder
  var random: SeededGenerator
  let hasIDFields: Bool
  private var lastToken = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    hasIDFields = random.oneIn(3)
    folder = try TemporaryFolder()
    if hasIDFields { try folder.write("id-field: key\n", to: ".notes-watch.yaml") }
    for name in SharedFolder.names where !random.oneIn(3) {
      let fields: Fields = ["token": newToken(), "key": .string(key(name)), "rating": 1, "tags": ["x"]]
      try write(fields, to: "\(name).\(random.one(of: ["yaml", "json"]))")
    }
  }

  private mutating func newToken() -> Value {
    lastToken += 1
    return .number(.integer(lastToken))
  }

  private func key(_ name: String) -> String { hasIDFields ? name.replacing("/", with: "-") : name }

  private func write(_ fields: Fields, to path: String) throws {
    try folder.write(ItemText.new(fields, as: format(path), ReadLimits()).bytes, to: path)
  }

  private func format(_ path: String) -> TextFormat { path.hasSuffix("json") ? .json : .yaml }

  private func paths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      !$0.hasPrefix(".") && $0.contains(".")
    }.sorted()
  }

  private func fields(_ path: String) throws -> Fields {
    try PackedValue(reading: folder.bytes(of: path), as: format(path)).value.fields ?? [:]
  }

  /// The text of each file.
  func texts() throws -> [String: [UInt8]] {
    try paths().reduce(into: [:]) { $0[$1] = try folder.bytes(of: $1) }
  }

  /// The tokens in all files, in order.
  func tokens() throws -> [Int] {
    try paths().compactMap {
      if case .number(.integer(let token))? = try fields($0)["token"] { token } else { nil }
    }.sorted()
  }

  /// Changes about half of the files.
  ///
  /// - Returns: The tokens that were written.
  mutating func changeByOthers() throws -> [Int] {
    var written: [Int] = []
    for path in try paths() where random.oneIn(2) {
      var fields = try fields(path)
      fields["token"] = newToken()
      try write(fields, to: path)
      written.append(lastToken)
    }
    return written
  }

  /// Adds some changes to a draft.
  ///
  /// - Returns: True if one of them deletes an item.
  mutating func change(_ draft: inout EditScope) -> Bool {
    var deletes = false
    for _ in 0...random.below(6) {
      let id = Item.ID(key(random.one(of: SharedFolder.names)))
      switch random.below(7) {
      case 0: draft.insert(id, fields: ["rating": 5])
      case 1, 2: draft.update(id, [.set("rating", .number(.integer(random.below(50))))])
      case 3:
        draft.delete(id)
        deletes = true
      case 4, 5: draft.rename(id, to: Item.ID(key(random.one(of: SharedFolder.names))))
      default: draft.update(id, [.append("y", to: "tags")])
      }
    }
    return deletes
  }
}

@Suite(.timeLimit(.minutes(2)))
struct EditScopeOthersPropertyTests {
  @Test
  func `what others wrote since a draft was made is still there once after its save, and after its undo`()
    async throws
  {
    for seed in Randomness.seeds(8) {
      var shared = try SharedFolder(seed: seed)
      let store = try ItemStore(at: shared.folder.path)
      var draft = store.makeEditScope()
      let deletes = shared.change(&draft)
      var written = try shared.changeByOthers()
      // The policy `overwrite` may lose what others wrote: that is what it is for.
      let policy = shared.random.one(of: MergePolicy.allCases.filter { $0 != .overwrite })
      let (before, tokens) = (try shared.texts(), try shared.tokens())
      let report = try await store.saveEach(draft, policy: policy)
      let note = Comment(rawValue: "\(seedNote(seed)) \(policy) \(draft) \(report) \(report.failures)")
      let saved = try shared.texts()
      let savedTokens = try shared.tokens()
      #expect(Set(savedTokens).count == savedTokens.count, note)
      if !deletes { #expect(savedTokens == tokens, note) }
      if !deletes || policy != .mergeByPropertyObjectTrump {
        #expect(Set(savedTokens).isSuperset(of: written), note)
      }

      let isUntouched = shared.random.oneIn(2)
      written = isUntouched ? [] : try shared.changeByOthers()
      let undone = try await store.saveEach(
        report.inverse, policy: shared.random.one(of: MergePolicy.allCases))
      let undoneTokens = try shared.tokens()
      #expect(Set(undoneTokens).count == undoneTokens.count, note)
      #expect(Set(undoneTokens).isSuperset(of: written), note)
      guard isUntouched else { continue }
      #expect(undone.failures.isEmpty, note)
      #expect(try shared.texts() == before, note)
      // The undo of the undo.
      try await store.save(undone.inverse)
      #expect(try shared.texts() == saved, note)
    }
  }
}
