import Glibc
import StateStore
import Store
import Streams
import SystemPackage
import TestSupport
import Testing
import Values

@testable import Daemon

@Suite struct FileDeliveryTests {
  /// A list, and a sink that appends its changes to a file and can be killed at any time.
  private final class Trial {
    let folder: TemporaryFolder
    let store: ItemStore
    let results: LiveList<Item>
    let target: SinkFile
    private var delivery: FileDelivery?
    private var subscription: ListSubscription?
    private var log: ConsumerState?
    /// The step that is not written yet.
    private var failed: ListEvent?

    init(rotate: Int? = nil, keep: Int = 3, in place: String? = nil) async throws {
      folder = try TemporaryFolder()
      store = try await ItemStore.temporary(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"], watching: false)
      results = store.list(FetchRequest(sort: ["n"]))
      target = SinkFile(path: "\(place ?? folder.path)/log.jsonl", rotate: rotate, keep: keep)
    }

    var environment: [String: String] { ["XDG_STATE_HOME": "\(folder.path)/state", "HOME": folder.path] }

    /// Opens the file and the state, and writes what changed.
    ///
    /// - Parameter act: Called before anything is written.
    func start(after act: () throws -> Void = {}) throws {
      let file = try StreamFile(target.path)
      let identity = ViewIdentity(view: nil, overriddenBy: ViewDefinition(), idField: nil, maxSize: nil)
      let location = try StateLocation("log", root: store.root, environment: environment)
      var point = try ConsumerState.open(
        location, view: identity.bytes, request: results.request, keepsOffers: false, since: file.lastToken,
        report: { Issue.record("\($0)") })
      if file.lastToken == nil { point.start = .new }
      log = point.state
      let subscription = point.start.subscription(to: results)
      let tokens = TokenSource(view: identity.hash, hasDigests: true)
      var delivery = FileDelivery(file, target, root: store.root, view: [:], point, tokens) {
        Timestamp(seconds: 0, nanoseconds: 0)
      }
      try act()
      try delivery.begin(subscription.consumeEvent())
      (self.subscription, self.delivery) = (subscription, delivery)
    }

    /// Writes the step that is due, if there is one.
    func deliver() throws {
      failed = subscription?.consumeEvent()
      try repeatDelivery()
    }

    /// Writes the last step again, after it failed.
    func repeatDelivery() throws {
      if let failed { try delivery?.deliver(failed) }
      failed = nil
    }

    /// Writes the step that is due or failed. Unlike `repeatDelivery()`, it can fail several times.
    func deliverAgain() throws {
      failed = failed ?? subscription?.consumeEvent()
      try repeatDelivery()
    }

    /// Ends the sink between two deliveries. The file stays as it is.
    func kill() {
      (delivery, subscription) = (nil, nil)
      log?.close()
      log = nil
    }

    var position: StreamPosition? { delivery?.position }

    /// Folds a file, beginning at its last stream.
    func fold(_ name: String = "log.jsonl") throws -> StreamReader {
      try StreamReader(folding: folder.bytes(of: name))
    }

    var shown: [ExactText] { results.snapshot.items(in: "").map { ExactText($0.id.description) } }
  }

  @Test func `a file begins with the list, and each change follows`() async throws {
    let trial = try await Trial()
    try trial.start()
    try await trial.store.seed(["c.yaml": "n: 0\n"])
    try trial.deliver()
    let reader = try trial.fold()
    #expect(reader.ids == ["c", "a", "b"])
    #expect(reader.updates == 1)
    #expect(reader.token == trial.position?.token)
  }

  @Test func `a sink that is started again continues the file`() async throws {
    let trial = try await Trial()
    try trial.start()
    trial.kill()
    try await trial.store.seed(["c.yaml": "n: 0\n"])
    try trial.start()
    let reader = try trial.fold()
    #expect(reader.ids == ["c", "a", "b"])
    #expect(reader.updates == 1)
  }

