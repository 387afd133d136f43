import Files
import Query
@testable import Store
import Testing

struct AuditTests {
  @Test func `an audit lists each folder, then compares each file, then ends`() {
    var audit = Audit(known: ["a.md", "d/b.md"])
    #expect(audit.next() == .list([.root]))
    audit.add(folders: ["d"])
    #expect(audit.next() == .list(["d"]))
    guard case .compare(let paths) = audit.next() else {
      Issue.record("nothing is compared")
      return
    }
    #expect(Set(paths) == ["a.md", "d/b.md"])
    #expect(audit.isOver)
    #expect(audit.next() == nil)
  }

  @Test func `each slice is small, and no file is left out`() {
    let known = (0..<2_500).map { RelativePath(bytes: "\($0).md".utf8) }
    var audit = Audit(known: known)
    _ = audit.next()
    var seen: Set<RelativePath> = []
    while case .compare(let paths) = audit.next() {
      #expect(paths.count <= Audit.sliceSize)
      seen.formUnion(paths)
    }
    #expect(seen == Set(known))
    #expect(audit.isOver)
  }

  @Test func `a suspect is confirmed once, after a delay`() {
    var audit = Audit(known: [])
    _ = audit.next()
    audit.suspect("a.md", as: FileStamp(size: 1))
    audit.suspect("b.md", as: nil)
    #expect(!audit.isOver)
    #expect(audit.delay == Audit.confirmationDelay)
    #expect(audit.next() == .confirm(["a.md": FileStamp(size: 1), "b.md": nil]))
    #expect(audit.isOver)
  }
}
