import Files
import Query
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

/// The decision of each policy. The item was read with `mine`, `theirs` and `both` as 1; our change
/// sets `mine` and `both` to 2.
struct EditResolverTests {
  private static let base = "# c\nmine: 1\ntheirs: 1\nboth: 1\n"
  private static let changed = "# d\nmine: 1\ntheirs: 3\nboth: 3\n"

  private static func content(_ text: String, inode: UInt64 = 0) -> FileContent {
    FileContent(text: ItemText(Array(text.utf8), as: .yaml), stamp: FileStamp(size: UInt64(text.utf8.count)))
  }

  private static func revision(_ text: String, hasText: Bool) throws -> ItemRevision {
    let content = content(text)
    return ItemRevision(
      path: "a.yaml", stamp: content.stamp, fields: try content.text.fields.get(),
      bytes: hasText ? content.text.bytes : nil)
  }

  /// Returns the text to write, `delete`, `nothing`, `discard`, or the code of an error.
  private static func resolve(_ change: PendingChange, _ current: String?, _ policy: MergePolicy) -> String {
    do throws(EditError) {
      let resolver = EditResolver(policy: policy)
      let resolved = try resolver.resolve(change, at: "a.yaml", as: .yaml, current.map { content($0) })
      if let text = resolved.newText { return String(decoding: text.bytes, as: UTF8.self) }
      switch resolved.result {
      case .deleted: return "delete"
      case .unchanged: return "nothing"
      default: return "discard"
      }
    } catch {
      return error.code.description
    }
  }

  private static func update(_ revision: ItemRevision?) -> PendingChange {
    PendingChange(id: "a", act: .update, edits: [.set("mine", 2), .set("both", 2)], revision: revision)
  }

