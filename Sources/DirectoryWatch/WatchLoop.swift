import CLinux
import Glibc

/// The watch's thread: sleeps until there is an event, a command or something due; reads all events; hands out what is whole.
///
/// It reads before it decides, so a process that was stopped for a while finds out what happened before it believes that a file is gone.
final class WatchLoop: @unchecked Sendable {  // made by one thread, then handed to the one that runs it, and touched by no other
  typealias Instant = SuspendingClock.Instant

  private enum Source {
    case events(InotifySource)
    case polling(PollingSource)
  }

  private let root: RootPath
  private let options: WatchOptions
  private let control: WatchControl
  private let deliver: @Sendable (DirtyPaths) -> Void
  private let clock = SuspendingClock()
  private var source: Source
  private var settler: Settler
  private var filter: WatchFilter
  private var nextPoll: Instant?
  private var questions: [(batch: DirtyPaths, answer: CheckedContinuation<Bool, Never>)] = []
  private var counters = WatchCounters()
  private var wasRootGone = false
  private var listing: DirectoryScan.Listing

  /// Sets the watches, or begins to poll, and lists what is there.
  init(root: RootPath, filter: WatchFilter, options: WatchOptions, control: WatchControl, deliver: @escaping @Sendable (DirtyPaths) -> Void)
    throws(WatchError)
  {
    self.root = root
    self.filter = filter
    self.options = options
    self.control = control
    self.deliver = deliver
    var settler = Settler(timing: SettleTiming(settle: options.settle, maxWait: options.maxWait))
    (source, listing) = try Self.open(root, filter, options, &settler, at: clock.now)
    self.settler = settler
    if case .polling = source { nextPoll = clock.now + options.pollInterval }
    publish()
    // Until the first round nobody knows.
    control.gitQuiet = git.map { GitQuiet(folder: $0, stamp: nil, isBusy: true) }
  }

  /// What was there when it began; only the first time, so as not to keep it.
  func takeListing() -> DirectoryScan.Listing {
    defer { listing = DirectoryScan.Listing() }
    return listing
  }

  func run() {
    defer { control.end() }
    while !control.isStopped {
      sleepUntilSomethingHappens()
      counters.wakeups += 1
      let gitStamp = git?.stamp
      do throws(WatchError) {
        try obey(control.takeCommands())
        try look()
      } catch {
        recover(from: error)
      }
      let batches = settler.takeDue(at: clock.now)
      counters.batches += batches.count
      // Before the batch, so that who has it sees what led to it.
      publish()
      for batch in batches { deliver(batch) }
      control.gitQuiet = git.map { GitQuiet(folder: $0, stamp: gitStamp, isBusy: settler.isGitBusy) }
      answer()
    }
  }

  /// The repository that events tell of.
  private var git: GitFolder? {
    if case .events(let source) = source { source.git } else { nil }
  }

  /// When all events were read and what was due was handed out.
  private func answer() {
    for (batch, answer) in questions { answer.resume(returning: settler.isGitChanging(batch)) }
    questions = []
  }

  // MARK: Opening

  private static func open(
    _ root: RootPath, _ filter: WatchFilter, _ options: WatchOptions, _ settler: inout Settler, at now: Instant
  ) throws(WatchError) -> (Source, DirectoryScan.Listing) {
    // First, so that a root that cannot be read is that error whichever way it would have been watched.
    _ = try Descriptor.root(root)
    if options.polling == .always { return try startPolling(root, filter, &settler, at: now) }
    if options.polling == .automatic, let kind = RemoteFileSystem(at: root.absolute) {
      options.onNotice(.pollsBecause("\(kind) does not tell what other machines change", root, options))
      return try startPolling(root, filter, &settler, at: now)
    }
    do throws(WatchError) {
      let source = try InotifySource(root: root, filter: filter)
      return (.events(source), try source.start(&settler, at: now))
    } catch {
      guard options.polling == .automatic, error.meansPolling else { throw error }
      options.onNotice(.pollsBecause(error.description, root, options))
      return try startPolling(root, filter, &settler, at: now)
    }
  }

  private static func startPolling(_ root: RootPath, _ filter: WatchFilter, _ settler: inout Settler, at now: Instant) throws(WatchError)
    -> (Source, DirectoryScan.Listing)
  {
    let source = PollingSource(root: root, filter: filter)
    return (.polling(source), try source.start(&settler, at: now))
  }

