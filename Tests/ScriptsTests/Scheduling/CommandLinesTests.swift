import SampleLists
import Store
import TestSupport
import Testing
import Values

@testable import Scripts

@Suite struct CommandLinesTests {
  private typealias Action = CommandSchedule.Action

  let start = SuspendingClock.now
  /// The lists of 0 to 5 items.
  let lists: [ListSnapshot<Item>]

  init() throws {
    lists = try (0..<6).map { number in
      try SampleList((0..<number).map { .sample("\($0)", ["n": .int(number)]) }).snapshot
    }
  }

  func update(_ old: Int, _ new: Int) -> ListUpdate<Item> {
    ListUpdate<Item>(from: lists[old], to: lists[new], touched: nil, origin: .files)
  }

  private func time(_ seconds: Double) -> SuspendingClock.Instant { start + .seconds(seconds) }

  private func schedule(_ change: (inout CommandSettings) -> Void = { _ in }) -> CommandSchedule {
    var options = CommandSettings()
    options.isPersistent = true
    change(&options)
    return CommandSchedule(after: lists[0], seq: 1, options)
  }

  /// Names of the actions, for short comparisons.
  private func names(_ actions: [Action]) -> [String] {
    actions.map { action in
      switch action {
      case .start: "start"
      case .deliver(let update): "send \(update.new.count)"
      case .acknowledge: "acknowledge"
      case .checkGit: "check git"
      case .skip(let update): "skip \(update.new.count)"
      case .endInput: "end input"
      case .stop: "stop"
      case .report(.ended(_, .retry)): "report end"
      case .report(.ended(_, .stop)): "report stop"
      case .report(.ended(_, .parked)): "report parked"
      case .report(.invalid): "report invalid"
      case .report(.ended(_, .nextChange)), .report(.failed), .report(.splitting), .report(.broken),
        .report(.looping):
        "report of a run"
      case .report(.inputClosed): "report closed input"
      case .report(.continued): "report continued"
      case .report(.gitTooLong): "report git"
      case .end(.closed): "closed"
      case .end(.status(let status)): "status \(status)"
      case .end(.notRecorded): "not recorded"
      }
    }
  }

  private func acknowledged(_ text: String) -> CommandSchedule.Event {
    .acknowledged(text)
  }

  @Test func `the command starts at once, and gets one line at a time`() {
    var schedule = schedule()
    #expect(names(schedule.handle(.started, at: time(0))) == ["start"])
    #expect(names(schedule.handle(.changed(update(0, 1)), at: time(0))) == ["send 1"])
    #expect(names(schedule.handle(.changed(update(1, 2)), at: time(0))) == [])
    #expect(names(schedule.handle(.changed(update(2, 3)), at: time(0))) == [])
    #expect(names(schedule.handle(acknowledged("2"), at: time(0))) == ["acknowledge", "send 3"])
    #expect(names(schedule.handle(acknowledged("3"), at: time(0))) == ["acknowledge"])
    #expect(schedule.seq == 3)
    #expect(schedule.deadline == nil)
  }

  @Test func `changes that are reverted before the acknowledgement are not sent`() {
    var schedule = schedule()
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    _ = schedule.handle(.changed(update(1, 2)), at: time(0))
    _ = schedule.handle(.changed(update(2, 1)), at: time(0))
    #expect(names(schedule.handle(acknowledged("2"), at: time(0))) == ["acknowledge"])
  }

  @Test(arguments: ["1", "3", "0", "99999999999999999999999", "12"])
  func `a wrong number is reported once per process and ignored`(text: String) {
    var schedule = schedule()
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    #expect(names(schedule.handle(acknowledged(text), at: time(0))) == ["report invalid"])
    #expect(names(schedule.handle(acknowledged(text), at: time(0))) == [])
    #expect(names(schedule.handle(acknowledged("2"), at: time(0))) == ["acknowledge"])
    #expect(names(schedule.handle(acknowledged("2"), at: time(0))) == [])
    _ = schedule.handle(.ended(.exited(0)), at: time(0))
    _ = schedule.handle(.timer, at: time(2))
    #expect(names(schedule.handle(acknowledged("2"), at: time(2))) == ["report invalid"])
  }

  @Test func `an end before the acknowledgement brings everything again`() throws {
    var schedule = schedule()
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    #expect(names(schedule.handle(.ended(.exited(1)), at: time(10))) == ["report end"])
    #expect(names(schedule.handle(.changed(update(1, 2)), at: time(10))) == [])
    let deadline = try #require(schedule.deadline)
    #expect(deadline >= time(10.9))
    #expect(deadline <= time(11.1))
    #expect(names(schedule.handle(.timer, at: time(10.5))) == [])
    #expect(names(schedule.handle(.timer, at: deadline)) == ["start", "send 2"])
    #expect(names(schedule.handle(acknowledged("2"), at: deadline)) == ["acknowledge"])
  }