  @Test(arguments: MergePolicy.allCases)
  func `an update edits an unchanged item, and an item that was not read`(
    policy: MergePolicy
  ) throws {
    let edited = "# c\nmine: 2\ntheirs: 1\nboth: 2\n"
    for hasText in [true, false] {
      #expect(
        Self.resolve(Self.update(try Self.revision(Self.base, hasText: hasText)), Self.base, policy) == edited
      )
      // A comment is not a value, so there is no conflict.
      let commented = Self.base + "# more\n"
      #expect(
        Self.resolve(Self.update(try Self.revision(Self.base, hasText: hasText)), commented, policy) == edited
          + "# more\n")
    }
    #expect(Self.resolve(Self.update(nil), Self.changed, policy) == "# d\nmine: 2\ntheirs: 3\nboth: 2\n")
    #expect(Self.resolve(Self.update(nil), "mine: 2\nboth: 2\n", policy) == "nothing")
  }

  @Test(
    arguments: [
      (.error, "conflict"), (.rollback, "discard"),
      (.mergeByPropertyStoreTrump, "# d\nmine: 2\ntheirs: 3\nboth: 3\n"),
      (.mergeByPropertyObjectTrump, "# d\nmine: 2\ntheirs: 3\nboth: 2\n"),
      (.overwrite, "# d\nmine: 2\ntheirs: 1\nboth: 2\n"),
    ] as [(MergePolicy, String)])
  func `an update of a changed item follows the policy`(policy: MergePolicy, result: String) throws {
    for hasText in [true, false] {
      #expect(
        Self.resolve(Self.update(try Self.revision(Self.base, hasText: hasText)), Self.changed, policy)
          == result)
    }
  }

  @Test(
    arguments: [
      (.error, "conflict"), (.rollback, "discard"), (.mergeByPropertyStoreTrump, "discard"),
      (.mergeByPropertyObjectTrump, "again"),
      (.overwrite, "again"),
    ] as [(MergePolicy, String)])
  func `an update of a deleted item follows the policy`(policy: MergePolicy, result: String) throws {
    let again = "mine: 2\ntheirs: 1\nboth: 2\n"
    for hasText in [true, false] {
      let said = Self.resolve(Self.update(try Self.revision(Self.base, hasText: hasText)), nil, policy)
      #expect(said == (result == "again" ? (hasText ? "# c\n" : "") + again : result))
    }
    #expect(Self.resolve(Self.update(nil), nil, policy) == "notFound")
  }

  @Test(
    arguments: [
      (.error, "conflict"), (.rollback, "discard"), (.mergeByPropertyStoreTrump, "discard"),
      (.mergeByPropertyObjectTrump, "delete"),
      (.overwrite, "delete"),
    ] as [(MergePolicy, String)])
  func `a deletion of a changed item follows the policy`(policy: MergePolicy, result: String) throws {
    let change = PendingChange(id: "a", act: .delete, revision: try Self.revision(Self.base, hasText: true))
    #expect(Self.resolve(change, Self.changed, policy) == result)
    // A deletion would also lose a comment.
    #expect(Self.resolve(change, Self.base + "#", policy) == result)
    #expect(Self.resolve(change, Self.base, policy) == "delete")
    #expect(Self.resolve(change, nil, policy) == "nothing")
    #expect(Self.resolve(PendingChange(id: "a", act: .delete), Self.changed, policy) == "delete")
    #expect(Self.resolve(PendingChange(id: "a", act: .delete), nil, policy) == "notFound")
    #expect(Self.resolve(PendingChange(id: "a", act: .delete), "a: [", policy) == "delete")
  }

  @Test(
    arguments: [
      (.error, "conflict"), (.rollback, "discard"),
      (.mergeByPropertyStoreTrump, "# d\nmine: 2 # new\ntheirs: 3\nboth: 3\n"),
      (.mergeByPropertyObjectTrump, "# d\nmine: 2 # new\ntheirs: 3\nboth: 2\n"),
      (.overwrite, "# c\nmine: 2 # new\ntheirs: 1\nboth: 2\n"),
    ] as [(MergePolicy, String)])
  func `a replacement of a changed item follows the policy`(policy: MergePolicy, result: String) throws {
    let text = "# c\nmine: 2 # new\ntheirs: 1\nboth: 2\n"
    let change = PendingChange(
      id: "a", act: .replace(Array(text.utf8)), revision: try Self.revision(Self.base, hasText: true))
    let said = Self.resolve(change, Self.changed, policy)
    #expect(said == result)
    #expect(Self.resolve(change, Self.base, policy) == text)
    #expect(Self.resolve(change, text, policy) == "nothing")
    // Without a conflict nothing is lost.
    if policy == .mergeByPropertyStoreTrump || policy == .mergeByPropertyObjectTrump {
      #expect(
        Self.resolve(change, "# c\nmine: 1\ntheirs: 3\nboth: 1\n", policy)
          == "# c\nmine: 2 # new\ntheirs: 3\nboth: 2\n")
    }
  }

  /// Both sides removed a key and added one in its place. It may be a rename, or two new fields.
  @Test(
    arguments: [
      (.mergeByPropertyObjectTrump, "mine: 1\ndue: 5\npriority: 7\n", "mine: 1\ndue: 1\n"),
      (.mergeByPropertyStoreTrump, "mine: 1\npriority: 7\ndue: 5\n", "discard"),
    ] as [(MergePolicy, String, String)])
  func `a field that replaces another is kept by each policy, and a renamed one is there once`(
    policy: MergePolicy, both: String, once: String
  ) throws {
    func result(_ own: String, _ other: String) throws -> [String] {
      let change = PendingChange(
        id: "a", act: .replace(Array(own.utf8)),
        revision: try Self.revision("mine: 1\nold: 1\n", hasText: true))
      return Self.resolve(change, other, policy).split(separator: "\n").map(String.init).sorted()
    }
    #expect(
      try result("mine: 1\ndue: 5\n", "mine: 1\npriority: 7\n")
        == both.split(separator: "\n").map(String.init).sorted())
    #expect(
      try result("mine: 1\ndue: 1\n", "mine: 1\npriority: 1\n")
        == once.split(separator: "\n").map(String.init).sorted())
  }

  /// Each side changes some fields, and adds comments, blank lines and elements.
  private static func changed(_ lines: [String], by side: String, _ generator: inout SeededGenerator)
    -> String
  {
    var lines = lines
    for _ in 0..<1 + generator.below(3) {
      let index = generator.below(lines.count)
      let key = String(lines[index].prefix { $0 != ":" })
      switch generator.below(7) {
      case 0, 1: if lines[index].contains(":") { lines[index] = "\(key): \(generator.below(3))" }
      case 2: lines[index] += lines[index].isEmpty ? "# \(side)" : " # \(side)"
      case 3: lines.insert("# \(side) \(generator.below(3))", at: index)
      case 4: lines.insert("", at: index)
      case 5: lines.append("\(side)\(lines.count): \(generator.below(3))")
      default: if lines.count > 2 { lines.remove(at: index) }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func `each part of a new text is saved, in conflict, or reported as unsaved under every policy`()
    throws
  {
    let seeds = Randomness.seeds(300)
    var named = 0
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let lines = ["# head", "a: 1", "b: 1 # b", "c: 1", "d: [1, 2]"]
      let base = lines.joined(separator: "\n") + "\n"
      let (ours, theirs) = (
        Self.changed(lines, by: "ours", &generator), Self.changed(lines, by: "theirs", &generator)
      )
      guard let own = PackedText.fields(ours)?.fields, let old = PackedText.fields(base)?.fields,
        PackedText.fields(theirs) != nil
      else {
        continue
      }
      let change = PendingChange(
        id: "a", act: .replace(Array(ours.utf8)), revision: try Self.revision(base, hasText: true))
      for policy in MergePolicy.allCases where policy != .error {
        let decision = try EditResolver(policy: policy).resolve(
          change, at: "a.yaml", as: .yaml, Self.content(theirs))
        let unsaved = decision.unsaved
        let result = String(decoding: decision.text?.bytes ?? [], as: UTF8.self)
        let note = "\(policy) \(seedNote(seed))\n\(ours)---\n\(theirs)---\n\(result)\(unsaved)"
        let found = PackedText.fields(result)?.fields ?? [:]
        for edit in TextEdit.edits(from: old, to: own) where edit.path.keys[0] != "d" {
          let isSaved = found[edit.path.keys[0]] == own[edit.path.keys[0]]
          #expect(isSaved || unsaved.fields.contains(edit.path.keys[0]), "\(edit.path) \(note)")
        }
        for line in ours.split(separator: "\n") where line.contains("# ours") && !result.contains(line) {
          #expect(unsaved.hasOtherText, "\(line) \(note)")
        }
        if !unsaved.isEmpty { named += 1 }
      }
    }
    #expect(named > 0 || seeds.count < 10)
  }

  @Test func `a text that is not an item is not written`() throws {
    #expect(
      Self.resolve(PendingChange(id: "a", act: .replace(Array("a: [".utf8))), Self.base, .overwrite)
        == "unreadable")
    #expect(Self.resolve(PendingChange(id: "a", act: .replace([])), Self.base, .overwrite) == "unreadable")
    #expect(Self.resolve(Self.update(nil), "a: [", .overwrite) == "unreadable")
    #expect(Self.resolve(Self.update(nil), "", .overwrite) == "unreadable")
    #expect(
      Self.resolve(
        PendingChange(id: "a", act: .insert(.fields(["x": 1], isTyped: false), .yaml, nil)), nil, .error)
        == "x: 1\n")
    #expect(
      Self.resolve(
        PendingChange(id: "a", act: .insert(.fields(["x": 1], isTyped: false), .yaml, nil)), Self.base,
        .overwrite) == "exists")
  }
}

private enum PackedText {
  static func fields(_ text: String) -> Value? { try? PackedValue(reading: text, as: .yaml).value }
}
