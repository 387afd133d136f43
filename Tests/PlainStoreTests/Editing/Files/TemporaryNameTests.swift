import Files
import Query
@testable import Store
import Testing
import Values

@testable import Folder

struct TemporaryNameTests {
  @Test func `a temporary name states its purpose, is unique and is hidden`() {
    let (read, new) = (
      TemporaryName.ContentStamp(FileStamp(size: .max, modified: -3)),
      TemporaryName.ContentStamp(FileStamp(size: 7, modified: .min))
    )
    for name in [
      TemporaryName.new, .old(read: read, new: nil, digest: nil), .old(read: read, new: new, digest: nil),
      .old(read: read, new: nil, digest: 0),
      .old(read: read, new: new, digest: .max),
    ] {
      let path = name.make()
      #expect(TemporaryName(path.name) == name)
      #expect(path != name.make())
      #expect(path.isHidden)
      #expect(PathRules().format(of: path) == nil)
      #expect(path.bytes.count <= 255)
    }
  }

  @Test(
    arguments: [
      ".notes-watch.yaml", ".notes-watch.", ".notes-watch.new", ".notes-watch.new.", ".notes-watch.new.x.y",
      ".notes-watch.new.zz",
      ".notes-watch.old.1.2.3.ff", ".notes-watch.old.1.2.3.4.5.ff", ".notes-watch.old.-1.2.3.4.ff",
      ".notes-watch.old.1.2.3.4.xg.ff", ".notes-watch.old.1.2.3.4.x1", ".notes-watch.old.x1.ff",
      ".notes-watch.other.ff", "a.yaml",
    ] as [Substring])
  func `a name that no save makes is not a temporary name`(name: Substring) {
    #expect(TemporaryName(name) == nil)
  }
}
