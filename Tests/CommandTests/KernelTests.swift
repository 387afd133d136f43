import Glibc
import TestSupport
import Testing

/// What the kernel does to a watch: queues overflow, watches run out, folders are created, removed
/// and exchanged. When the folder is quiet, the list equals that of a new `list`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct KernelTests {
  // MARK: The queue

  /// With a queue of 16 events most events are lost, and even more while the program is stopped.
  @Test(
    .enabled(if: KernelSetting.queueLength.canBeSet, "needs a root that may change kernel settings"),
    arguments: ["", "STOP"])
  func `an overflow of the event queue loses nothing`(signal: String) async throws {
    let folder = try TemporaryFolder(["root/0.yaml": "k: 0\n"])
    // A queue gets its length when it is created, which is before the snapshot.
    let stream = try await KernelSetting.queueLength.with(16) {
      let stream = try BuiltProgram.start(["root", "-o", "jsonl"], in: folder.path)
      _ = try await stream.wait(until: "the snapshot") { $0.lineCount == 2 }
      return stream
    }
    let process = stream.process
    let storm =
      """
      cd root; for r in 1 2 3; do
        mkdir -p d/$r/e; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "k: $r" > $i.yaml; echo "k: $i" > d/$r/e/$i.yaml; done
        rm 1.yaml 2.yaml; mv d/$r moved$r; echo 'k: x' > moved$r/e/new.yaml
      done; rm -r moved2
      """
    if signal.isEmpty {
      try await folder.shell(storm)
    } else {
      kill(process, SIGSTOP)
      try await folder.shell(storm)
      kill(process, SIGCONT)
    }
    try await expectTruth(of: stream, "\(folder.path)/root")
    // All folders are watched again.
    try await folder.shell("cd root; echo 'k: last' > moved3/e/5.yaml; echo 'k: last' > 7.yaml")
    try await expectTruth(of: stream, "\(folder.path)/root")
    let counters = try await stream.counters()
    if !signal.isEmpty { #expect((counters.overflows.int ?? 0) > 0) }
    // There are fewer scans of the whole folder than overflows.
    #expect((counters.rescans.int ?? 0) <= (counters.overflows.int ?? 0), "\(counters)")
  }

  // MARK: What runs out

  private static let wants = [
    ("max_inotify_watches", 3, "fs.inotify.max_user_watches"),
    ("max_inotify_instances", 0, "fs.inotify.max_user_instances"),
  ]

  /// Runs in a new user namespace, so that its limits affect no other program.
  @Test(.enabled(if: KernelTests.canLimit, "needs user namespaces"), arguments: wants)
  func `without inotify watches the program polls and names the setting to raise`(
    limit: String, value: Int, setting: String
  ) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n", "root/b/c/d/e.yaml": "k: 1\n"])
    let program = try Program(
      "unshare",
      [
        "-U", "-r", "sh", "-c",
        "echo \(value) > /proc/sys/user/\(limit); exec \(BuiltProgram.path) root -o jsonl",
      ], folder: folder.path)
    let state = try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    #expect(state.errorText.contains(setting), "\(state.errorText)")
    #expect(state.errorText.count { $0 == "\n" } == 1, "\(state.errorText)")
    #expect(try state.stream().items().keys.sorted() == ["a", "b/c/d/e"])
    try await folder.shell("cd root; echo 'k: 2' > a.yaml; mv b x; rm x/c/d/e.yaml; echo 'k: 3' > x/c/f.yaml")
    try await expectTruth(of: program, "\(folder.path)/root")
  }

  /// The limit is reached while the program runs.
  @Test(.enabled(if: KernelTests.canLimit, "needs user namespaces"))
  func `watches that run out later lose nothing`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let program = try Program(
      "unshare",
      [
        "-U", "-r", "sh", "-c",
        "echo 12 > /proc/sys/user/max_inotify_watches; exec \(BuiltProgram.path) root -o jsonl",
      ], folder: folder.path
    )
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await folder.shell(
      "cd root; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do mkdir -p $i; echo 'k: 1' > $i/x.yaml; done")
    try await expectTruth(of: program, "\(folder.path)/root")
    #expect(program.state.errorText.contains("fs.inotify.max_user_watches"))
    // When there are enough watches again, polling ends.
    try await folder.shell("cd root; rm -r 1? 9 8 7 6 5 4 3 2")
    try await program.wait(until: "events again") { $0.errorText.contains("by events again") }
    try await folder.shell("cd root; echo 'k: 2' > 1/x.yaml; mkdir -p n; echo 'k: 1' > n/x.yaml")
    try await expectTruth(of: program, "\(folder.path)/root")
  }

  private static let canLimit: Bool = Machine.canRun(
    "unshare -U -r test -w /proc/sys/user/max_inotify_watches")

  // MARK: Folders

  private static let acts: [(String, String)] = [
    ("the root is removed and made again", "rm -r root; mkdir root; echo 'k: 2' > root/b.yaml"),
    (
      "the root is replaced",
      "mkdir new; echo 'k: 2' > new/a.yaml; mv root old; mv new root; echo 'k: 3' > old/a.yaml"
    ),
    (
      "the root is exchanged",
      "mkdir -p new/d; echo 'k: 2' > new/d/x.yaml; mv --exchange new root 2> /dev/null || { mv root o; mv new root; }"
    ),
    (
      "a folder with content comes",
      "mkdir -p out/in/deep; echo 'k: 2' > out/in/deep/x.yaml; mv out/in root/in; echo 'k: 3' > root/in/deep/y.yaml"
    ),
    ("a folder with content goes", "mv root/d out; echo 'k: 3' > out/b.yaml"),
    ("a folder goes and comes back", "mv root/d out; mv out root/d; echo 'k: 3' > root/d/b.yaml"),
    (
      "a folder moves within",
      "mkdir root/e; mv root/d root/e/d; echo 'k: 3' > root/e/d/b.yaml; echo 'k: 4' > root/e/d/c.yaml"
    ),
    (
      "two folders change places",
      "mkdir root/e; echo 'k: 9' > root/e/b.yaml; mv root/d root/t; mv root/e root/d; mv root/t root/e; echo 'k: 5' > root/e/z.yaml"
    ),
    (
      "folders are made and filled at once",
      "for i in 1 2 3 4 5 6 7 8 9; do mkdir -p root/n$i/a/b; echo 'k: 1' > root/n$i/a/b/x.yaml; done"
    ),
    (
      "folders are made, filled, moved and removed at once",
      "for i in 1 2 3 4 5 6 7 8 9; do mkdir -p root/n/a; echo \"k: $i\" > root/n/a/x.yaml; mv root/n root/m$i; mv root/m$i/a root/a$i; rm -r root/m$i; done"
    ),
    (
      "a folder becomes a file and a file a folder",
      "rm -r root/d root/a.yaml; echo 'k: 2' > root/d; mkdir root/a; echo 'k: 2' > root/a/b.yaml; rm root/d"
    ),
  ]

  @Test func `the list is true after any change of folders`() async throws {
    let cases = KernelTests.acts.flatMap { act in [[], ["--poll"]].map { (act, $0) } }
    try await concurrently(cases, width: 6) { act, options in
      try await expectTruth(after: act.1, options, act.0)
    }
  }

  /// The root is found by its name, although a process keeps its working directory when that is
  /// moved or removed.
  @Test func `a root that is the working directory may be replaced`() async throws {
    let cases = KernelTests.acts.prefix(3).flatMap { act in
      [[], ["--poll"], ["--audit", "100ms"]].map { (act, $0) }
    }
    try await concurrently(cases, width: 6) { act, options in
      try await expectTruth(after: act.1, options, act.0, isInside: true)
    }
  }

  private func expectTruth(after script: String, _ options: [String], _ name: String, isInside: Bool = false)
    async throws
  {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n", "root/d/b.yaml": "k: 1\n"])
    let program = try BuiltProgram.start(
      [isInside ? "." : "root", "-o", "jsonl"] + options, in: isInside ? "\(folder.path)/root" : folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await folder.shell(script)
    let note = "\(name) \(options)"
    try await expectTruth(of: program, "\(folder.path)/root", note)
    try await folder.shell(
      "mkdir -p root/d/late; echo 'k: 6' > root/d/late/x.yaml; echo 'k: 6' > root/late.yaml")
    try await expectTruth(of: program, "\(folder.path)/root", note)
  }

  @Test(.enabled(if: KernelTests.canMount, "needs a root that may mount"))
  func `an unmounted root is empty until it is mounted again`() async throws {
    let folder = try TemporaryFolder()
    try await folder.shell("mkdir root; mount -t tmpfs none root; echo 'k: 1' > root/a.yaml")
    let program = try BuiltProgram.start(["root", "-o", "jsonl"], in: folder.path)
    do {
      try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
      try await folder.shell("umount root")
      try await program.wait(until: "a delete") { try $0.stream().ids.isEmpty }
      try await folder.shell("mount -t tmpfs none root; mkdir root/d; echo 'k: 2' > root/d/b.yaml")
      try await expectTruth(of: program, "\(folder.path)/root")
      try await folder.shell(
        "echo 'k: 3' > root/d/b.yaml; mkdir root/e; mount -t tmpfs none root/e; echo 'k: 4' > root/e/x.yaml")
      try await expectTruth(of: program, "\(folder.path)/root")
      try await folder.shell("umount root/e; echo 'k: 5' > root/e/y.yaml")
      try await expectTruth(of: program, "\(folder.path)/root")
    } catch {
      _ = try? await folder.shell("umount -l root")
      throw error
    }
    try await folder.shell("umount -l root")
  }

  /// Overlayfs reports changes that are made through it, also to files of the lower layer.
  private static let canOverlay =
    canMount
    && Machine.canRun(
      """
      d=$(mktemp -d) && cd $d && mkdir lower upper work root
      mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work root && umount root; s=$?; cd ..; rm -rf $d; exit $s
      """)

  @Test(.enabled(if: canOverlay, "needs a root that may mount overlay file systems"))
  func `an overlay file system is watched by events`() async throws {
    let folder = try TemporaryFolder([
      "lower/a.yaml": "k: 1\n", "lower/d/b.yaml": "k: 1\n", "upper/c.yaml": "k: 1\n",
    ])
    try await folder.shell(
      "mkdir work root; mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work root")
    do {
      let program = try BuiltProgram.start(["root", "-o", "jsonl"], in: folder.path)
      try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
      try await folder.shell(
        "cd root; echo 'k: 2' > a.yaml; echo 'k: 2' > d/b.yaml; rm c.yaml; mkdir e; echo 'k: 2' > e/x.yaml")
      try await expectTruth(of: program, "\(folder.path)/root")
      try await folder.shell(
        "cd root; echo 'k: 3' > a.yaml; mv d/b.yaml e/b.yaml; echo 'k: 3' > d/n.yaml; rm e/x.yaml")
      try await expectTruth(of: program, "\(folder.path)/root")
      #expect(program.state.errorText == "")
    } catch {
      _ = try? await folder.shell("umount -l root")
      throw error
    }
    try await folder.shell("umount -l root")
  }

  // MARK: One folder at several paths

  /// The folder `d` is mounted at `m` before the program begins. Each script ends with changes that
  /// must be seen at both paths.
  private static let bindActs: [(String, String)] = [
    ("a file is saved at either path", "echo 'k: 2' > d/b.yaml; echo 'k: 2' > m/new.yaml; rm d/s/deep.yaml"),
    (
      "a folder in it is renamed",
      "mv d/s m/t 2> /dev/null || mv d/s d/t; echo 'k: 3' > d/t/deep.yaml; echo 'k: 3' > m/t/other.yaml"
    ),
    (
      "a folder is made in it",
      "mkdir -p m/n/e; echo 'k: 4' > d/n/e/x.yaml; sleep 0.2; echo 'k: 5' > m/n/e/x.yaml"
    ),
    (
      "the folder is renamed",
      "mv d z; echo 'k: 6' > z/b.yaml; sleep 0.2; echo 'k: 7' > m/b.yaml; echo 'k: 7' > z/late.yaml"
    ),
    (
      "it is unmounted",
      """
      umount m; echo 'k: 8' > d/b.yaml; echo 'k: 8' > m/own.yaml; sleep 0.2
      echo 'k: 9' > m/own.yaml; echo 'k: 9' > d/s/deep.yaml
      """
    ),
    (
      "another is mounted over it",
      "mkdir x; mount --bind x m; echo 'k: 1' > m/p.yaml; sleep 0.2; echo 'k: 2' > x/p.yaml; echo 'k: 2' > d/b.yaml"
    ),
    (
      "it is mounted a third time",
      """
      mkdir x; mount --bind d x; sleep 0.2; echo 'k: 3' > x/b.yaml; rm m/s/deep.yaml; sleep 0.2
      umount x; echo 'k: 4' > d/b.yaml
      """
    ),
    (
      "the root is mounted in itself",
      """
      mkdir x; mount --bind . x; sleep 0.2; echo 'k: 1' > x/q.yaml; echo 'k: 2' > a.yaml
      mkdir x/new; echo 'k: 1' > new/x.yaml
      """
    ),
    (
      "a folder from outside is mounted",
      """
      mkdir x; mount --bind ../outside x; sleep 0.2
      echo 'k: 1' > ../outside/o.yaml; echo 'k: 2' > ../outside/p.yaml; rm x/o.yaml
      """
    ),
    (
      "a folder above the root is mounted",
      """
      mkdir x; mount --bind .. x; sleep 0.2; echo 'k: 1' > x/outside/o.yaml; echo 'k: 3' > a.yaml
      umount x; echo 'k: 4' > a.yaml
      """
    ),
    (
      "what is in it is moved out and in again",
      "mv d/s s; echo 'k: 5' > s/deep.yaml; sleep 0.2; mv s m/s; echo 'k: 6' > d/s/deep.yaml"
    ),
  ]

  /// Runs in a new mount namespace, so that nothing stays mounted. The expected list comes from the
  /// same namespace.
  @Test(.enabled(if: canBind, "needs a root that may mount in a namespace"))
  func `a folder at several paths is true at each of them`() async throws {
    let acts = KernelTests.bindActs
    for start in stride(from: 0, to: acts.count, by: 4) {
      try await withThrowingTaskGroup { group in
        for act in acts[start..<min(start + 4, acts.count)] {
          group.addTask { try await expectTruthWhereMounted(act.1, act.0) }
        }
        try await group.waitForAll()
      }
    }
    #expect(!acts.isEmpty)
  }

  private func expectTruthWhereMounted(_ script: String, _ name: String) async throws {
    let folder = try TemporaryFolder([
      "root/a.yaml": "k: 1\n", "root/d/b.yaml": "k: 1\n", "root/d/s/deep.yaml": "k: 1\n",
      "outside/o.yaml": "k: 0\n",
      "script": "set -e\n\(script)\n",
    ])
    try await folder.shell("mkdir root/m")
    // Without audits, because an audit would find changes that no event reports.
    let program = try Program(
      "unshare",
      [
        "-m", "--propagation", "private", "sh", "-c",
        """
        mount --bind root/d root/m; \(BuiltProgram.path) root -o jsonl --no-audit & watcher=$!
        until [ -e go ]; do sleep 0.02; done; cd root; sh ../script; cd ..
        \(BuiltProgram.path) list root -o json > truth.tmp; mv truth.tmp truth; wait $watcher
        """,
      ], folder: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await folder.shell("touch go; until [ -e truth ]; do sleep 0.02; done")
    let expected = try JSON(Array(try await folder.shell("cat truth").utf8)).list.reduce(
      into: [String: JSON]()
    ) { items, item in
      if let id = item.id.string { items[id] = item.value.k }
    }
    #expect(expected.count >= 2, "\(name)")
    try await program.wait(until: "\(expected) after \(name)") { state in
      try state.stream().items().mapValues { $0.k } == expected
    }
  }

  private static let canBind: Bool = Machine.canRun("unshare -m --propagation private mount --bind /tmp /mnt")

  private static let canMount: Bool =
    Machine.canRun("d=$(mktemp -d) && mount -t tmpfs none $d && umount $d; s=$?; rmdir $d; exit $s")

  // MARK: Helpers

  private func expectTruth(of program: Program, _ root: String, _ what: String = "") async throws {
    let expected = try await BuiltProgram.items(in: root)
    try await program.wait(until: "\(expected) \(what)") { try $0.stream().items() == expected }
  }
}
