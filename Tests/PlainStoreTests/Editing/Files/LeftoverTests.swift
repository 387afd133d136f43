import Files
import Foundation
import Glibc
import Query
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder

struct LeftoverTests {
  private static func name(of read: RelativePath, new: RelativePath? = nil, in folder: OpenFolder) throws
    -> RelativePath
  {
    func identity(_ path: RelativePath) throws -> TemporaryName.ContentStamp {
      TemporaryName.ContentStamp(try #require(try folder.stamp(of: path)))
    }
    return TemporaryName.old(read: try identity(read), new: try new.map(identity), digest: nil).make()
  }

  @Test
  func `leftovers of a killed writer are deleted by the next save unless an editor may have saved them`()
    throws
  {
    let temporary = try TemporaryFolder([
      "a.yaml": "k: 1\n", "read.yaml": "k: 1\n", "gone.yaml": "k: 1\n", "new": "k: 2\n",
      ".notes-watch.keep": "mine",
    ])
    let root = try OpenFolder(temporary.path)
    // A text that was being written.
    try temporary.write("k: half", to: TemporaryName.new.make().description)
    // A version by an editor that came out of an exchange.
    let kept = try Self.name(of: "a.yaml", new: "new", in: root)
    try temporary.write("an editor's", to: kept.description)
    // Killed after the exchange, before the old file was deleted; and killed before the exchange.
    let exchanged = try Self.name(of: "read.yaml", new: "new", in: root)
    let waiting = try Self.name(of: "a.yaml", new: "new", in: root)
    let deleted = try Self.name(of: "gone.yaml", in: root)
    try temporary.shell("mv read.yaml \(exchanged); mv new \(waiting); mv gone.yaml \(deleted)")

    var scope = EditScope()
    scope.insert("b", fields: [:])
    let report = try ItemEditor(root: temporary.path).saveEach(scope)
    try report.check()
    #expect(
      report.outcomes[0].warnings.first?.hasPrefix("\(kept): Another program may have saved this version of")
        == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted()
    #expect(names == [".notes-watch.keep", kept.description, "a.yaml", "b.yaml"])
  }

  /// Makes a folder with the file that a killed save of `a.yaml` replaced.
  private static func interrupted() throws -> (TemporaryFolder, SaveFolder, name: String) {
    let temporary = try TemporaryFolder(["a.yaml": "k: 1\n"])
    var abilities = FileSaver.Abilities()
    abilities.acquireLease = { _ in EACCES }
    abilities.grace = .zero
    var scope = EditScope()
    scope.update("a", [.set("k", 2)])
    var session = try ItemEditor(root: temporary.path, options: StoreOptions(), abilities: abilities).session(
      .error)
    session.begin(scope)
    #expect(session.nextWithoutGrace()?.id == nil)
    #expect(session.unconfirmed.count == 1)
    session.unconfirmed = []
    let root = try OpenFolder(temporary.path)
    let folder = try #require(try SaveFolder.open(.root, below: root))
    return (temporary, folder, try #require(Leftover.all(in: folder).first?.name.description))
  }

  private static func sweep(
    _ folder: SaveFolder, after seconds: Int64, lease: @escaping @Sendable (CInt) -> CInt
  ) -> [Leftover] {
    var abilities = FileSaver.Abilities()
    abilities.acquireLease = lease
    return Leftover.sweep(folder, abilities, now: Int64(time(nil)) + seconds)
  }

  @Test(arguments: [EACCES, EAGAIN, EINVAL, ENOLCK])
  func `a replaced file stays much longer than a grace period without leases`(refusal: CInt) throws {
    let (temporary, folder, name) = try Self.interrupted()
    #expect(Self.sweep(folder, after: 30, lease: { _ in refusal }) == [])
    #expect(FileManager.default.fileExists(atPath: "\(temporary.path)/\(name)"))
    #expect(Self.sweep(folder, after: 120, lease: { _ in refusal }) == [])
    #expect(!FileManager.default.fileExists(atPath: "\(temporary.path)/\(name)"))
  }

  @Test func `a replaced file that a program has open for writing stays at any age`() throws {
    let (temporary, folder, name) = try Self.interrupted()
    let file = open("\(temporary.path)/\(name)", O_WRONLY | O_CLOEXEC)
    try #require(file >= 0)
    #expect(Self.sweep(folder, after: 1_000_000, lease: { HeldFile.acquireLease($0) }) == [])
    #expect(FileManager.default.fileExists(atPath: "\(temporary.path)/\(name)"))
    close(file)
    #expect(Self.sweep(folder, after: 0, lease: { HeldFile.acquireLease($0) }) == [])
    #expect(!FileManager.default.fileExists(atPath: "\(temporary.path)/\(name)"))
  }

  /// Covers versions of equal size and time.
  @Test(arguments: ["k: 7\n", "k: 77\n", ""], [0, EACCES, EAGAIN])
  func `a write to a replaced file between two checks is kept and reported`(text: String, refusal: CInt)
    throws
  {
    let (temporary, folder, name) = try Self.interrupted()
    let path = "\(temporary.path)/\(name)"
    let found = Self.sweep(folder, after: 120) { file in
      if (try? String(contentsOfFile: path, encoding: .utf8)) == "k: 1\n" {
        _ = try? temporary.shell(
          "touch -r '\(path)' time; printf '\(text.replacing("\n", with: "\\n"))' > '\(path)'; touch -r time '\(path)'"
        )
      }
      return refusal == 0 ? HeldFile.acquireLease(file) : refusal
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    #expect(found.map(\.name.description) == [name])
    #expect(found.map(\.kind) == [.saved])
  }

  @Test func `a sweep deletes a replaced file only if it is unchanged and no program can write to it`() throws
  {
    var deleted = 0
    for seed in Randomness.seeds(60) {
      var generator = SeededGenerator(seed: seed)
      let (temporary, folder, name) = try Self.interrupted()
      let path = "\(temporary.path)/\(name)"
      let text = generator.one(of: ["k: 1\n", "k: 1\n", "k: 3\n", "", "k: 1\nmore: 2\n"])
      let (isEarly, isOpen, seconds) = (generator.oneIn(2), generator.oneIn(3), Int64(generator.below(120)))
      let refusal = generator.one(of: [0, 0, EACCES, EAGAIN])
      let write: @Sendable () -> Void = {
        if text != "k: 1\n" {
          _ = try? temporary.shell(
            "touch -r '\(path)' t; printf '%s' '\(text)' > '\(path)'; touch -r t '\(path)'")
        }
      }
      if isEarly { write() }
      let file = isOpen ? open(path, O_WRONLY | O_CLOEXEC) : -1
      _ = Self.sweep(folder, after: seconds) { file in
        if !isEarly, (try? String(contentsOfFile: path, encoding: .utf8)) == "k: 1\n" { write() }
        return refusal == 0 ? HeldFile.acquireLease(file) : refusal
      }
      if isOpen { close(file) }
      let isKnownUnused = refusal == 0 ? !isOpen : seconds > 70
      let isUncertain = refusal != 0 && (50...70).contains(seconds)
      let isThere = FileManager.default.fileExists(atPath: path)
      if !isUncertain {
        #expect(
          isThere == (text != "k: 1\n" || !isKnownUnused),
          "\(text.debugDescription) \(refusal) \(seconds) \(isOpen); \(seedNote(seed))")
      }
      deleted += isThere ? 0 : 1
    }
    #expect(deleted > 0)
  }

  @Test func `a check of a leftover does not prevent a save from marking it`() throws {
    let temporary = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let root = try OpenFolder(temporary.path)
    guard case .held(let held) = try HeldFile.read("a.yaml", in: root, as: .yaml, ReadLimits()) else {
      Issue.record("not read")
      return
    }
    let other = open("\(temporary.path)/a.yaml", O_RDONLY | O_CLOEXEC)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    var tries = 0
    let isMarked = held.mark {
      tries += 1
      if tries == 3 { close(other) }
    }
    #expect(isMarked)
    #expect(tries == 3)
  }

  @Test func `a replaced file that lost its name and cannot be read does not count as empty`() throws {
    let temporary = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let root = try OpenFolder(temporary.path)
    guard case .held(let held) = try HeldFile.read("a.yaml", in: root, as: .yaml, ReadLimits()) else {
      Issue.record("not read")
      return
    }
    // A descriptor that is open only for writing cannot be read.
    let unreadable = open("\(temporary.path)/a.yaml", O_WRONLY | O_CLOEXEC)
    #expect(dup2(unreadable, held.descriptor) == held.descriptor)
    close(unreadable)
    let folder = try #require(try SaveFolder.open(.root, below: root))
    let saver = FileSaver(folder: folder, name: "a.yaml", abilities: FileSaver.Abilities())
    let replaced = ReplacedFile(held: held, kept: nil, placed: folder.stamp(of: "a.yaml"))
    #expect(throws: Problem.self) { try replaced.settle(with: saver) }
    #expect(try String(contentsOfFile: "\(temporary.path)/a.yaml", encoding: .utf8) == "k: 1\n")
  }

  @Test func `a file in use by another writer stays`() throws {
    let temporary = try TemporaryFolder(["d/a.yaml": "k: 1\n"])
    let root = try OpenFolder(temporary.path)
    var busy = try SaveFolder.open("d", below: root)
    #expect(try busy?.lock(patience: .zero) == .held)
    let other = try #require(try SaveFolder.open("d", below: root))
    #expect(try other.lock(patience: .zero) == .busy)
    busy = nil
    #expect(try other.lock(patience: .zero) == .held)
  }
}
