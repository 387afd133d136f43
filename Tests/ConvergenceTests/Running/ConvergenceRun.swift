import Foundation
import Glibc
import TestSupport

/// One folder, one watcher, and rounds of changes, all from one seed.
///
/// After each round three lists must be equal: the one from the stream, a new `list`, and the
/// harness's own reading.
final class ConvergenceRun {
  struct Divergence: Error, CustomStringConvertible {
    let description: String
  }

  /// Long enough for a busy machine. The watcher itself waits only for a few seconds.
  private static let patience = Duration.seconds(60) * Patience.factor

  private let seed: UInt64
  private let scenario: Scenario
  private var view: ListView
  /// True if control lines change the view during the run.
  private let isControlled: Bool
  private let folder: TemporaryFolder
  private let place: Workplace
  private let runner: Runner
  private let watcher: Watcher
  /// The same list over HTTP; nil in some of the runs.
  private let served: ServedRun?
  private let arguments: [String]
  private let environment: [String: String]
  /// True if the stream is not read while operations run.
  private let isLagging: Bool
  private var random: SeededGenerator
  private var round = 0
  private var done: [String] = []
  /// The number of successive rounds of saves, including this one. Updates about earlier rounds may
  /// still come.
  private var savingRounds = 0

  init(seed: UInt64) throws {
    self.seed = seed
    let scenario = Scenario(seed)
    self.scenario = scenario
    random = SeededGenerator(seed: seed)
    view = random.one(of: scenario.views)
    isLagging = random.oneIn(3)
    folder = try TemporaryFolder()
    let top = ExactText(folder.path)
    let root = top + "/" + scenario.root
    Disk.makeFolders(root)
    Disk.makeFolders(top + "/outside")
    if scenario.hasGit {
      try TaggedRepository.make(
        at: top + (scenario == .git ? "/root" : "/above"), items: scenario == .git ? "." : "root")
    }
    let settings = random.oneIn(3) ? HarnessSettings.all.first : nil
    if let text = settings?.text ?? (view.isNamed ? HarnessSettings.all.first?.text : nil) {
      Disk.write([Array(text.utf8)], to: root + "/" + HarnessSettings.path)
    }
    if scenario == .workTrees { try WorkTrees.make(in: top, root: root) }
    let isOftenControlled = random.oneIn(3)
    isControlled = isOftenControlled && !view.alternatives.isEmpty
    let audit = random.oneIn(4) ? ["--audit", "300ms"] : []
    let waits =
      random.one(of: [[], [], ["--max-wait", "1s"], ["--settle", "20ms"], ["--settle", "200ms"]]) + audit
      + (scenario == .polling ? ["--poll"] : [])
    arguments =
      [root.description, "-o", "jsonl"] + view.arguments + waits + (isControlled ? ["--control"] : [])
    let (isOftenShort, isOftenAwaited) = (random.oneIn(5), random.oneIn(2))
    let isShort = KernelSetting.queueLength.canBeSet && (isOftenShort || scenario == .overflows)
    let isAwaited = isShort || isOftenAwaited || scenario.mayLoseRoot
    let user: Runner = scenario == .permissions && Runner.canBeNobody ? try .nobody(in: folder.path) : .own
    // What was read before must not be seen in any list.
    runner = random.oneIn(2) ? try user.withCache(in: folder.path) : user
    // `list` always uses the scanner, so the lists of both readers are compared.
    environment = random.oneIn(2) ? ["NOTES_WATCH_SCANNER": "off"] : [:]
    watcher = try ConvergenceRun.start(
      runner, arguments, environment, isShort: isShort, isAwaited: isAwaited, isControlled: isControlled)
    served =
      random.oneIn(2)
      ? try ConvergenceRun.serve(
        runner, [root.description] + waits, environment, view, scenario, in: folder, &random) : nil
    place = Workplace(top: top, root: root, watcher: watcher.process)
  }