  @Test func `a line that was torn is removed, and its change comes again`() async throws {
    let trial = try await Trial()
    try trial.start()
    trial.kill()
    let text = try trial.folder.bytes(of: "log.jsonl")
    try trial.folder.write(text + Array(#"{"v":1,"type":"upda"#.utf8), to: "log.jsonl")
    try await trial.store.seed(["c.yaml": "n: 0\n"])
    try trial.start()
    #expect(try trial.folder.bytes(of: "log.jsonl").starts(with: text))
    #expect(try trial.fold().ids == ["c", "a", "b"])
  }

  @Test func `a line that is in the file does not come again`() async throws {
    let trial = try await Trial()
    try trial.start()
    try await trial.store.seed(["c.yaml": "n: 0\n"])
    try trial.deliver()
    trial.kill()
    try trial.start()
    let reader = try trial.fold()
    #expect(reader.updates == 1)
    #expect(reader.ids == ["c", "a", "b"])
  }

  @Test func `a file that was emptied or removed begins again with the list`() async throws {
    for act in ["rm log.jsonl", ": >log.jsonl", "mv log.jsonl old.jsonl"] {
      let trial = try await Trial()
      try trial.start()
      _ = try trial.folder.shell(act)
      try await trial.store.seed(["c.yaml": "n: 0\n"])
      try trial.deliver()
      let reader = try trial.fold()
      #expect(reader.ids == ["c", "a", "b"], "\(act)")
      #expect(reader.updates == 1, "\(act)")
    }
  }

  @Test func `a file that is emptied or removed while its sink starts is opened again`() async throws {
    for act in ["rm log.jsonl", ": >log.jsonl", "mv log.jsonl old.jsonl"] {
      let trial = try await Trial()
      try trial.start()
      trial.kill()
      #expect(throws: StateError.refused("it was moved, removed or emptied"), "\(act)") {
        try trial.start { _ = try trial.folder.shell(act) }
      }
      trial.kill()
      try trial.start()
      #expect(try trial.fold().ids == ["a", "b"], "\(act)")
    }
  }

  @Test func `a file that is emptied while a line is written is not current, and gets no zeros`() throws {
    let folder = try TemporaryFolder()
    let file = try StreamFile("\(folder.path)/log.jsonl")
    for isKept in [true, false] {
      try file.begin()
      try file.write(Array("{\"v\":1}\n".utf8))
      #expect(truncate("\(folder.path)/log.jsonl", 0) == 0)
      if isKept { try file.commit() } else { try file.rollBack() }
      #expect(!file.isCurrent)
      #expect(try folder.bytes(of: "log.jsonl").isEmpty)
    }
  }

  @Test func `a file that was emptied before a line was written is not foreign, and gets the list`()
    async throws
  {
    for isRestarted in [true, false] {
      let trial = try await Trial()
      try trial.start()
      try await trial.store.seed(["c.yaml": "n: 0\n"])
      try trial.deliver()
      let last = try trial.folder.bytes(of: "log.jsonl").split(separator: UInt8(ascii: "\n")).last ?? []
      if isRestarted { trial.kill() }
      try trial.folder.shell("truncate -s 0 log.jsonl")
      try trial.folder.shell("echo '\(String(decoding: last, as: UTF8.self))' >>log.jsonl")
      if isRestarted { try trial.start() }
      try await trial.store.seed(["d.yaml": "n: 5\n"])
      try trial.deliver()
      let lines = try trial.folder.bytes(of: "log.jsonl").split(separator: UInt8(ascii: "\n"))
      try trial.folder.write(
        Array(lines.dropFirst().joined(separator: [UInt8(ascii: "\n")])), to: "rest.jsonl")
      #expect(try trial.fold("rest.jsonl").ids == ["c", "a", "b", "d"])
    }
  }

  @Test func `a large file is replaced at the end of a line, and each file can be read alone`() async throws {
    let trial = try await Trial(rotate: 2_000, keep: 2)
    try trial.start()
    for number in 0..<60 {
      try await trial.store.seed(["c.yaml": "n: \(number)\n"])
      try trial.deliver()
    }
    let ids = trial.shown
    for name in ["log.jsonl", "log.jsonl.1", "log.jsonl.2"] {
      #expect(Set(try trial.fold(name).ids) == Set(ids), "\(name)")
    }
    #expect(try trial.fold().ids == ids)
    #expect(access("\(trial.folder.path)/log.jsonl.3", F_OK) != 0)
    #expect(try trial.folder.bytes(of: "log.jsonl.1").count >= 2_000)
  }

  @Test func `a list that is larger than the limit does not begin a new file with each change`() async throws
  {
    let trial = try await Trial(rotate: 100)
    try await trial.store.seed(["large.yaml": "n: \(String(repeating: "x", count: 2_000))\n"])
    try trial.start()
    let size = try trial.folder.bytes(of: "log.jsonl").count
    #expect(size > 100)
    try await trial.store.seed(["a.yaml": "n: 5\n"])
    try trial.deliver()
    #expect(access("\(trial.folder.path)/log.jsonl.1", F_OK) != 0)
  }

  @Test func `a file with other contents is refused and stays as it is`() async throws {
    let trial = try await Trial()
    try trial.folder.write("alias ls='ls -l'\n", to: "log.jsonl")
    #expect(throws: StateError.refused("its contents are not the lines of a stream")) { try trial.start() }
    #expect(try trial.folder.bytes(of: "log.jsonl") == Array("alias ls='ls -l'\n".utf8))
  }

  @Test func `a pipe and a folder are refused without waiting`() async throws {
    let trial = try await Trial()
    try trial.folder.makeFIFO("log.jsonl")
    #expect(throws: StateError.refused("it is not a regular file")) { try trial.start() }
    try trial.folder.remove("log.jsonl")
    try trial.folder.makeFolder("log.jsonl")
    #expect(throws: StateError.self) { try trial.start() }
  }

  @Test func `a file that another sink writes is refused`() async throws {
    let trial = try await Trial()
    try trial.start()
    #expect(throws: StateError.refused("another process writes it")) { _ = try StreamFile(trial.target.path) }
  }

  @Test func `a line of another program after ours is kept, and the list follows it`() async throws {
    let trial = try await Trial()
    try trial.start()
    trial.kill()
    let text = try trial.folder.bytes(of: "log.jsonl") + Array("# a note".utf8)
    try trial.folder.write(text, to: "log.jsonl")
    try trial.start()
    let bytes = try trial.folder.bytes(of: "log.jsonl")
    #expect(bytes.starts(with: text + [UInt8(ascii: "\n")]))
    #expect(String(decoding: bytes.dropFirst(text.count), as: UTF8.self).contains(#""type":"snapshot""#))
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "Mounting needs root."))
  func `a full disk changes neither the file nor the position, and the change comes when there is space`()
    async throws
  {
    let place = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs -o size=64k none", at: "small", in: place)
    let trial = try await Trial(in: mount.path)
    try trial.start()
    let position = trial.position
    let text = try place.bytes(of: "small/log.jsonl")
    try place.shell("dd if=/dev/zero of=small/filler 2>/dev/null || true")
    try await trial.store.seed(["c.yaml": "n: 0\nfill: \(String(repeating: "x", count: 8_000))\n"])
    let failure = #expect(throws: StateError.self) { try trial.deliver() }
    #expect(failure == StateError(Errno.noSpace))
    #expect(trial.position == position)
    #expect(try place.bytes(of: "small/log.jsonl") == text)
    try place.remove("small/filler")
    try trial.repeatDelivery()
    #expect(try place.bytes(of: "small/log.jsonl").starts(with: text))
    #expect(trial.position != position)
    trial.kill()
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "Mounting needs root."))
  func `a new file on a full disk begins with the list when there is space`() async throws {
    let place = try TemporaryFolder()
    let mount = try TemporaryMount("-t tmpfs -o size=64k none", at: "small", in: place)
    let trial = try await Trial(in: mount.path)
    try trial.start()
    try place.shell(
      "mv small/log.jsonl small/log.jsonl.1 && dd if=/dev/zero of=small/filler 2>/dev/null || true")
    try await trial.store.seed(["c.yaml": "n: 0\nfill: \(String(repeating: "x", count: 8_000))\n"])
    for _ in 0..<2 { #expect(throws: StateError(Errno.noSpace)) { try trial.deliverAgain() } }
    #expect(try place.bytes(of: "small/log.jsonl").isEmpty)
    try place.remove("small/filler")
    try trial.repeatDelivery()
    let text = String(decoding: try place.bytes(of: "small/log.jsonl"), as: UTF8.self)
    #expect(
      text.split(separator: "\n").compactMap { $0.split(separator: "\"").dropFirst(5).first } == [
        "hello", "snapshot", "update",
      ])
    trial.kill()
  }

