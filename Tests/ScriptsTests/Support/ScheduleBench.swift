import SampleLists
import DiffableSnapshot
import Store
import Streams
import TestSupport
import Testing
import Values
import Watch

@testable import Scripts

/// Drives a `CommandSchedule` with changes, ends of runs and times, and checks the rules that hold
/// whatever happens.
struct ScheduleBench {
  private(set) var schedule: CommandSchedule
  /// The items of the newest list, by ids.
  private(set) var items: [String: Fields]
  private(set) var now = SuspendingClock.now
  private(set) var running: ListUpdate<Item>?
  /// The updates of all runs.
  private(set) var runs: [ListUpdate<Item>] = []
  /// The updates that the command has, in order.
  private(set) var successes: [ListUpdate<Item>] = []
  private(set) var skipped: [ListUpdate<Item>] = []
  private(set) var reports: [CommandReport] = []
  private(set) var end: CommandSink.End?
  private(set) var stops = 0
  /// The times at which runs began.
  private(set) var begins: [SuspendingClock.Instant] = []
  /// The list that a command has which applies each of its updates.
  private(set) var folded: FoldedList
  /// What the command has made of its updates, also of those that failed.
  private var published: PublishedSet
  /// The operation that git checks find.
  var git: GitOperation?
  private(set) var gitChecks = 0
  private var lastEnd = RunEnd.stopped
  private var request: FetchRequest
  private var list: ListSnapshot<Item>
  let options: CommandSettings

  init(
    _ items: [String: Fields] = [:], request: FetchRequest = FetchRequest(),
    _ configure: (inout CommandSettings) -> Void = { _ in }
  ) throws {
    var options = CommandSettings()
    configure(&options)
    self.options = options
    self.items = items
    self.request = request
    list = try ScheduleBench.snapshot(items, request)
    schedule = CommandSchedule(after: list, options)
    folded = FoldedList(list)
    published = PublishedSet(list)
  }

  private static func snapshot(_ items: [String: Fields], _ request: FetchRequest) throws -> ListSnapshot<
    Item
  > {
    try SampleList(items.sorted { $0.key < $1.key }.map { .sample($0.key, $0.value) }, request: request)
      .snapshot
  }

  // MARK: Events

  /// Changes items, and passes the step on if there is one.
  mutating func change(noticed: SuspendingClock.Instant? = nil, _ body: (inout [String: Fields]) -> Void)
    throws
  {
    body(&items)
    try step(noticed: noticed)
  }

  /// Sets the field `k` of items.
  mutating func set(_ ids: String..., to value: Int) throws {
    try change { items in for id in ids { items[id] = ["k": .int(value)] } }
  }

  mutating func remove(_ id: String) throws {
    try change { $0[id] = nil }
  }

  /// Changes the view.
  mutating func show(_ request: FetchRequest) throws {
    self.request = request
    try step(origin: .view)
  }

  private mutating func step(noticed: SuspendingClock.Instant? = nil, origin: UpdateOrigin = .files)
    throws
  {
    let new = try ScheduleBench.snapshot(items, request)
    let update = ListUpdate<Item>(
      from: list, to: new, touched: nil, origin: origin, since: origin == .view ? nil : noticed ?? now)
    if update.diff.isEmpty { return }
    list = new
    handle(.changed(update))
  }

  mutating func start() { handle(.started) }

  /// Ends the run.
  ///
  /// - Parameter count: The number of things that a run that fails has done.
  mutating func endRun(_ end: RunEnd = .exited(0), doing count: Int = .max) {
    #expect(running != nil, "no run is in progress")
    if let running { published.apply(running, first: end.isSuccess ? .max : count) }
    handle(.ended(end))
  }

  /// Kills the program and its run, and starts it again with what it has recorded.
  ///
  /// - Parameter count: The number of things that the run has done.
  mutating func restart(doing count: Int = .max) throws {
    if let running { published.apply(running, first: count) }
    running = nil
    schedule = CommandSchedule(
      after: schedule.pending.acknowledged, offering: schedule.pending.offer, options)
    let update = ListUpdate<Item>(
      from: schedule.pending.acknowledged, to: list, touched: nil, origin: .files, cause: .resumed)
    if !update.diff.isEmpty { handle(.changed(update)) }
    handle(.started)
  }

