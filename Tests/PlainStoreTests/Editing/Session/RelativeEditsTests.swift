import Files
import Query
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

/// Two writers read an item and change it, one after the other.
@Suite(.timeLimit(.minutes(1)))
struct RelativeEditsTests {
  @Test(arguments: MergePolicy.allCases, [false, true])
  func `two stores that append keep the elements of both`(policy: MergePolicy, withOthers: Bool) async throws
  {
    // With another edit the change as a whole is a conflict, and nothing of it is made.
    if policy == .error, withOthers { return try await Self.conflict() }
    let folder = try TemporaryFolder(["a.yaml": "tags: []\nn: 0\n"])
    let stores = [try ItemStore(at: folder.path), try ItemStore(at: folder.path)]
    for number in 0..<15 {
      for (index, store) in stores.enumerated() {
        var edits: [TextEdit] = [.append(.string("s\(index)-\(number)"), to: "tags")]
        if withOthers { edits.append(.set("n", .number(.integer(number * 2 + index + 1)))) }
        try await store.update("a", edits, policy: policy)
      }
    }
    let expected = (0..<15).flatMap { number in [Value.string("s0-\(number)"), .string("s1-\(number)")] }
    #expect(try ItemEditor(root: folder.path).read("a").item.value(at: "tags") == .list(expected))
  }