  @Test func `an end after the acknowledgement starts it again without a line`() throws {
    var schedule = schedule()
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    _ = schedule.handle(acknowledged("2"), at: time(0))
    #expect(names(schedule.handle(.ended(.exited(0)), at: time(0))) == ["report end"])
    #expect(names(schedule.handle(.timer, at: try #require(schedule.deadline))) == ["start"])
  }

  @Test func `the delay doubles, and an acknowledgement resets it`() throws {
    var schedule = schedule()
    var now = time(0)
    _ = schedule.handle(.changed(update(0, 1)), at: now)
    for delay in [1.0, 2, 4, 8] {
      _ = schedule.handle(.ended(.exited(1)), at: now)
      let deadline = try #require(schedule.deadline)
      #expect(abs(now.duration(to: deadline) / .seconds(1) - delay) <= delay * 0.1001)
      now = deadline
      #expect(names(schedule.handle(.timer, at: now)) == ["start", "send 1"])
    }
    _ = schedule.handle(acknowledged("2"), at: now)
    _ = schedule.handle(.ended(.exited(1)), at: now)
    #expect(now.duration(to: try #require(schedule.deadline)) <= .seconds(1.11))
  }

  @Test func `a command that never acknowledges is parked, and can be continued`() throws {
    var schedule = schedule { $0.maxFailures = 3 }
    var now = time(0)
    _ = schedule.handle(.changed(update(0, 1)), at: now)
    for _ in 0..<2 {
      #expect(names(schedule.handle(.ended(.exited(1)), at: now)) == ["report end"])
      now = try #require(schedule.deadline)
      _ = schedule.handle(.timer, at: now)
    }
    #expect(names(schedule.handle(.ended(.exited(1)), at: now)) == ["report parked"])
    #expect(schedule.deadline == nil)
    #expect(names(schedule.handle(.changed(update(1, 2)), at: now)) == [])
    #expect(names(schedule.handle(.continued, at: now)) == ["report continued", "start", "send 2"])
    #expect(names(schedule.handle(.continued, at: now)) == [])
    #expect(names(schedule.handle(.ended(.exited(1)), at: now)) == ["report end"])
  }

  @Test func `a command that acknowledges before each end is never parked`() throws {
    var schedule = schedule { $0.maxFailures = 1 }
    var now = time(0)
    for step in 0..<5 {
      _ = schedule.handle(.changed(update(step, step + 1)), at: now)
      #expect(names(schedule.handle(acknowledged("\(step + 2)"), at: now)) == ["acknowledge"])
      #expect(names(schedule.handle(.ended(.exited(0)), at: now)) == ["report end"])
      now = try #require(schedule.deadline)
      _ = schedule.handle(.timer, at: now)
    }
  }

  @Test func `a missing acknowledgement stops the command`() throws {
    var schedule = schedule { $0.timeout = .seconds(5) }
    _ = schedule.handle(.started, at: time(0))
    #expect(schedule.deadline == nil)
    _ = schedule.handle(.changed(update(0, 1)), at: time(1))
    #expect(schedule.deadline == time(6))
    #expect(names(schedule.handle(.timer, at: time(5.9))) == [])
    #expect(names(schedule.handle(.timer, at: time(6))) == ["stop"])
    let actions = schedule.handle(.ended(.stopped), at: time(7))
    guard case .report(.ended(.timedOut, .retry)) = try #require(actions.first) else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test func `an acknowledgement while the command is being stopped counts`() throws {
    var schedule = schedule { $0.timeout = .seconds(5) }
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    _ = schedule.handle(.changed(update(1, 2)), at: time(0))
    _ = schedule.handle(.timer, at: time(5))
    #expect(names(schedule.handle(acknowledged("2"), at: time(5))) == ["acknowledge"])
    _ = schedule.handle(.ended(.stopped), at: time(6))
    #expect(names(schedule.handle(.timer, at: try #require(schedule.deadline))) == ["start", "send 2"])
  }

  @Test func `a command that closed its input is stopped, unless it ends soon`() throws {
    var schedule = schedule()
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    #expect(names(schedule.handle(.inputClosed, at: time(0))) == [])
    #expect(schedule.deadline == time(0) + CommandSchedule.inputGrace)
    #expect(names(schedule.handle(acknowledged("2"), at: time(1))) == ["acknowledge"])
    #expect(names(schedule.handle(.changed(update(1, 2)), at: time(1))) == [])
    #expect(names(schedule.handle(.timer, at: time(2))) == ["report closed input", "stop"])
    #expect(names(schedule.handle(.ended(.stopped), at: time(2))) == ["report end"])
  }

  @Test(arguments: [
    (RunEnd.exited(3), "status 3"), (.exited(0), "status 1"), (.signaled(9), "status 137"),
    (.notStarted("x"), "status 126"),
  ])
  func `with stop the first end is the end of the program`(end: RunEnd, name: String) {
    var schedule = schedule { $0.onError = .stop }
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    #expect(names(schedule.handle(.ended(end), at: time(0))) == ["report stop", name])
    #expect(names(schedule.handle(.timer, at: time(100))) == [])
  }