  // MARK: One round

  private func sleepUntilSomethingHappens() {
    var descriptors = [pollfd(fd: control.bell.raw, events: Int16(POLLIN), revents: 0)]
    var deadlines = [settler.deadline, nextPoll]
    if case .events(let source) = source {
      descriptors.append(pollfd(fd: source.inotify.descriptor.raw, events: Int16(POLLIN), revents: 0))
      deadlines.append(source.retry.at)
    }
    let count = poll(&descriptors, nfds_t(descriptors.count), timeout(until: deadlines.compactMap { $0 }.min()))
    // It fails only for want of memory or by a signal; a short rest then, for it may fail again at once.
    if count < 0, errno != EINTR { usleep(10_000) }
    if descriptors[0].revents != 0 { control.silence() }
  }

  /// Milliseconds for poll(2), rounded up: to wake before the deadline would be to wake twice.
  private func timeout(until deadline: Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = clock.now.duration(to: deadline).components
    if seconds < 0 || attoseconds < 0 { return 0 }
    return Int32(clamping: min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  private func look() throws(WatchError) {
    switch source {
    case .events(let source):
      try source.drain(&settler) { clock.now }
      try source.retryIfDue(&settler, at: clock.now)
      if settler.needsRescan(at: clock.now) {
        try source.mend(.root, &settler, at: clock.now)
        if let git = source.git { settler.gitSigns(nowThere: git.signs(), at: clock.now) }
        settler.rescanned(at: clock.now)
        counters.rescans += 1
      }
      tellOfRoot(isGone: source.isRootGone)
    case .polling(let source):
      let now = clock.now
      // Also when something waits: what is due is decided by a look, not by the want of one.
      guard [nextPoll, settler.deadline].contains(where: { $0.map { $0 <= now } ?? false }) else { return }
      source.poll(&settler, at: now)
      // A large folder on a slow file system is looked at a tenth of the time at most.
      nextPoll = clock.now + max(options.pollInterval, now.duration(to: clock.now) * 9)
      tellOfRoot(isGone: source.isRootGone)
    }
  }

  private func obey(_ commands: [WatchControl.Command]) throws(WatchError) {
    for command in commands {
      let now = clock.now
      switch (command, source) {
      case (.lookAgain(let path), .events(let source)):
        try source.mend(path, &settler, at: now)
        settler.note(.asked, of: .subtree(path), at: now)
      case (.lookAgain(let path), .polling):
        settler.note(.asked, of: .subtree(path), at: now)
      case (.isOvertaken(let batch, let answer), _): questions.append((batch, answer))
      case (.lookLater(let path), _): settler.note(.changed(isEmpty: false), of: .entry(path), at: now)
      case (.setFilter(let filter), _):
        self.filter = filter
        settler.note(.asked, of: .subtree(.root), at: now)
        switch source {
        case .events(let source): try source.setFilter(filter, &settler, at: now)
        case .polling(let source): source.filter = filter
        }
      }
    }
  }

  /// The watches have run out, or inotify cannot be read: from here on by polling, and everything is to be looked at again.
  private func recover(from error: WatchError) {
    if case .polling = source { return }
    options.onNotice(.pollsBecause(error.description, root, options))
    let polling = PollingSource(root: root, filter: filter)
    // A root that is gone right now is found by the next look.
    _ = try? polling.start(&settler, at: clock.now)
    source = .polling(polling)
    nextPoll = clock.now + options.pollInterval
    settler.note(.changed(isEmpty: false), of: .subtree(.root), at: clock.now)
  }

  private func tellOfRoot(isGone: Bool) {
    if isGone != wasRootGone { options.onNotice(isGone ? .rootGone(root) : .rootBack(root)) }
    wasRootGone = isGone
  }

  private func publish() {
    switch source {
    case .events(let source):
      counters.watches = source.table.count
      counters.events = source.eventCount
      counters.overflows = source.overflowCount
    case .polling(let source):
      counters.watches = 0
      counters.isPolling = true
      counters.polls = source.pollCount
    }
    counters.waiting = settler.waitingCount
    control.publish(counters)
  }
}