  @Test(arguments: MergePolicy.allCases)
  func `scopes that were made at the same time keep the elements of all`(policy: MergePolicy)
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "tags: [x]\n"])
    let store = try ItemStore(at: folder.path)
    let scopes = (0..<15).map { number in
      var scope = store.makeEditScope()
      scope.update("a", [.append(.string("s\(number)"), to: "tags")])
      if number == 7 { scope.update("a", [.removeValue("x", from: "tags")]) }
      return scope
    }
    for scope in scopes { try await store.save(scope, policy: policy) }
    #expect(store.item("a")?.value(at: "tags") == .list((0..<15).map { .string("s\($0)") }))
  }

  private static func conflict() async throws {
    let folder = try TemporaryFolder(["a.yaml": "tags: []\nn: 0\n"])
    let store = try ItemStore(at: folder.path)
    try folder.write("tags: [x]\nn: 0\n", to: "a.yaml")
    let error = await #expect(throws: EditError.self) {
      try await store.update("a", [.append("y", to: "tags"), .set("n", 1)])
    }
    #expect(error?.code == .conflict)
    #expect(try folder.text(of: "a.yaml") == "tags: [x]\nn: 0\n")
  }

  @Test(arguments: MergePolicy.allCases) func `a value is removed from the newest list`(policy: MergePolicy)
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "tags: [a, b, c]\n"])
    let store = try ItemStore(at: folder.path)
    try folder.write("tags: [new, c, b] # theirs\n", to: "a.yaml")
    #expect(
      try await store.update("a", [.removeValue("b", from: "tags")], policy: policy).result
        == .updated(isMerged: true))
    #expect(try folder.text(of: "a.yaml") == "tags: [new, c] # theirs\n")
    try folder.write("tags: [new, c, c]\n", to: "a.yaml")
    #expect(
      try await store.update("a", [.removeValue("gone", from: "tags")], policy: policy).result == .unchanged)
    try folder.write("tags: [new, c, c, d]\n", to: "a.yaml")
    let error = await #expect(throws: EditError.self) {
      try await store.update("a", [.removeValue("c", from: "tags")], policy: policy)
    }
    #expect(error?.refusal?.reason == .ambiguous)
    #expect(try folder.text(of: "a.yaml") == "tags: [new, c, c, d]\n")
  }

  @Test func `an edit by a number follows the policy if the list changed`() async throws {
    for edit in [
      TextEdit.set("tags[0]", "x"), .remove("tags[0]"), .insert("tags[0]", "x"), .append("x", to: "lists[0]"),
    ] {
      let folder = try TemporaryFolder(["a.yaml": "tags: [a, b]\nlists: [[1], [2]]\n"])
      let store = try ItemStore(at: folder.path)
      try folder.write("tags: [new, a, b]\nlists: [[0], [1], [2]]\n", to: "a.yaml")
      let error = await #expect(throws: EditError.self, "\(edit)") { try await store.update("a", [edit]) }
      #expect(error?.code == .conflict, "\(edit)")
      #expect(try folder.text(of: "a.yaml") == "tags: [new, a, b]\nlists: [[0], [1], [2]]\n")
    }
    let folder = try TemporaryFolder(["a.yaml": "tags: [a, b]\nlists: [[1], [2]]\n"])
    let store = try ItemStore(at: folder.path)
    try folder.write("tags: [new, a, b]\nlists: [[0], [1], [2]]\n", to: "a.yaml")
    try await store.update("a", [.remove("tags[1]")], policy: .mergeByPropertyObjectTrump)
    #expect(try folder.text(of: "a.yaml") == "tags: [new, a]\nlists: [[0], [1], [2]]\n")
  }

  // MARK: Random edits

  /// The change that one writer makes to the item.
  private struct Side {
    var appended: [String] = []
    var removed: [String] = []
    /// An edit of `tags` by the number of an element.
    var byNumber: TextEdit?
    /// The new values of the scalars.
    var set: [String: Int] = [:]

    init(_ name: String, _ base: [String], _ generator: inout SeededGenerator) {
      if generator.oneIn(2) { appended = (0..<generator.below(3)).map { "\(name)\($0)" } }
      if generator.oneIn(2) { removed = base.filter { _ in generator.oneIn(3) } }
      if generator.oneIn(3), !base.isEmpty {
        let path = FieldPath(keys: ["tags", String(generator.below(base.count))])
        byNumber = generator.one(of: [
          .set(path, .string("\(name)-set")), .remove(path), .insert(path, .string("\(name)-inserted")),
        ])
      }
      for key in ["n", "m"] where generator.oneIn(3) { set[key] = generator.below(3) }
    }

    var edits: [TextEdit] {
      (byNumber.map { [$0] } ?? []) + removed.map { .removeValue(.string($0), from: "tags") }
        + appended.map { .append(.string($0), to: "tags") }
        + set.sorted { $0.key < $1.key }.map { .set(FieldPath(keys: [$0.key]), .number(.integer($0.value))) }
    }

    var isRelative: Bool { byNumber == nil && set.isEmpty }

    /// The list after the relative edits.
    func relative(_ list: [String]) -> [String] { list.filter { !removed.contains($0) } + appended }
  }

  private static func tags(_ fields: Fields) -> [String] {
    if case .list(let elements)? = fields["tags"] { elements.map(\.text) } else { [] }
  }

  @Test(arguments: MergePolicy.allCases) func `concurrent edits lose only what the policy says`(
    policy: MergePolicy
  ) throws {
    var conflicts = 0
    for seed in Randomness.seeds(1_500) {
      var generator = SeededGenerator(seed: seed)
      let list = (0..<generator.below(5)).map { "t\($0)" }
      let base: Fields = ["n": 0, "tags": .list(list.map { .string($0) }), "m": 0]
      let (other, own) = (Side("a", list, &generator), Side("b", list, &generator))
      let read = try ItemText.new(base, as: .yaml, ReadLimits())
      guard let current = try? read.edited(by: other.edits) else { continue }
      let theirs = try #require(try current.fields.get().value.fields)
      let revision = ItemRevision(
        path: "a.yaml", stamp: FileStamp(), fields: try read.fields.get(), bytes: nil)
      let note = Comment(rawValue: "\(seedNote(seed)) \(policy): \(other.edits) and \(own.edits) of \(base)")
      guard let ours = try? base.applying(own.edits) else { continue }
      let resolved: ResolvedEdit
      do throws(EditError) {
        resolved = try EditResolver(policy: policy).resolve(
          PendingChange(id: "a", act: .update, edits: own.edits, revision: revision), at: "a.yaml", as: .yaml,
          FileContent(text: current, stamp: FileStamp()))
      } catch {
        conflicts += 1
        #expect(error.code == .conflict, note)
        #expect(policy == .error, note)
        #expect(!own.isRelative, note)
        continue
      }
      let result = try #require(try resolved.text?.fields.get().value.fields, note)
      if base == theirs || own.edits.isEmpty {
        #expect(result == (own.edits.isEmpty ? theirs : ours), note)
        continue
      }
      check(result, base, theirs, ours, own, policy, resolved.unsaved, note)
    }
    #expect(policy != .error || conflicts > 0)
  }

  private func check(
    _ result: Fields, _ base: Fields, _ theirs: Fields, _ ours: Fields, _ own: Side, _ policy: MergePolicy,
    _ unsaved: UnsavedChanges,
    _ note: Comment
  ) {
    let tags = Self.tags(result)
    if own.byNumber == nil {
      // `overwrite` restores a list that our change does not mention.
      let isRestored = policy == .overwrite && own.appended.isEmpty && own.removed.isEmpty && !own.isRelative
      #expect(tags == (isRestored ? Self.tags(base) : own.relative(Self.tags(theirs))), note)
    } else {
      let (before, now, wanted) = (Self.tags(base), Self.tags(theirs), Self.tags(ours))
      // No edit reached an element that nobody meant, and nothing was made up.
      for element in before where now.contains(element) && wanted.contains(element) {
        #expect(tags.contains(element), note)
      }
      for element in tags { #expect(now.contains(element) || wanted.contains(element), note) }
      if policy == .rollback { #expect(tags == now, note) }
      if policy == .overwrite { #expect(tags == wanted, note) }
    }
    for key in ["n", "m"] {
      let (before, now, wanted) = (base[key], theirs[key], ours[key])
      let expected: Value? =
        switch policy {
        case .error: before
        case .rollback: now
        case .overwrite: own.isRelative ? now : wanted
        case .mergeByPropertyStoreTrump: now != before ? now : wanted
        case .mergeByPropertyObjectTrump: wanted != before ? wanted : now
        }
      if policy == .error, own.isRelative {
        #expect(result[key] == now, note)
      } else {
        #expect(result[key] == expected, note)
      }
      let isReported =
        policy == .overwrite || policy == .error || wanted == before || result[key] == wanted
        || unsaved.fields.contains(key)
      #expect(isReported, note)
    }
  }
}
