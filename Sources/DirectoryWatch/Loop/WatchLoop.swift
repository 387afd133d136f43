import CLinux
import Glibc
import LinuxFiles

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
  private let deliver: @Sendable (WatchEvent) -> Void
  private let clock = SuspendingClock()
  private var source: Source
  private var settler: Settler
  private var filter: WatchFilter
  private var nextPoll: Instant?
  private let mounts = MountTable()
  private var later = LaterLooks()
  private var nextTick: Instant?
  /// When to try to do without polling, where only want of something made it poll.
  private var comeback = Retry()
  /// Whether the kernel held no more events when they were read last.
  private var isDrained = true
  private var quiet = GitQuiet()
  private var gitWorkers = GitWorkers()
  private var mountsAreSuspect = false
  private var questions: [(batch: DirtyPaths, answer: CheckedContinuation<Bool, Never>)] = []
  private var counters = WatchCounters()
  private var wasRootGone = false
  private var listing: DirectoryScan.Listing

  /// Sets the watches, or begins to poll, and lists what is there.
  init(root: RootPath, filter: WatchFilter, options: WatchOptions, control: WatchControl, deliver: @escaping @Sendable (WatchEvent) -> Void)
    throws(WatchError)
  {
    self.root = root
    self.filter = filter
    self.options = options
    self.control = control
    self.deliver = deliver
    var settler = Settler(timing: SettleTiming(settle: options.settle, maxWait: options.maxWait))
    var isFallback = false
    (source, listing, isFallback) = try Self.open(root, filter, options, &settler, at: clock.now)
    self.settler = settler
    if case .polling = source { nextPoll = clock.now + options.pollInterval }
    _ = mounts?.hasChanged(around: root.resolved ?? root.absolute)
    if isFallback { comeback.schedule(.root, at: clock.now) }
    publish()
    publishQuiet()
  }

  /// What was there when it began; only the first time, so as not to keep it.
  func consumeListing() -> DirectoryScan.Listing {
    defer { listing = DirectoryScan.Listing() }
    return listing
  }

  func run() {
    defer { control.end() }
    while !control.isStopped {
      sleepUntilSomethingHappens()
      counters.wakeups += 1
      lookAtGit()
      for command in control.removeCommands() { attempt { () throws(WatchError) in try obey(command) } }
      attempt { () throws(WatchError) in try recheck(later.takeDue(at: clock.now)) }
      attempt { () throws(WatchError) in try look() }
      attempt { () throws(WatchError) in try lookForMounts() }
      returnIfDue()
      noteGitWorkers()
      let batches = settler.takeDue(at: clock.now) { isGitAtWork(in: $0) }
      counters.batches += batches.count
      // Before the batch, so that who has it sees what led to it.
      publish()
      for batch in batches { deliver(.dirty(batch)) }
      deliverTickIfDue()
      publishQuiet()
      answer()
    }
  }

  /// Before the events are read.
  private func lookAtGit() {
    guard case .events(let source) = source else { return quiet = GitQuiet() }
    quiet.look(at: source.heardTrees) { source.repositories[$0]?.folder }
    source.heardTrees = []
  }

  /// After the events were read: what a process did before it ended is known by now.
  private func noteGitWorkers() {
    guard case .events(let source) = source else { return gitWorkers = GitWorkers() }
    for tree in source.startedTrees { _ = isGitAtWork(in: tree) }
    source.startedTrees = []
    if isDrained { for tree in gitWorkers.takeEnded() { settler.git(.ended, in: tree, at: clock.now) } }
  }

  private func isGitAtWork(in tree: RelativePath) -> Bool {
    guard let top = root.topOfWorkTree(tree) else { return false }
    // With polling, what a process did is found by the next look, and not when it ends.
    let isFollowing = if case .events = source { true } else { false }
    return gitWorkers.isAtWork(in: tree, top: top, isFollowing: isFollowing)
  }

  private func publishQuiet() {
    if case .events(let source) = source {
      quiet.note(source.heardTrees, { source.repositories[$0]?.folder }, isBusy: { settler.isGitBusy(in: $0) })
    }
    control.gitQuiet = quiet
  }

  /// When all events were read and what was due was handed out.
  private func answer() {
    for (batch, answer) in questions { answer.resume(returning: settler.isGitChanging(batch)) }
    questions = []
  }

  // MARK: Opening

  private static func open(
    _ root: RootPath, _ filter: WatchFilter, _ options: WatchOptions, _ settler: inout Settler, at now: Instant
  ) throws(WatchError) -> (Source, DirectoryScan.Listing, isFallback: Bool) {
    // First, so that a root that cannot be read is that error whichever way it would have been watched.
    _ = try Descriptor.root(root)
    var isFallback = false
    if options.polling == .automatic, let kind = RemoteFileSystem(at: root.absolute) {
      options.onNotice(.pollsBecause("\(kind) does not tell what other machines change", root, options))
    } else if options.polling != .always {
      do throws(WatchError) {
        let source = try InotifySource(root: root, filter: filter)
        return (.events(source), try source.start(&settler, at: now), isFallback: false)
      } catch {
        guard options.polling == .automatic, error.meansPolling else { throw error }
        options.onNotice(.pollsBecause(error.description, root, options))
        isFallback = true
      }
    }
    let source = PollingSource(root: root, filter: filter)
    return (.polling(source), try source.start(&settler, at: now), isFallback)
  }

  // MARK: One round

  private func sleepUntilSomethingHappens() {
    var descriptors = [pollfd(fd: control.bell.raw, events: Int16(POLLIN), revents: 0)]
    var deadlines = [settler.deadline, nextPoll, later.deadline, comeback.at]
    // What waits has a deadline of its own, and the tick comes after that.
    if settler.waitingCount == 0 { deadlines.append(nextTick) }
    if case .events(let source) = source {
      descriptors.append(pollfd(fd: source.inotify.descriptor.raw, events: Int16(POLLIN), revents: 0))
      deadlines.append(source.retry.at)
    }
    descriptors += gitWorkers.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if let mounts { descriptors.append(pollfd(fd: mounts.descriptor.raw, events: Int16(POLLPRI), revents: 0)) }
    let count = poll(&descriptors, nfds_t(descriptors.count), timeout(until: deadlines.compactMap { $0 }.min()))
    let isFailure = count < 0 && errno != EINTR
    mountsAreSuspect = mounts != nil && descriptors.last?.revents != 0
    // Where that fails, for want of memory say, it would fail again at once: a short rest then.
    if isFailure || (descriptors[0].revents != 0 && !control.silence()) { usleep(10_000) }
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
      isDrained = try source.drain(&settler) { clock.now }
      try source.retryIfDue(&settler, at: clock.now)
      if settler.needsRescan(at: clock.now) {
        try source.mend(.root, &settler, at: clock.now)
        for (tree, repository) in source.repositories { settler.git(.missed(nowThere: repository.folder.signs()), in: tree, at: clock.now) }
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

  private func obey(_ command: WatchControl.Command) throws(WatchError) {
    let now = clock.now
    switch command {
    case .rescan(let path):
      settler.note(.asked, of: .subtree(path), at: now)
      try mend(path, at: now)
    case .recheck(let paths, .zero): try recheck(paths)
    case .recheck(let paths, let delay): later.schedule(paths, at: now + delay)
    case .scheduleTick(let delay): nextTick = now + delay
    case .isOvertaken(let batch, let answer): questions.append((batch, answer))
    case .setFilter(let filter):
      self.filter = filter
      settler.note(.asked, of: .subtree(.root), at: now)
      switch source {
      case .events(let source): try source.setFilter(filter, &settler, at: now)
      case .polling(let source):
        source.filter = filter
        source.expectLook(at: .root)
      }
    }
  }

  /// What is mounted on or in the root shows other files without an event.
  private func lookForMounts() throws(WatchError) {
    guard mountsAreSuspect, let mounts, mounts.hasChanged(around: root.resolved ?? root.absolute) else { return }
    try obey(.rescan(.root))
  }

  /// Once they are whole, unlike what is asked for at once.
  private func recheck(_ places: DirtyPaths) throws(WatchError) {
    let now = clock.now
    for file in places.files { settler.note(.changed(isEmpty: false), of: .entry(file), at: now) }
    for folder in places.subtrees {
      settler.note(.changed(isEmpty: false), of: .subtree(folder), at: now)
      try mend(folder, at: now)
    }
  }

  /// Sees to it that what comes and goes below a folder that is looked at from now on is heard of.
  private func mend(_ folder: RelativePath, at now: Instant) throws(WatchError) {
    switch source {
    case .events(let source): try source.mend(folder, &settler, at: now)
    case .polling(let source): source.expectLook(at: folder)
    }
  }

  /// After all that was noticed, and only when that is all there is.
  private func deliverTickIfDue() {
    guard let nextTick, nextTick <= clock.now, isDrained, settler.waitingCount == 0 else { return }
    self.nextTick = nil
    deliver(.tick)
  }

  private func attempt(_ step: () throws(WatchError) -> Void) {
    do throws(WatchError) { try step() } catch { recover(from: error) }
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
    comeback.schedule(.root, at: clock.now)
    settler.note(.changed(isEmpty: false), of: .subtree(.root), at: clock.now)
  }

  /// From polling, which began for want of something, back to events where that is to be had again.
  private func returnIfDue() {
    guard let at = comeback.at, at <= clock.now else { return }
    _ = comeback.take()
    do throws(WatchError) {
      let events = try InotifySource(root: root, filter: filter, counters: counters)
      _ = try events.start(&settler, at: clock.now)
      source = .events(events)
      nextPoll = nil
      // What happened since the last look of the polling.
      settler.note(.changed(isEmpty: false), of: .subtree(.root), at: clock.now)
      options.onNotice(.watchesAgain(root))
    } catch {
      comeback.schedule(.root, at: clock.now)
    }
  }

  private func tellOfRoot(isGone: Bool) {
    if isGone != wasRootGone { options.onNotice(isGone ? .rootGone(root) : .rootBack(root)) }
    wasRootGone = isGone
  }

  private func publish() {
    switch source {
    case .events(let source):
      counters.isPolling = false
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
