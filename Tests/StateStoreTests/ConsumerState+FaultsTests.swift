import Foundation
import Store
import Streams
import TestSupport
import Testing

@testable import StateStore

/// Writes that fail are reported once. The stream continues, and what was acknowledged is kept.
@Suite(.timeLimit(.minutes(3)))
struct ConsumerStateFaultsTests {
  /// Offers and acknowledges random updates.
  private static func run(
    _ state: ConsumerState, _ random: inout RandomList, steps: ClosedRange<Int>, most: Int = 5
  ) throws {
    var last = try random.list
    for step in steps {
      random.change(most: most)
      let list = try random.list
      state.offer(from: last, to: list, "t\(step)", seq: step)
      #expect(state.acknowledge("t\(step)"))
      last = list
    }
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"))
  func `a full disk keeps the old position until there is space again`() throws {
    let temporary = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs -o size=2m none", at: "root", in: temporary)
    let fixture = try StateFixture(temporary, file: "\(mount.path)/state.db")
    var random = RandomList(seed: 1, count: 50)
    let first = try random.list
    let state = try fixture.begin(first)
    try temporary.shell("cd root; dd if=/dev/zero of=fill bs=4k 2> /dev/null || true")
    try Self.run(state, &random, steps: 2...30, most: 20)
    #expect(fixture.reported.count == 1)
    #expect(fixture.reported.first?.contains("the disk is full") == true, "\(fixture.reported)")
    try temporary.shell("rm root/fill")
    try Self.run(state, &random, steps: 31...31)
    #expect(fixture.reported.count == 2)
    #expect(fixture.reported.last?.contains("recorded again") == true, "\(fixture.reported)")
    state.close()
    let resumed = try #require(try fixture.open().resumed)
    #expect(resumed.position.token == "t31")
    #expect(Shown(resumed.list) == Shown(try random.list))
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"))
  func `a disk that stays full has an older position`() throws {
    let temporary = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs -o size=2m none", at: "root", in: temporary)
    let fixture = try StateFixture(temporary, file: "\(mount.path)/state.db")
    var random = RandomList(seed: 2, count: 50)
    let lists = ["t1": try random.list]
    let state = try fixture.begin(try random.list)
    try temporary.shell("cd root; dd if=/dev/zero of=fill bs=4k 2> /dev/null || true")
    try Self.run(state, &random, steps: 2...5, most: 200)
    state.close()
    let opening = try fixture.open()
    let resumed = try #require(opening.resumed, "\(opening)")
    if let list = lists[resumed.position.token] { #expect(Shown(resumed.list) == Shown(list)) }
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"))
  func `a disk that is full at the start records nothing`() throws {
    let temporary = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs -o size=64k none", at: "root", in: temporary)
    try temporary.shell("cd root; dd if=/dev/zero of=fill bs=4k 2> /dev/null || true")
    let fixture = try StateFixture(temporary, file: "\(mount.path)/state.db")
    let opening = try fixture.open()
    #expect(opening.isNew)
    #expect(opening.state == nil)
    #expect(fixture.reported.count == 1)
    #expect(fixture.reported.first?.contains("the disk is full") == true, "\(fixture.reported)")
    #expect(try temporary.shell("ls -A root") == "fill\n")
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"))
  func `a file system that becomes read-only is reported once`() throws {
    let temporary = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs none", at: "root", in: temporary)
    let fixture = try StateFixture(temporary, file: "\(mount.path)/state.db")
    var random = RandomList(seed: 3, count: 50)
    let state = try fixture.begin(try random.list)
    // A file that is open for writing prevents the change; the bind mount hides that.
    try temporary.shell("mount --bind root root; mount -o remount,ro,bind root")
    try Self.run(state, &random, steps: 2...5)
    try temporary.shell("umount -l root")
    try Self.run(state, &random, steps: 6...7)
    state.close()
    #expect(try fixture.open().resumed?.position.token == "t7")
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"))
  func `a read-only folder records nothing`() throws {
    let temporary = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs none", at: "root", in: temporary)
    let fixture = try StateFixture(temporary, file: "\(mount.path)/state.db")
    try temporary.shell("mount -o remount,ro root")
    let opening = try fixture.open()
    #expect(opening.isNew)
    #expect(opening.state == nil)
    #expect(fixture.reported.count == 1)
    #expect(fixture.reported.first?.contains("read-only") == true, "\(fixture.reported)")
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs a root that may mount"), arguments: [false, true])
  func `a state that can only be read still has its position`(hasLog: Bool) throws {
    let temporary = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs none", at: "root", in: temporary)
    let fixture = try StateFixture(temporary, file: "\(mount.path)/state.db")
    var random = RandomList(seed: 4, count: 50)
    let state = try fixture.begin(try random.list)
    try Self.run(state, &random, steps: 2...5)
    if hasLog { try temporary.shell("mkdir keep; cp root/state.db* keep") }
    state.close()
    if hasLog { try temporary.shell("cp keep/* root") }
    try temporary.shell("mount -o remount,ro root")
    let opening = try fixture.open()
    #expect(opening.state == nil)
    #expect(opening.resumed?.position.token == "t5")
    #expect(opening.resumed.map { Shown($0.list) } == Shown(try random.list))
    #expect(fixture.reported.count == 1)
    #expect(fixture.reported.first?.contains("cannot be used") == true, "\(fixture.reported)")
  }

  /// The copy of an image has only the data that reached the disk, as after a power cut.
  @Test(
    .enabled(if: TemporaryMount.hasLoops, "needs a root that may mount images"),
    arguments: Randomness.seeds(2))
  func `a power cut loses nothing that was acknowledged`(seed: UInt64) throws {
    let temporary = try TemporaryFolder()
    try temporary.shell("truncate -s 16M image; mkfs.ext4 -q -F image")
    let mount = try TemporaryMount("-o loop image", at: "root", in: temporary)
    let fixture = try StateFixture(temporary, file: "\(mount.path)/state.db")
    var random = RandomList(seed: seed, count: 100)
    let state = try fixture.begin(try random.list)
    for cut in 0..<4 {
      try Self.run(state, &random, steps: cut * 10 + 2...cut * 10 + 11)
      // One more is only offered.
      try temporary.shell("cp image copy\(cut)")
      let copy = try TemporaryMount("-o loop copy\(cut)", at: "after\(cut)", in: temporary)
      let after = try StateFixture(temporary, file: "\(copy.path)/state.db")
      let opening = try after.open()
      let resumed = try #require(opening.resumed, "\(opening) \(seedNote(seed))")
      #expect(resumed.position.token == "t\(cut * 10 + 11)", "\(seedNote(seed))")
      #expect(Shown(resumed.list) == Shown(try random.list), "\(seedNote(seed))")
      opening.state?.close()
    }
    state.close()
  }

  /// A copy of the files between two calls is what a killed process leaves.
  @Test(arguments: Randomness.seeds(4)) func `a killed process loses nothing`(seed: UInt64) throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: seed, count: 50)
    var last = try random.list
    let state = try fixture.begin(last)
    for step in 2...40 {
      random.change(most: 8)
      let list = try random.list
      state.offer(from: last, to: list, "t\(step)", seq: step)
      let isAcknowledged = random.generator.oneIn(2)
      if isAcknowledged { #expect(state.acknowledge("t\(step)")) }
      last = list
      try fixture.folder.shell("rm -rf copy; mkdir copy; cp state.db* copy")
      let copy = try StateFixture(fixture.folder, file: "\(fixture.folder.path)/copy/state.db")
      let opening = try copy.open(since: "t\(step)")
      #expect(opening.resumed.map { Shown($0.list) } == Shown(list), "\(seedNote(seed))")
      opening.state?.close()
    }
  }
}
