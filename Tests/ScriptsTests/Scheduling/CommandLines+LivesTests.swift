import Store
import TestSupport
import Testing
import Values
import Streams

@testable import Scripts

extension CommandLinesTests {
  /// Random lives of a command. At the end it behaves well, and must have the newest list.
  @Test func `no change is lost, whatever the command does`() throws {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      var options = CommandSettings()
      options.isPersistent = true
      options.maxFailures = 1 + random.below(4)
      options.timeout = random.oneIn(2) ? .seconds(1 + random.below(5)) : nil
      options.onError = random.oneIn(2) ? .retry : .next
      var schedule = CommandSchedule(after: lists[0], seq: 1, options)
      var life = Life(seq: 1, list: lists[0])
      var newest = 0, now = start
      try life.perform(schedule.handle(.started, at: now))
      for _ in 0..<80 {
        now += .milliseconds(random.below(3000))
        switch random.below(9) {
        case 8 where random.oneIn(3):
          // The program is killed and started again with what it has recorded.
          life.crash(doing: random.below(4))
          schedule = CommandSchedule(
            after: schedule.pending.acknowledged, offering: schedule.pending.offer, seq: schedule.seq, options
          )
          let missed = ListUpdate<Item>(
            from: life.list, to: lists[newest], touched: nil, origin: .files, cause: .resumed)
          if !missed.diff.isEmpty { try life.perform(schedule.handle(.changed(missed), at: now)) }
          try life.perform(schedule.handle(.started, at: now))
        case 0, 1:
          let next = random.below(lists.count)
          let change = update(newest, next)
          newest = next
          if !change.diff.isEmpty { try life.perform(schedule.handle(.changed(change), at: now)) }
        case 2 where life.isRunning: try life.acknowledge(&schedule, life.seq + 1, at: now)
        case 3 where life.isRunning: try life.acknowledge(&schedule, random.below(8), at: now)
        case 4 where life.isRunning:
          life.fail(doing: random.below(4))
          try life.end(&schedule, random.one(of: [.exited(0), .exited(1), .signaled(9)]), at: now)
        case 5 where life.isRunning: try life.perform(schedule.handle(.inputClosed, at: now))
        case 6: try life.perform(schedule.handle(.continued, at: now))
        default: try life.perform(schedule.handle(.timer, at: now))
        }
        if life.isStopping {
          life.fail(doing: random.below(4))
          try life.end(&schedule, .stopped, at: now)
        }
      }
      for _ in 0..<20 {
        try life.perform(schedule.handle(.continued, at: now))
        while life.outstanding != nil { try life.acknowledge(&schedule, life.seq + 1, at: now) }
        now = max(now, schedule.deadline ?? now)
        try life.perform(schedule.handle(.timer, at: now))
        if life.isStopping { try life.end(&schedule, .stopped, at: now) }
      }
      let rest = ListUpdate<Item>(from: life.list, to: lists[newest], touched: nil, origin: .files)
      #expect(rest.diff.isEmpty, "\(seedNote(seed))")
      #expect(life.outstanding == nil, "\(seedNote(seed))")
      #expect(life.published == PublishedSet(lists[newest]), "\(seedNote(seed))")
      #expect(schedule.seq == life.seq, "\(seedNote(seed))")
    }
  }

  /// A command that follows the actions of the schedule, and checks that they are possible.
  private struct Life {
    struct Violation: Error {
      let description: String
    }

    var seq: Int
    var list: ListSnapshot<Item>
    var outstanding: ListUpdate<Item>?
    var isRunning = false
    var isStopping = false
    private var mayAcknowledge = false
    /// What the command has made of its lines.
    private(set) var published: PublishedSet

    init(seq: Int, list: ListSnapshot<Item>) {
      self.seq = seq
      self.list = list
      published = PublishedSet(list)
    }

    /// Does the first things of the outstanding line, which is not acknowledged.
    mutating func fail(doing count: Int) {
      if let outstanding { published.apply(outstanding, first: count) }
    }

    mutating func crash(doing count: Int) {
      fail(doing: count)
      (isRunning, isStopping, outstanding, mayAcknowledge) = (false, false, nil, false)
    }

    mutating func acknowledge(
      _ schedule: inout CommandSchedule, _ number: Int, at now: SuspendingClock.Instant
    ) throws {
      mayAcknowledge = outstanding != nil && number == seq + 1
      let actions = schedule.handle(.acknowledged("\(number)"), at: now)
      let isDone = actions.contains { if case .acknowledge = $0 { true } else { false } }
      if isDone != mayAcknowledge {
        throw Violation(description: "number \(number) after \(seq): \(actions)")
      }
      try perform(actions)
    }

    mutating func end(_ schedule: inout CommandSchedule, _ end: RunEnd, at now: SuspendingClock.Instant)
      throws
    {
      (isRunning, isStopping, outstanding) = (false, false, nil)
      try perform(schedule.handle(.ended(end), at: now))
    }

    mutating func perform(_ actions: [CommandSchedule.Action]) throws {
      for action in actions {
        switch action {
        case .start:
          if isRunning { throw Violation(description: "a second process") }
          isRunning = true
        case .deliver(let update):
          if !isRunning || isStopping || outstanding != nil {
            throw Violation(description: "a line that cannot be read")
          }
          let difference = ListUpdate<Item>(from: list, to: update.old, touched: nil, origin: .files)
          if !difference.diff.isEmpty { throw Violation(description: "an update of another list") }
          outstanding = update
        case .acknowledge:
          guard mayAcknowledge, let update = outstanding else {
            throw Violation(description: "nothing was acknowledged")
          }
          published.apply(update)
          (list, seq, outstanding, mayAcknowledge) = (update.new, seq + 1, nil, false)
        case .stop:
          if !isRunning || isStopping { throw Violation(description: "nothing to stop") }
          isStopping = true
        case .checkGit: throw Violation(description: "a git check without the option")
        case .skip: throw Violation(description: "a change without a line")
        case .end, .endInput: throw Violation(description: "an end without a reason")
        case .report: break
        }
      }
    }
  }
}
