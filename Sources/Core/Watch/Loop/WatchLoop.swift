import CLinux
import Files
import Glibc

/// The watcher's thread. It sleeps until there is an event, a command or a deadline; reads all
/// events; and delivers the batches that are due.
///
/// It reads before it decides. So a process that was stopped for a while learns what happened
/// before it concludes that a file is gone.
///
/// Every stored property belongs to one thread at a time: the one that creates the loop, then the
/// one that runs it. Other threads reach it only through ``WatchControl``.
final class WatchLoop: @unchecked Sendable {  // One thread at a time has it; see above.
  typealias Instant = SuspendingClock.Instant

  private let root: RootPath
  private let options: WatchOptions
  private let control: WatchControl
  private let deliver: @Sendable (WatchEvent) -> Void
  private let clock = SuspendingClock()
  private var source: any ChangeSource
  private var settler: Settler
  private var git = GitTracker()
  private var filter: WatchFilter
  private let mounts = MountTable()
  private var mountsNeedCheck = false
  private var rechecks = RecheckSchedule()
  private var nextTick: Instant?
  /// When to try inotify again, if the loop polls only because inotify was not available.
  private var inotifyRetry = RetrySchedule()
  /// True if the kernel had no more events when they were last read.
  private var isDrained = true
  private var pendingQueries: [(batch: DirtyPaths, answer: CheckedContinuation<Bool, Never>)] = []
  private var barriers: WatchBarriers
  private var counters = WatchCounters()
  private var wasRootGone = false

  init(
    root: RootPath, filter: WatchFilter, options: WatchOptions, knowing known: KnownListing? = nil,
    control: WatchControl,
    deliver: @escaping @Sendable (WatchEvent) -> Void
  ) throws(WatchError) {
    self.root = root
    self.filter = filter
    self.options = options
    self.control = control
    self.deliver = deliver
    barriers = WatchBarriers(limit: options.maxWait * 3)
    settler = Settler(timing: SettleTiming(settle: options.settle, maxWait: options.maxWait))
    let (opened, isFallback) = try WatchLoop.openSource(root, filter, options, at: clock.now, knowing: known)
    source = opened.source
    control.publish(opened.report.listing)
    apply(opened.report)
    _ = mounts?.hasChanged(around: root.resolved ?? root.absolute)
    if isFallback { inotifyRetry.schedule(.root, at: clock.now) }
    publishCounters()
    publishGitState()
  }