  @Test func `with stop a command that has everything may end well`() {
    var schedule = schedule { $0.onError = .stop }
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    _ = schedule.handle(acknowledged("2"), at: time(0))
    #expect(names(schedule.handle(.ended(.exited(0)), at: time(0))) == ["report stop", "status 0"])
  }

  @Test func `once ends when everything is acknowledged`() {
    var schedule = schedule { $0.runsOnce = true }
    #expect(names(schedule.handle(.changed(update(0, 1)), at: time(0))) == ["start", "send 1"])
    #expect(names(schedule.handle(.started, at: time(0))) == [])
    #expect(names(schedule.handle(acknowledged("2"), at: time(0))) == ["acknowledge", "end input"])
    #expect(names(schedule.handle(.ended(.exited(0)), at: time(0))) == ["status 0"])
  }

  @Test func `once starts nothing if nothing changed`() {
    var schedule = schedule { $0.runsOnce = true }
    #expect(names(schedule.handle(.started, at: time(0))) == ["status 0"])
  }

  @Test func `once fails if the command ends without an acknowledgement`() {
    var schedule = schedule { $0.runsOnce = true }
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    _ = schedule.handle(.started, at: time(0))
    #expect(names(schedule.handle(.ended(.exited(0)), at: time(0))) == ["report stop", "status 1"])
  }

  @Test func `once with retry ends when the command is parked`() throws {
    var schedule = schedule {
      $0.runsOnce = true
      $0.onError = .retry
      $0.maxFailures = 2
    }
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    _ = schedule.handle(.started, at: time(0))
    #expect(names(schedule.handle(.ended(.exited(4)), at: time(0))) == ["report end"])
    #expect(names(schedule.handle(.timer, at: try #require(schedule.deadline))) == ["start", "send 1"])
    #expect(names(schedule.handle(.ended(.exited(4)), at: time(2))) == ["report parked", "status 4"])
  }

  @Test func `a command that ignores the end of its input is stopped, and has not failed`() {
    var schedule = schedule { $0.runsOnce = true }
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    _ = schedule.handle(.started, at: time(0))
    _ = schedule.handle(acknowledged("2"), at: time(0))
    #expect(names(schedule.handle(.timer, at: time(0) + CommandSchedule.endGrace)) == ["stop"])
    #expect(names(schedule.handle(.ended(.stopped), at: time(20))) == ["status 0"])
  }

  @Test func `the end of the program stops the command`() {
    var schedule = schedule()
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    #expect(names(schedule.handle(.cancelled, at: time(0))) == ["stop"])
    #expect(names(schedule.handle(acknowledged("2"), at: time(0))) == ["acknowledge"])
    #expect(names(schedule.handle(.ended(.stopped), at: time(0))) == ["closed"])
    var idle = self.schedule()
    #expect(names(idle.handle(.cancelled, at: time(0))) == ["closed"])
  }

  @Test func `a closed list lets the command finish the outstanding line`() {
    var schedule = schedule()
    _ = schedule.handle(.changed(update(0, 1)), at: time(0))
    #expect(names(schedule.handle(.closed, at: time(0))) == [])
    #expect(names(schedule.handle(acknowledged("2"), at: time(0))) == ["acknowledge", "end input"])
    #expect(names(schedule.handle(.ended(.exited(0)), at: time(0))) == ["closed"])
  }

  @Test func `lines wait for the end of a git operation`() throws {
    var schedule = schedule {
      $0.defersGit = .seconds(10)
      $0.timeout = .seconds(5)
    }
    #expect(names(schedule.handle(.changed(update(0, 1)), at: time(0))) == ["start", "check git"])
    #expect(names(schedule.handle(.changed(update(1, 2)), at: time(0))) == [])
    #expect(names(schedule.handle(.gitChecked(.rebase), at: time(0))) == [])
    #expect(schedule.deadline == time(0) + GitCheck.interval)
    #expect(names(schedule.handle(.timer, at: time(0.1))) == [])
    #expect(names(schedule.handle(.timer, at: time(0.25))) == ["check git"])
    #expect(names(schedule.handle(.gitChecked(nil), at: time(0.25))) == ["send 2"])
    #expect(schedule.deadline == time(5.25))
    #expect(names(schedule.handle(acknowledged("2"), at: time(1))) == ["acknowledge"])
    #expect(names(schedule.handle(.changed(update(2, 3)), at: time(1))) == ["check git"])
    _ = schedule.handle(.gitChecked(.rebase), at: time(1))
    #expect(names(schedule.handle(.timer, at: time(11))) == ["check git"])
    #expect(names(schedule.handle(.gitChecked(.rebase), at: time(11))) == ["report git", "send 3"])
  }

  @Test func `a command that cannot be started waits as after any other end`() throws {
    var schedule = schedule()
    #expect(names(schedule.handle(.started, at: time(0))) == ["start"])
    #expect(names(schedule.handle(.ended(.notStarted("x")), at: time(0))) == ["report end"])
    #expect(schedule.deadline != nil)
  }
}
