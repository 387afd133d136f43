import PlainText
import Testing

@testable import PlainStore

/// What each policy makes of what the file holds by now. The file was read as `mine: 1`, `theirs: 1` and `both: 1`; ours sets `mine` and `both` to 2.
struct EditResolutionTests {
  private static let base = "# c\nmine: 1\ntheirs: 1\nboth: 1\n"
  private static let changed = "# d\nmine: 1\ntheirs: 3\nboth: 3\n"

  private static func content(_ text: String, inode: UInt64 = 0) -> FileContent {
    FileContent(Array(text.utf8), FileStamp(size: UInt64(text.utf8.count)), as: .yaml, ReadLimits())
  }

  private static func revision(_ text: String, hasText: Bool) throws -> ItemRevision {
    let content = content(text)
    return ItemRevision(path: "a.yaml", stamp: content.stamp, fields: try content.fields.get(), bytes: hasText ? content.bytes : nil)
  }

  /// The text that is written, `delete`, `nothing`, `discard`, or the code of an error.
  private static func resolve(_ change: PendingChange, _ current: String?, _ policy: MergePolicy) -> String {
    do throws(EditError) {
      let resolver = EditResolver(policy: policy)
      switch try resolver.resolve(change, at: "a.yaml", as: .yaml, current.map { content($0) }) {
      case .write(let bytes, _): return String(decoding: bytes, as: UTF8.self)
      case .delete: return "delete"
      case .nothing: return "nothing"
      case .discard: return "discard"
      }
    } catch {
      return error.code.rawValue
    }
  }

  private static func update(_ revision: ItemRevision?) -> PendingChange {
    PendingChange(id: "a", act: .update, edits: [.set("mine", 2), .set("both", 2)], revision: revision)
  }

  @Test(arguments: MergePolicy.allCases) func `What is as it was read is just edited, and so is what nothing was read of`(
    policy: MergePolicy
  ) throws {
    let edited = "# c\nmine: 2\ntheirs: 1\nboth: 2\n"
    for hasText in [true, false] {
      #expect(Self.resolve(Self.update(try Self.revision(Self.base, hasText: hasText)), Self.base, policy) == edited)
      // A comment is no value: nobody is undone.
      let commented = Self.base + "# more\n"
      #expect(Self.resolve(Self.update(try Self.revision(Self.base, hasText: hasText)), commented, policy) == edited + "# more\n")
    }
    #expect(Self.resolve(Self.update(nil), Self.changed, policy) == "# d\nmine: 2\ntheirs: 3\nboth: 2\n")
    #expect(Self.resolve(Self.update(nil), "mine: 2\nboth: 2\n", policy) == "nothing")
  }

  @Test(
    arguments: [
      (.error, "conflict"), (.rollback, "discard"), (.mergeByPropertyStoreTrump, "# d\nmine: 2\ntheirs: 3\nboth: 3\n"),
      (.mergeByPropertyObjectTrump, "# d\nmine: 2\ntheirs: 3\nboth: 2\n"), (.overwrite, "# d\nmine: 2\ntheirs: 1\nboth: 2\n"),
    ] as [(MergePolicy, String)])
  func `An item that somebody changed`(policy: MergePolicy, result: String) throws {
    for hasText in [true, false] {
      #expect(Self.resolve(Self.update(try Self.revision(Self.base, hasText: hasText)), Self.changed, policy) == result)
    }
  }

  @Test(
    arguments: [
      (.error, "conflict"), (.rollback, "discard"), (.mergeByPropertyStoreTrump, "discard"), (.mergeByPropertyObjectTrump, "again"),
      (.overwrite, "again"),
    ] as [(MergePolicy, String)])
  func `An item that somebody deleted`(policy: MergePolicy, result: String) throws {
    let again = "mine: 2\ntheirs: 1\nboth: 2\n"
    for hasText in [true, false] {
      let said = Self.resolve(Self.update(try Self.revision(Self.base, hasText: hasText)), nil, policy)
      #expect(said == (result == "again" ? (hasText ? "# c\n" : "") + again : result))
    }
    #expect(Self.resolve(Self.update(nil), nil, policy) == "notFound")
  }

  @Test(
    arguments: [
      (.error, "conflict"), (.rollback, "discard"), (.mergeByPropertyStoreTrump, "discard"), (.mergeByPropertyObjectTrump, "delete"),
      (.overwrite, "delete"),
    ] as [(MergePolicy, String)])
  func `A delete of what somebody changed`(policy: MergePolicy, result: String) throws {
    let change = PendingChange(id: "a", act: .delete, revision: try Self.revision(Self.base, hasText: true))
    #expect(Self.resolve(change, Self.changed, policy) == result)
    // Even a comment would be gone.
    #expect(Self.resolve(change, Self.base + "#", policy) == result)
    #expect(Self.resolve(change, Self.base, policy) == "delete")
    #expect(Self.resolve(change, nil, policy) == "nothing")
    #expect(Self.resolve(PendingChange(id: "a", act: .delete), Self.changed, policy) == "delete")
    #expect(Self.resolve(PendingChange(id: "a", act: .delete), nil, policy) == "notFound")
    #expect(Self.resolve(PendingChange(id: "a", act: .delete), "a: [", policy) == "delete")
  }

  @Test(
    arguments: [
      (.error, "conflict"), (.rollback, "discard"), (.mergeByPropertyStoreTrump, "# d\nmine: 2 # new\ntheirs: 3\nboth: 3\n"),
      (.mergeByPropertyObjectTrump, "# d\nmine: 2 # new\ntheirs: 3\nboth: 2\n"), (.overwrite, "# c\nmine: 2 # new\ntheirs: 1\nboth: 2\n"),
    ] as [(MergePolicy, String)])
  func `A text for the whole file, which somebody changed`(policy: MergePolicy, result: String) throws {
    let text = "# c\nmine: 2 # new\ntheirs: 1\nboth: 2\n"
    let change = PendingChange(
      id: "a", act: .replace(Array(text.utf8)), revision: try Self.revision(Self.base, hasText: true))
    let said = Self.resolve(change, Self.changed, policy)
    #expect(said == result)
    #expect(Self.resolve(change, Self.base, policy) == text)
    #expect(Self.resolve(change, text, policy) == "nothing")
    // Where nothing is in conflict nothing is lost.
    if policy == .mergeByPropertyStoreTrump || policy == .mergeByPropertyObjectTrump {
      #expect(Self.resolve(change, "# c\nmine: 1\ntheirs: 3\nboth: 1\n", policy) == "# c\nmine: 2 # new\ntheirs: 3\nboth: 2\n")
    }
  }

  @Test func `What would be no item is not written`() throws {
    #expect(Self.resolve(PendingChange(id: "a", act: .replace(Array("a: [".utf8))), Self.base, .overwrite) == "unreadable")
    #expect(Self.resolve(PendingChange(id: "a", act: .replace([])), Self.base, .overwrite) == "unreadable")
    #expect(Self.resolve(Self.update(nil), "a: [", .overwrite) == "unreadable")
    #expect(Self.resolve(Self.update(nil), "", .overwrite) == "unreadable")
    #expect(Self.resolve(PendingChange(id: "a", act: .insert(.fields(["x": 1]), .yaml, nil)), nil, .error) == "x: 1\n")
    #expect(Self.resolve(PendingChange(id: "a", act: .insert(.fields(["x": 1]), .yaml, nil)), Self.base, .overwrite) == "exists")
  }
}
