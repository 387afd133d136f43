import Files
import Foundation
import Glibc
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// Saves on systems whose leases do not show whether another program has the file open for writing.
@Suite(.timeLimit(.minutes(2)))
struct ReplacedFileTests {
  /// The errors of a lease: for a user who is not the owner, and on some network file systems for
  /// everybody.
  private static let refusals: [CInt] = [EACCES, EAGAIN]

  private static func abilities(_ refusal: CInt, grace: Duration = .seconds(2)) -> FileSaver.Abilities {
    var abilities = FileSaver.Abilities()
    abilities.acquireLease = { _ in refusal }
    abilities.grace = grace
    return abilities
  }

  private static func hidden(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".notes-watch.") }
  }

  private static func text(_ name: String, in folder: TemporaryFolder) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  /// True if a save holds its lock on a file that it replaced.
  private static func isMarked(_ file: CInt) -> Bool {
    if flock(file, LOCK_EX | LOCK_NB) != 0 { return true }
    _ = flock(file, LOCK_UN)
    return false
  }

  /// Saves while another program has the file open and writes as soon as the file is replaced and the save
  /// has marked it for a later check. A write before that is found at once, and the change made again.
  private static func save(
    _ scope: EditScope, in folder: TemporaryFolder, _ abilities: FileSaver.Abilities,
    policy: MergePolicy = .error, late: String
  ) throws -> SaveReport {
    let path = "\(folder.path)/a.yaml"
    let file = open(path, O_RDWR | O_CLOEXEC)
    try #require(file >= 0)
    let before = try #require(try OpenFolder(folder.path).stamp(of: "a.yaml"))
    let report = Mutex<SaveReport?>(nil)
    let errors = Threads.run(2) { side in
      if side == 0 {
        let saved = try ItemEditor(root: folder.path, options: StoreOptions(), abilities: abilities).saveEach(
          scope, policy: policy)
        report.withLock { $0 = saved }
      } else {
        let end = ContinuousClock.now + .seconds(30) * Patience.factor
        while try OpenFolder(folder.path).stamp(of: "a.yaml")?.identity == before.identity || !isMarked(file),
          ContinuousClock.now < end
        { usleep(500) }
        _ = ftruncate(file, 0)
        _ = Array(late.utf8).withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        close(file)
      }
    }
    #expect(errors.isEmpty, "\(errors)")
    return try #require(report.withLock { $0 })
  }

  @Test(arguments: refusals) func `a change is made again to an editor's late write`(refusal: CInt) throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\nours: 1\n"])
    var scope = EditScope()
    scope.update("a", [.set("ours", 2)])
    let report = try Self.save(scope, in: folder, Self.abilities(refusal), late: "k: 9 # typed\nours: 1\n")
    try report.check()
    #expect(try Self.text("a.yaml", in: folder) == "k: 9 # typed\nours: 2\n")
    #expect(try Self.hidden(in: folder) == [])
  }

  @Test func `a change based on a revision conflicts with an editor's late write`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let file = try ItemEditor(root: folder.path).read("a")
    var scope = EditScope()
    scope.replace("a", with: Array("k: 2\n".utf8), readAt: file.revision)
    let report = try Self.save(scope, in: folder, Self.abilities(EACCES), late: "k: 9\n")
    #expect(report.failures.map(\.code) == [.conflict])
    #expect(try Self.text("a.yaml", in: folder) == "k: 9\n")
    #expect(try Self.hidden(in: folder) == [])
  }

  @Test func `a late write to a deleted file restores the file`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    var scope = EditScope()
    scope.delete("a")
    let report = try Self.save(scope, in: folder, Self.abilities(EACCES), late: "k: 9\n")
    #expect(report.failures.map(\.code) == [.conflict])
    #expect(try Self.text("a.yaml", in: folder) == "k: 9\n")
    #expect(try Self.hidden(in: folder) == [])
  }

  @Test(arguments: [true, false]) func `a late write is kept and named on a file system without exchange`(
    links: Bool
  ) throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    var abilities = Self.abilities(EACCES)
    abilities.exchanges = false
    abilities.links = links
    var scope = EditScope()
    scope.update("a", [.set("k", 2)])
    let report = try Self.save(scope, in: folder, abilities, late: "k: 9\n")
    let names = try Self.hidden(in: folder)
    #expect(report.failures.map(\.code) == [.conflict])
    #expect(names.count == 1)
    #expect(report.failures.first?.message.contains(names.first ?? "none") == true)
    #expect(try Self.text(names.first ?? "", in: folder) == "k: 9\n")
    // The next save keeps it too.
    #expect(try ItemEditor(root: folder.path).saveEach(scope).outcomes.first?.warnings.count == 1)
    #expect(try Self.hidden(in: folder) == names)
  }

  @Test func `many items share one grace period`() throws {
    let folder = try TemporaryFolder()
    var scope = EditScope()
    for index in 0..<50 {
      try folder.write("k: 1\n", to: "a\(index).yaml")
      scope.update(Item.ID(printed: "a\(index)"), [.set("k", 2)])
    }
    var session = try ItemEditor(
      root: folder.path, options: StoreOptions(), abilities: Self.abilities(EACCES, grace: .zero)
    ).session(
      .error)
    session.begin(scope)
    #expect(session.nextWithoutGrace()?.id == nil)
    #expect(try Self.hidden(in: folder).count == 50)
    session.confirm()
    var numbers: [Int] = []
    while let outcome = session.nextWithoutGrace() { numbers.append(outcome.number) }
    #expect(numbers == Array(0..<50))
    #expect(session.unconfirmed.isEmpty)
    #expect(try Self.hidden(in: folder) == [])
  }

  @Test func `a sweep keeps files that another save needs or a program may still write`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    var scope = EditScope()
    scope.update("a", [.set("k", 2)])
    var session = try ItemEditor(
      root: folder.path, options: StoreOptions(), abilities: Self.abilities(EACCES, grace: .zero)
    ).session(
      .error)
    session.begin(scope)
    #expect(session.nextWithoutGrace()?.id == nil)
    let kept = try Self.hidden(in: folder)
    var other = EditScope()
    other.update("b", [.set("k", 2)])
    try ItemEditor(root: folder.path).save(other)
    #expect(try Self.hidden(in: folder) == kept)
    session.unconfirmed = []
    // As if the writer had been killed while an editor has the file open.
    let file = open("\(folder.path)/\(try #require(kept.first))", O_WRONLY | O_CLOEXEC)
    other.update("b", [.set("k", 3)])
    try ItemEditor(root: folder.path).save(other)
    #expect(try Self.hidden(in: folder) == kept)
    close(file)
    try ItemEditor(root: folder.path).save(other)
    #expect(try Self.hidden(in: folder) == [])
  }

  private enum WriterStyle: CaseIterable { case heldOpen, truncate, rename }

  @Test
  func `a version saved by an editor of any style is present or named, with any abilities of the system`()
    throws
  {
    let seeds = Randomness.seeds(8)
    let errors = Threads.run(4) { worker in
      for (number, seed) in seeds.enumerated() where number % 4 == worker { try Self.race(seed) }
    }
    #expect(errors.isEmpty, "\(errors)")
  }

  private static func race(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder(["a.yaml": "theirs: 0\nours: 0\n"])
    var abilities = FileSaver.Abilities()
    let refusal = generator.one(of: [0, EACCES, EAGAIN])
    if refusal != 0 { abilities.acquireLease = { _ in refusal } }
    abilities.grace = .milliseconds(300)
    if generator.oneIn(4) { abilities.exchanges = false }
    if generator.oneIn(4) { abilities.renamesKeeping = false }
    let style = generator.one(of: abilities.exchanges ? WriterStyle.allCases : [.heldOpen, .truncate])
    let (pause, hold, deletes) = (
      UInt32(generator.below(6_000)), UInt32(generator.below(20_000)), generator.oneIn(5)
    )
    let note = "\(style) \(refusal) \(abilities.exchanges) \(deletes), \(seedNote(seed))"
    let report = Mutex(SaveReport())
    let settings = abilities
    let errors = Threads.run(2) { side in
      if side == 0 {
        usleep(pause)
        var scope = EditScope()
        if deletes { scope.delete("a") } else { scope.update("a", [.set("ours", 1)]) }
        let saved = try ItemEditor(root: folder.path, options: StoreOptions(), abilities: settings).saveEach(
          scope)
        report.withLock { $0 = saved }
      } else {
        try edit(style, hold, in: folder)
      }
    }
    #expect(errors.isEmpty, "\(errors) \(note)")
    let failures = report.withLock { $0.failures }
    let isThere = (try? text("a.yaml", in: folder).contains("theirs: 7")) ?? false
    let kept = try hidden(in: folder).filter { name in
      try failures.contains { $0.message.contains(name) } && text(name, in: folder).contains("theirs: 7")
    }
    if !isThere, kept.isEmpty {
      // Only a complete text before the deletion counts.
      #expect(deletes, "\(failures) \(note)")
      #expect(failures.map(\.message) == [], "\(note)")
      #expect(try hidden(in: folder) == [], "\(note)")
    }
  }

  private static func edit(_ style: WriterStyle, _ hold: UInt32, in folder: TemporaryFolder) throws {
    let path = style == .rename ? "\(folder.path)/.a.swp" : "\(folder.path)/a.yaml"
    var flags = O_WRONLY | O_CLOEXEC
    if style != .heldOpen { flags |= O_CREAT | O_TRUNC }
    let file = open(path, flags, 0o644)
    // The file is already deleted; an editor would report that.
    if file < 0, style == .heldOpen { return try folder.write("theirs: 7\nours: 0\n", to: "a.yaml") }
    guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    usleep(hold)
    if style == .heldOpen { _ = ftruncate(file, 0) }
    for byte in "theirs: 7\nours: 0\n".utf8 {
      _ = withUnsafeBytes(of: byte) { write(file, $0.baseAddress, 1) }
    }
    close(file)
    if style == .rename, Glibc.rename(path, "\(folder.path)/a.yaml") != 0 {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }
}