  /// Ends runs until none is in progress.
  mutating func endRuns(_ end: (ListUpdate<Item>) -> RunEnd) {
    var rest = 10_000
    while let running, rest > 0 {
      rest -= 1
      endRun(end(running))
    }
    #expect(rest > 0, "the runs do not end")
  }

  /// Lets time pass. The timer fires at each deadline.
  mutating func wait(_ time: Duration) {
    let end = now + time
    while let deadline = schedule.deadline, deadline <= end {
      #expect(deadline > now, "a deadline is in the past")
      now = deadline
      handle(.timer)
    }
    now = end
  }

  mutating func continueParked() { handle(.continued) }

  mutating func close() { handle(.closed) }

  private mutating func handle(_ event: CommandSchedule.Event) {
    var isEndOfRun = false
    if case .ended(let end) = event {
      isEndOfRun = true
      lastEnd = end
    }
    let ended = running
    if isEndOfRun { running = nil }
    for action in schedule.handle(event, at: now) {
      #expect(end == nil, "something happens after the end")
      switch action {
      case .deliver(let update):
        #expect(running == nil, "two runs at once")
        #expect(!update.diff.isEmpty || !update.takenBack.isEmpty)
        let changed = Set(update.diff.changes.map(\.item))
        for entry in update.takenBack {
          #expect(!changed.contains(entry.id) || update.diff.changes.contains { $0.operation == "move" })
        }
        #expect(options.isEach == false || update.rows.count == 1)
        running = update
        runs.append(update)
        begins.append(now)
      case .stop:
        #expect(running != nil)
        stops += 1
      case .acknowledge:
        #expect(isEndOfRun)
        #expect(lastEnd == .exited(0), "only a run that succeeded is acknowledged")
        if let ended { acknowledge(ended) }
      case .skip(let update):
        skipped.append(update)
        #expect(update.rows.isEmpty, "a change is skipped")
        acknowledge(update)
      case .start, .endInput: Issue.record("a run is not a process that reads lines")
      case .checkGit:
        gitChecks += 1
        handle(.gitChecked(git))
      case .report(let report): reports.append(report)
      case .end(let reason): end = reason
      }
    }
  }

  private mutating func acknowledge(_ update: ListUpdate<Item>) {
    successes.append(update)
    folded.apply(update)
  }

  // MARK: Checks

  /// The ids of the changes of the current run, and of what it takes back.
  var runningIDs: [String] { running?.rows.map(\.description) ?? [] }

  /// The ids of the changes of each run, and of what it takes back.
  var runIDs: [[String]] { runs.map { $0.rows.map(\.description) } }

  /// The ids whose changes are pending.
  var pendingIDs: [String] { schedule.pending.update?.diff.changes.map { $0.item.description } ?? [] }

  /// Expects that what the command has and what is pending make the newest list.
  func expectNothingLost(_ note: String = "") {
    var all = folded
    if let update = schedule.pending.update { all.apply(update) }
    #expect(all == FoldedList(list), "\(note)")
  }

  /// Expects that the command has the newest list.
  func expectComplete(_ note: String = "") {
    #expect(folded == FoldedList(list), "\(note)")
    #expect(schedule.pending.update == nil, "\(note)")
    #expect(schedule.pending.isEmpty, "\(note)")
    #expect(published == PublishedSet(list), "\(note)")
  }
}

/// A list as a command has it that applies each update.
struct FoldedList: Equatable {
  private var list: Snapshot<SectionID, Item.ID>
  private var rows: [Item.ID: ListRow] = [:]

  init(_ snapshot: ListSnapshot<Item>) {
    list = snapshot.list
    snapshot.forEachRow { rows[$0.id] = $0 }
  }

  static func == (a: FoldedList, b: FoldedList) -> Bool {
    a.list.sectionIdentifiers == b.list.sectionIdentifiers && a.list.itemIdentifiers == b.list.itemIdentifiers
      && a.values == b.values
  }

  private var values: [Item.ID: PackedValue] { rows.mapValues(\.value) }

  mutating func apply(_ update: ListUpdate<Item>) {
    do {
      list = try list.applying(update.diff)
    } catch {
      Issue.record("an update does not apply: \(error)")
    }
    for change in update.diff.changes { rows[change.item] = update.new.row(change.item) }
  }
}