  /// - Parameter isAwaited: whether the run begins after the snapshot. Otherwise the first round
  ///   begins while the program reads the folder.
  private static func start(
    _ runner: Runner, _ arguments: [String], _ environment: [String: String], isShort: Bool, isAwaited: Bool,
    isControlled: Bool
  ) throws -> Watcher {
    let start = {
      let watcher = try Watcher(runner, arguments, environment: environment, hasInput: isControlled)
      if !isAwaited { return watcher }
      let end = ContinuousClock.now + patience
      while !watcher.stream.hasSnapshot, ContinuousClock.now < end { try watcher.read(within: 100) }
      return watcher
    }
    return isShort ? try KernelSetting.queueLength.with(16, start) : try start()
  }

  private static func serve(
    _ runner: Runner, _ arguments: [String], _ environment: [String: String], _ view: ListView,
    _ scenario: Scenario,
    in folder: TemporaryFolder, _ random: inout SeededGenerator
  ) throws -> ServedRun {
    // All views of a server have its ids, and the view `main` may be missing.
    let choices = scenario.views.filter { $0.hasIDField == view.hasIDField && (!$0.isNamed || view.isNamed) }
    let ids = view.hasIDField ? ["--id-field", "uid"] : []
    _ = try Shell.run("mkdir -m 777 .serve", in: folder.path)
    return try ServedRun(choices, SeededGenerator(seed: random.next())) {
      try ServeProcess(runner, arguments + ids, environment: environment, in: "\(folder.path)/.serve")
    }
  }

  func run() throws {
    do {
      if watcher.stream.hasSnapshot { try compare(after: RoundPlan.none) }
      for number in 1...scenario.rounds {
        round = number
        try runRound()
      }
    } catch {
      throw Divergence(description: report("\(error)"))
    }
  }

  private func runRound() throws {
    var plan = RoundPlan(scenario, view, mayStart: !watcher.stream.hasSnapshot, &random)
    watcher.steps = []
    done = done.suffix(60)
    done.append("round \(round)")
    let isNewView = try changeView()
    try served?.beginRound()
    // Broken files are repaired now and then. A window is known exactly only if no item keeps its
    // last good value.
    let repairsAll = view.window != nil || random.oneIn(2)
    done += plan.hands.enumerated().flatMap { hand, operations in operations.map { "\(hand): \($0)" } }
    try perform(plan.hands)
    try repair(&plan, repairsAll: repairsAll)
    savingRounds = plan.isOnlySaves && !isNewView ? savingRounds + 1 : 0
    try compare(after: plan)
  }

  /// Changes the view by a control line, which is answered during the round.
  private func changeView() throws -> Bool {
    guard isControlled, watcher.stream.hasSnapshot, random.oneIn(2) else { return false }
    view = random.one(of: view.alternatives)
    done.append("control: \(view.arguments)")
    try watcher.write(view.control)
    return true
  }

  private func perform(_ hands: [[Operation]]) throws {
    let group = DispatchGroup()
    for operations in hands {
      let place = place
      group.enter()
      Thread.detachNewThread {
        for operation in operations { operation.run(place) }
        group.leave()
      }
    }
    while group.wait(timeout: .now()) == .timedOut {
      if isLagging {
        group.wait()
      } else {
        try watcher.read(within: 5)
        try served?.read()
      }
    }
    watcher.signal(SIGCONT)
  }