  /// Starts a thread that runs the loop and ends with it. The thread blocks all signals, which
  /// belong to the program.
  func start() throws(WatchError) {
    var all = sigset_t(), before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self)
    // Queue: the watcher's thread, see above. Blocks in `poll`.
    let failure = pthread_create(
      &thread, nil,
      { argument in
        // The box was made for this thread only.
        Unmanaged<WatchLoop>.fromOpaque(argument.unsafelyUnwrapped).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if failure != 0 {
      box.release()
      throw .running("pthread_create", root.given, failure)
    }
    pthread_detach(thread)
  }

  private func run() {
    defer {
      control.end()
      for latch in barriers.removeAll() { latch.open() }
    }
    while !control.isStopped {
      sleep()
      counters.wakeups += 1
      git.beginRound { source.gitFolder(of: $0) }
      for command in control.removeCommands() { handle(command) }
      recheck(rechecks.removeDue(at: clock.now))
      readSource()
      reportEarlyFiles()
      checkMounts()
      returnToInotifyIfDue()
      followGitProcesses()
      let batches = removeDueBatches()
      counters.batches += batches.count
      // Before the batches, so that their reader sees the counts that led to them.
      publishCounters()
      for batch in batches { deliver(.dirty(batch)) }
      deliverTickIfDue()
      for latch in barriers.removePassed(at: clock.now, isPending: { settler.isPending(since: $0) }) {
        latch.open()
      }
      publishGitState()
      answerQueries()
    }
  }

  // MARK: Sleeping

  private func sleep() {
    var descriptors = [pollfd(fd: control.wakeup.raw, events: Int16(POLLIN), revents: 0)]
    if let descriptor = source.descriptor {
      descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    descriptors += git.processes.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if let mounts {
      descriptors.append(pollfd(fd: mounts.descriptor.raw, events: Int16(POLLPRI), revents: 0))
    }
    // Events that the source has read and not returned yet are not visible in its descriptor.
    let count = poll(
      &descriptors, nfds_t(descriptors.count), timeout(until: isDrained ? nextDeadline : clock.now))
    let isFailure = count < 0 && errno != EINTR
    mountsNeedCheck = mounts != nil && descriptors.last?.revents != 0
    // After a failure, for example for lack of memory, the next call would fail at once: rest for 10 ms.
    if isFailure || (descriptors[0].revents != 0 && !control.resetWakeup()) { usleep(10_000) }
  }

  private var nextDeadline: Instant? {
    var deadlines = [
      settler.deadline, source.deadline, rechecks.deadline, inotifyRetry.deadline, barriers.deadline,
    ]
    // A pending change has its own deadline, and the tick comes after it.
    if settler.pendingCount == 0 { deadlines.append(nextTick) }
    return deadlines.compactMap { $0 }.min()
  }

  /// Milliseconds for poll(2), rounded up: waking before the deadline would mean waking twice.
  private func timeout(until deadline: Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = clock.now.duration(to: deadline).components
    if seconds < 0 || attoseconds < 0 { return 0 }
    return Int32(
      clamping: min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  // MARK: Reading

  /// Stops after 64 buffers, so that an endless burst cannot keep due batches from being delivered.
  private func readSource() {
    let isDecisionDue = barriers.needsRead || settler.deadline.map { $0 <= clock.now } ?? false
    for _ in 0..<64 {
      let report = source.read(at: clock.now, isDecisionDue: isDecisionDue)
      isDrained = report.isDrained
      apply(report)
      if isDrained || report.failure != nil { break }
    }
    barriers.recordRead(to: isDrained ? nil : source.position, at: clock.now)
    guard settler.needsRescan(at: clock.now) else { return }
    apply(source.recoverFromOverflow(at: clock.now))
    settler.rescanned(at: clock.now)
    counters.rescans += 1
  }

  /// Reports the files that git has completed. A source that polls may have missed a later change.
  private func reportEarlyFiles() {
    guard source.descriptor != nil, case let files = settler.reportEarlyFiles(), !files.isEmpty else {
      return
    }
    options.onEarlyFiles(files)
  }

  private func apply(_ report: SourceReport) {
    for event in report.events {
      git.apply(event)
      settler.apply(event, at: report.time)
    }
    if let isRootGone = report.isRootGone, isRootGone != wasRootGone {
      options.onNotice(isRootGone ? .rootGone(root) : .rootBack(root))
      wasRootGone = isRootGone
    }
    if let failure = report.failure { fallBackToPolling(because: failure) }
  }

  private func observe(_ change: SourceEvent.Change, of path: DirtyPath) {
    settler.apply(.change(change, of: path), at: clock.now)
  }

  // MARK: Commands

  private func handle(_ command: WatchControl.Command) {
    switch command {
    case .rescan(let folder): rescan(folder)
    case .recheck(let paths, .zero): recheck(paths)
    case .recheck(let paths, let delay): rechecks.schedule(paths, at: clock.now + delay)
    case .scheduleTick(let delay): nextTick = clock.now + delay
    case .restoreWatches(let latch):
      apply(source.restoreWatches(.root, at: clock.now))
      latch.open()
    case .settle(let latch):
      barriers.add(latch, at: source.endPosition, now: clock.now)
      // A mount since the thread was woken up has no event.
      mountsNeedCheck = true
    case .isOvertaken(let batch, let answer): pendingQueries.append((batch, answer))
    case .setFilter(let filter):
      self.filter = filter
      observe(.requested, of: .subtree(.root))
      apply(source.setFilter(filter, at: clock.now))
    }
  }

  private func rescan(_ folder: RelativePath) {
    observe(.requested, of: .subtree(folder))
    apply(source.restoreWatches(folder, at: clock.now))
  }

  /// Reports the paths when they are complete. Paths of a rescan are reported at once.
  private func recheck(_ paths: DirtyPaths) {
    for file in paths.files {
      observe(.changed(isEmpty: root.status(file)?.isEmptyFile ?? false), of: .entry(file))
    }
    for folder in paths.subtrees {
      observe(.changed(isEmpty: false), of: .subtree(folder))
      apply(source.restoreWatches(folder, at: clock.now))
    }
  }

  /// Rescans if something was mounted on or in the root: it shows other files without an event.
  private func checkMounts() {
    guard mountsNeedCheck, let mounts, mounts.hasChanged(around: root.resolved ?? root.absolute) else {
      return
    }
    rescan(.root)
  }

  // MARK: Change of the source

  /// Polls from now on, because the watches have run out or inotify cannot be read. Everything is dirty.
  private func fallBackToPolling(because failure: WatchError) {
    options.onNotice(.polling(because: failure.description, root, options))
    let polling = PollingSource(root: root, filter: filter, interval: options.pollInterval)
    // If the root is gone right now, the next poll reports it.
    let report = try? polling.start(at: clock.now)
    replaceSource(with: polling, report ?? SourceReport(time: clock.now))
    inotifyRetry.schedule(.root, at: clock.now)
  }

  /// Uses inotify again if the loop polls only because inotify was not available.
  private func returnToInotifyIfDue() {
    guard inotifyRetry.removeDue(at: clock.now) != nil else { return }
    do throws(WatchError) {
      let opened = try WatchLoop.openInotify(root, filter, counters, at: clock.now)
      replaceSource(with: opened.source, opened.report)
      options.onNotice(.watching(root))
    } catch {
      inotifyRetry.schedule(.root, at: clock.now)
    }
  }

  private func replaceSource(with source: any ChangeSource, _ report: SourceReport) {
    self.source = source
    git = GitTracker()
    isDrained = true
    var report = report
    // The new source has not compared its root with that of the old one.
    report.isRootGone = nil
    apply(report)
    // Changes between the last event of the old source and the first of the new one are unknown.
    observe(.changed(isEmpty: false), of: .subtree(.root))
    barriers.recordRead(to: nil, at: clock.now)
  }

  // MARK: Git

  private func followGitProcesses() {
    // A source that polls observes the changes of a process only in its next poll, so the end of
    // the process does not show that all changes were observed.
    guard source.descriptor != nil else { return }
    for tree in git.removeStartedTrees() { _ = git.isGitRunning(in: tree, root, isFollowing: true) }
    // After all events were read, so that everything that a process did is known.
    guard isDrained else { return }
    for tree in git.processes.removeEnded() { settler.apply(.git(.processEnded, in: tree), at: clock.now) }
  }

  private func removeDueBatches() -> [DirtyPaths] {
    let now = clock.now
    let isFollowing = source.descriptor != nil
    let working = settler.treesToVerify(at: now).filter {
      git.isGitRunning(in: $0, root, isFollowing: isFollowing)
    }
    return settler.removeDue(at: now, workingTrees: Set(working))
  }

  private func publishGitState() {
    git.endRound({ source.gitFolder(of: $0) }, isActive: { settler.isGitActive(in: $0) })
    control.gitIdleState = git.idleState
  }

  // MARK: The end of a round

  private func deliverTickIfDue() {
    guard let nextTick, nextTick <= clock.now, isDrained, settler.pendingCount == 0 else { return }
    self.nextTick = nil
    deliver(.tick)
  }

  /// Answers the queries. All events were read and every due batch was delivered.
  private func answerQueries() {
    for (batch, answer) in pendingQueries { answer.resume(returning: settler.isGitChanging(batch)) }
    pendingQueries = []
  }

  private func publishCounters() {
    counters = source.counting(in: counters)
    counters.waiting = settler.pendingCount
    control.counters = counters
  }

  typealias Opened = (source: any ChangeSource, report: SourceReport)

  /// Opens the source that the options ask for, with a notice if that is polling without having been asked
  /// for. `isFallback` if it polls only because inotify was not available: a later attempt may succeed.
  static func openSource(
    _ root: RootPath, _ filter: WatchFilter, _ options: WatchOptions, at now: Instant,
    knowing known: KnownListing?
  ) throws(WatchError) -> (opened: Opened, isFallback: Bool) {
    // First of all, so that the error for a root that cannot be read does not depend on the source.
    _ = try Descriptor.root(root)
    var isFallback = false
    if options.polling == .automatic, let kind = DirectoryScan.remoteFileSystem(at: root.absolute) {
      options.onNotice(
        .polling(because: "\(kind) does not report the changes of other machines", root, options))
    } else if options.polling != .always {
      do throws(WatchError) {
        return (try openInotify(root, filter, WatchCounters(), at: now, knowing: known), false)
      } catch {
        guard options.polling == .automatic, error.meansPolling else { throw error }
        options.onNotice(.polling(because: error.description, root, options))
        isFallback = true
      }
    }
    let source = PollingSource(root: root, filter: filter, interval: options.pollInterval)
    return ((source, try source.start(at: now)), isFallback)
  }

  static func openInotify(
    _ root: RootPath, _ filter: WatchFilter, _ counters: WatchCounters, at now: Instant,
    knowing known: KnownListing? = nil
  ) throws(WatchError) -> Opened {
    let source = try InotifySource(root: root, filter: filter, counters: counters)
    return (source, try source.start(at: now, knowing: known))
  }
}
