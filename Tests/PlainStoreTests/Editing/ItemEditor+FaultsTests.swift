import Files
import Foundation
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// If a save cannot be made, the old file is unchanged, the error says why, and no temporary file
/// is left.
@Suite(.timeLimit(.minutes(2)))
struct ItemEditorFaultsTests {
  private static let old = "name: Ada # mine\nrating: 1\n"

  /// An update, two inserts and a delete.
  private static func failures(in path: String, text: String = "new") throws -> [EditError] {
    var scope = EditScope()
    scope.update("a", [.set("name", .string(text))])
    scope.insert("new", fields: ["name": .string(text)])
    scope.insert("d/e/new", fields: ["name": .string(text)])
    scope.delete("b")
    return try ItemEditor(root: path).saveEach(scope).failures
  }

  private static func tree(_ path: String) throws -> String {
    try Shell.run("find . ! -path . -printf '%P %m %s\\n' | sort; cat a.yaml", in: path)
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"))
  func `a full disk fails a save without a change`() throws {
    let temporary = try TemporaryFolder()
    for limit in ["size=64k", "size=1m,nr_inodes=6"] {
      let mount = try TemporaryMount("-t tmpfs -o \(limit) none", at: "root", in: temporary)
      try temporary.shell(
        "cd root; printf '\(Self.old.replacing("\n", with: "\\n"))' > a.yaml; echo 'k: 1' > b.yaml; mkdir keep"
      )
      // Fills the disk.
      _ = try? temporary.shell(
        "cd root; for i in 1 2 3 4 5 6 7 8 9; do echo 1 > keep/$i; done; dd if=/dev/zero of=keep/0 bs=4k count=300"
      )
      let before = try Self.tree(mount.path)
      let failures = try Self.failures(in: mount.path, text: String(repeating: "long ", count: 2_000))
      #expect(failures.map(\.code) == [.noSpace, .noSpace, .noSpace], "\(failures)")
      #expect(
        failures.allSatisfy { $0.message.contains("the disk is full. Nothing was changed.") }, "\(failures)")
      // Only the change that needs no space was made.
      #expect(try Self.tree(mount.path) == before.replacing("b.yaml 644 5\n", with: ""))
    }
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"))
  func `a read-only file system fails a save without a change`() throws {
    let temporary = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs none", at: "root", in: temporary)
    try temporary.shell("cd root; echo 'name: x' > a.yaml; echo 'k: 1' > b.yaml; mount -o remount,ro .")
    let before = try Self.tree(mount.path)
    let failures = try Self.failures(in: mount.path)
    #expect(failures.map(\.code) == [.readOnly, .readOnly, .readOnly, .readOnly], "\(failures)")
    #expect(try Self.tree(mount.path) == before)
  }

  @Test(arguments: ["chmod 555 . d", "chmod 777 .; chmod 444 *.yaml; chmod 555 d"])
  func `missing permission fails a save without a change`(script: String) throws {
    let temporary = try TemporaryFolder(["a.yaml": Self.old, "b.yaml": "k: 1\n"])
    try temporary.shell("mkdir d; chmod 666 *.yaml; chmod 777 d; \(script)")
    let before = try Self.tree(temporary.path)
    let failures = try withoutRoot { try Self.failures(in: temporary.path) }
    // A new item may be created in a folder that may be written.
    let isOpen = script.hasPrefix("chmod 777")
    #expect(failures.map(\.code) == Array(repeating: .permissionDenied, count: isOpen ? 3 : 4), "\(failures)")
    #expect(try Self.tree(temporary.path).replacing("new.yaml 644 10\n", with: "") == before)
  }

  /// The copy of an image holds only the data that reached the disk, as after a power cut.
  @Test(.enabled(if: TemporaryMount.hasLoops, "needs a root that may mount images"))
  func `a power cut after a save loses nothing`() throws {
    let temporary = try TemporaryFolder()
    try temporary.shell("truncate -s 16M image; mkfs.ext4 -q -F image")
    let mount = try TemporaryMount("-o loop image", at: "root", in: temporary)
    try temporary.shell(
      "cd root; for i in a b gone; do echo 'rating: 1' > $i.yaml; done; sync -f .; echo 'rating: 2' > lost.yaml"
    )
    let editor = try ItemEditor(root: mount.path)
    var scope = EditScope()
    scope.update("a", [.set("rating", 3)])
    scope.insert("d/e/new", fields: ["rating": 4])
    scope.delete("gone")
    try editor.save(scope)
    try temporary.shell("cp image copy")
    let copy = try TemporaryMount("-o loop copy", at: "after", in: temporary)
    let store = try ItemStore(at: copy.path)
    let ratings = ["a", "b", "d/e/new", "gone"].map {
      store.item(Item.ID(printed: $0))?.value(at: "rating")?.text
    }
    #expect(ratings == ["3", "1", "4", nil])
    #expect(try Shell.run("find . -name '.notes-watch*'", in: copy.path) == "")
  }

  /// True if this machine can mount an overlay.
  private static let hasOverlays: Bool = {
    guard TemporaryMount.isPossible, let folder = try? TemporaryFolder(),
      let lower = try? TemporaryMount("-t tmpfs none", at: "lower", in: folder),
      (try? folder.shell("mkdir upper work")) != nil
    else { return false }
    return withExtendedLifetime(lower) {
      (try? TemporaryMount(
        "-t overlay none -o lowerdir=lower,upperdir=upper,workdir=work", at: "root", in: folder)) != nil
    }
  }()

  @Test(.enabled(if: hasOverlays, "needs a root that may mount overlays"))
  func `an overlay, whose files change their numbers when written, can be saved to`() throws {
    let temporary = try TemporaryFolder()
    let lower = try TemporaryMount("-t tmpfs none", at: "lower", in: temporary)
    try temporary.shell("mkdir upper work; for i in a b; do echo 'rating: 1' > lower/$i.yaml; done")
    let mount = try TemporaryMount(
      "-t overlay none -o lowerdir=lower,upperdir=upper,workdir=work", at: "root", in: temporary)
    var scope = EditScope()
    scope.update("a", [.set("rating", 2)])
    scope.delete("b")
    scope.insert("c", fields: ["rating": 3])
    try ItemEditor(root: mount.path).save(scope)
    #expect(try ItemEditor(root: mount.path).saveEach(scope).failures.map(\.code) == [.notFound, .exists])
    #expect(try Shell.run("cat *; ls -A", in: mount.path) == "rating: 2\nrating: 3\na.yaml\nc.yaml\n")
    withExtendedLifetime(lower) {}
  }

  @Test func `a text larger than the limit is not written`() throws {
    let temporary = try TemporaryFolder(["a.yaml": Self.old, "b.yaml": "k: 1\n"])
    var options = StoreOptions()
    options.limits = ReadLimits(maxSize: 100)
    var scope = EditScope()
    scope.update("a", [.set("name", .string(String(repeating: "x", count: 200)))])
    let report = try ItemEditor(root: temporary.path, options: options).saveEach(scope)
    #expect(report.failures.count == 1, "\(report.failures)")
    #expect(report.failures.first?.description.contains("100") == true, "\(report.failures)")
    #expect(try Self.tree(temporary.path).hasSuffix(Self.old))
  }

  @Test func `UTF-16 is refused with the reason`() throws {
    let temporary = try TemporaryFolder()
    try temporary.write(
      [0xFF, 0xFE] + "k: 1\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, to: "a.yaml")
    var scope = EditScope()
    scope.update("a", [.set("k", 2)])
    let report = try ItemEditor(root: temporary.path).saveEach(scope)
    #expect(report.failures.map(\.code) == [.unreadable], "\(report.failures)")
    #expect(report.failures.first?.message.contains("UTF-16") == true, "\(report.failures)")
  }
}