  /// Makes sure that the root exists, that its settings are valid, and that the harness can read
  /// all files.
  ///
  /// - Parameter repairsAll: whether all files are valid afterwards.
  private func repair(_ plan: inout RoundPlan, repairsAll: Bool) throws {
    if repairsAll, scenario.usesGit {
      let trees: [String?] = scenario == .workTrees ? WorkTrees.all : [nil]
      for tree in trees {
        let command = OperationMaker.endGitCommand(in: tree)
        plan.isOnlySaves = false
        done.append("then: \(command)")
        command.run(place)
      }
    }
    if !Disk.isFolder(place.root) {
      done.append("then: create the root again")
      Disk.remove(place.root)
      Disk.makeFolders(place.root)
    }
    if repairsAll, scenario == .permissions {
      done.append("then: restore all permissions")
      _ = try Shell.run("chmod -R a+rX .", in: place.root.description)
    }
    let reading = FolderReading(place.root, view, isOwner: runner.isOwner)
    if reading.settings == nil {
      done.append("then: write the first settings")
      Disk.write([Array(HarnessSettings.all[0].text.utf8)], to: place.path(HarnessSettings.path))
    }
    for path in reading.unknown + (repairsAll ? reading.brokenFiles : []) {
      done.append("then: repair \(path)")
      let text = HarnessText.random(as: HarnessText.Format(name: path.name) ?? .yaml, &random)
      if Disk.kind(place.path(path)) != S_IFREG { Disk.remove(place.path(path)) }
      Disk.write([text], to: place.path(".repairing"))
      Disk.rename(place.path(".repairing"), to: place.path(path))
      plan.repaired.append(path)
    }
  }

  // MARK: Comparing

  /// Waits until the three lists are equal.
  private func compare(after plan: RoundPlan) throws {
    let reading = FolderReading(place.root, view, isOwner: runner.isOwner)
    let expected = ExpectedList(reading, view)
    let fresh = try FreshList(
      of: place.root, view, by: runner, in: folder.path,
      withProblems: random.oneIn(3) || round == scenario.rounds)
    if let difference = expected.difference(from: fresh.items, aside: []) {
      throw Divergence(description: "list: \(difference)")
    }
    if let problems = fresh.problems,
      let difference = expected.difference(fromProblems: problems, isFresh: true)
    {
      throw Divergence(description: "check: \(difference)")
    }
    let end = ContinuousClock.now + ConvergenceRun.patience
    while let difference = difference(from: expected, fresh) {
      guard ContinuousClock.now < end else { throw Divergence(description: "the stream: \(difference)") }
      try watcher.read(within: 500)
    }
    try served?.compare(reading, until: end) {
      try FreshList(of: place.root, $0, by: runner, in: folder.path, withProblems: false)
    }
    // With ids from fields, a save may remove an id.
    if savingRounds > 2, !scenario.usesGit, !reading.hasIDField { try SaveCheck(plan, watcher.steps).check() }
    // Updates of items that were not compared may still come.
    if !expected.isExact { savingRounds = 0 }
  }

  private func difference(from expected: ExpectedList, _ fresh: FreshList) -> String? {
    let stream = watcher.stream
    let aside = expected.touched(by: stream)
    if let difference = expected.difference(from: stream.items, aside: aside)
      ?? expected.difference(fromProblems: Set(stream.problems.keys), isFresh: false)
    {
      return difference
    }
    let (listed, folded) = (
      fresh.items.filter { !aside.contains($0.id) }, stream.items.filter { !aside.contains($0.id) }
    )
    return listed == folded ? nil : "it has \(folded.map(\.id)), but `list` has \(listed.map(\.id))"
  }

  private func report(_ what: String) -> String {
    let kept = "/var/tmp/notes-watch-diverged-\(seed)"
    _ = try? Shell.run("rm -rf '\(kept)'; cp -a . '\(kept)'", in: folder.path)
    return """
      \(what)
      round \(round) of \(scenario): notes-watch \(arguments.joined(separator: " ")) \(environment); \(seedNote(seed))
      a copy of the folder is \(kept)
      operations:
      \(done.joined(separator: "\n"))
      last lines of the stream:
      \(watcher.lines.joined(separator: "\n"))
      last events over HTTP:
      \(served?.report ?? "none")
      standard error: \(String(decoding: watcher.errors.suffix(2_000), as: UTF8.self))
      """
  }
}