  @Test(.timeLimit(.minutes(1))) func `whatever ends the sink, the file folds to the list`() async throws {
    for seed in Randomness.seeds(12) {
      var random = SeededGenerator(seed: seed)
      let trial = try await Trial(rotate: random.oneIn(2) ? 3_000 : nil)
      try trial.start()
      for round in 0..<25 {
        switch random.below(5) {
        case 0:
          trial.kill()
          let text = try trial.folder.bytes(of: "log.jsonl")
          switch random.below(3) {
          case 0: try trial.folder.write(text.dropLast(random.below(text.count)), to: "log.jsonl")
          case 1:
            try trial.folder.write(
              text + Array(#"{"v":1,"type":"update","seq":"#.utf8.prefix(1 + random.below(28))),
              to: "log.jsonl")
          default: break
          }
          try trial.start()
        case 1: try await trial.store.seed(["x\(random.below(4)).yaml": "n: [\n"])
        default: try await trial.store.seed(["x\(random.below(4)).yaml": "n: \(round)\n"])
        }
        try trial.deliver()
      }
      let reader = try trial.fold()
      #expect(reader.ids == trial.shown, "\(seedNote(seed))")
      #expect(reader.problems.count == trial.results.snapshot.problems.count, "\(seedNote(seed))")
    }
  }
}
