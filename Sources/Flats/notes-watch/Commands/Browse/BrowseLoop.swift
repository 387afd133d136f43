import Browse
import StateStore
import Store
import SystemPackage
import Terminal

/// Joins the terminal, the screen and the list's follower on one thread. No key waits for the list or a file.
struct BrowseLoop {
  private let device: TerminalDevice
  private let feed: BrowseFeed
  private let openFile: (Problem) -> String?
  private let openEditor: ([PaintedItem]) -> Void
  private var screen: Screen
  /// The last frame, until the terminal has to be drawn completely.
  private var shown: Canvas?
  private var frame = 0
  private var mayDiffer = true
  private var end: BrowseEnd?

  init(
    _ device: TerminalDevice, _ feed: BrowseFeed, _ screen: Screen,
    _ openFile: @escaping (Problem) -> String?, _ openEditor: @escaping ([PaintedItem]) -> Void
  ) {
    self.device = device
    self.feed = feed
    self.screen = screen
    self.openFile = openFile
    self.openEditor = openEditor
  }

  mutating func run(beginningWith events: [ScreenEvent]) throws -> BrowseEnd {
    try enter()
    defer { device.close() }
    try apply(.resize(device.size))
    for event in events { try apply(event) }
    while true {
      if let end { return end }
      drawIfPossible()
      for event in device.wait(until: screen.deadline, hasFrame: mayDiffer) where end == nil {
        try receive(event)
      }
      if let deadline = screen.deadline, end == nil, deadline <= .now { try apply(.tick) }
    }
  }

  private mutating func drawIfPossible() {
    guard mayDiffer, device.canShow else { return }
    mayDiffer = false
    let canvas = screen.draw()
    let movesItems = screen.movesItems
    if canvas != shown || movesItems {
      frame = device.show(canvas, movesItems: movesItems)
      shown = canvas
    }
    // A frame that looks the same may show newer states of the items, on which a key then acts.
    _ = screen.handle(.drawn(frame: frame), at: .now)
  }

  private mutating func receive(_ event: TerminalEvent) throws {
    switch event {
    case .input(let input, let frame): try apply(.input(input, frame: frame))
    case .painted(let frame): try apply(.painted(frame: frame))
    // The colours may be others.
    case .capabilities: drawAgain()
    case .wakeup: for event in try feed.take() where end == nil { try apply(event) }
    case .closed: end = .closed
    case .resumed: drawAgain()
    case .resize(let size):
      drawAgain()
      try apply(.resize(size))
    }
  }

  private mutating func apply(_ event: ScreenEvent) throws {
    if case .painted = event {} else { mayDiffer = true }
    for effect in screen.handle(event, at: .now) where end == nil { try perform(effect) }
  }

  private mutating func drawAgain() {
    shown = nil
    mayDiffer = true
  }

  private mutating func perform(_ effect: ScreenEffect) throws {
    switch effect {
    case .change(let change): feed.list.change(change)
    case .load(let row): feed.list.load(row)
    case .open(let problem): try open(problem)
    case .act(.edit(let items)): try edit(items)
    case .act(let action): feed.list.perform(action)
    case .copy(let text):
      if !device.copy(text) { try report("This is too long for the clipboard of a terminal.") }
    case .title(let text): device.setTitle(text)
    case .redraw:
      device.redraw()
      drawAgain()
    case .suspend:
      if !device.suspend() { try report("Nothing could continue this program, so it does not stop.") }
    case .quit(let reason): end = reason
    }
  }

  private mutating func report(_ message: String) throws {
    try apply(.outcome(ActionOutcome(message, isFailure: true)))
  }

  private mutating func open(_ problem: Problem) throws {
    device.leave()
    let failure = openFile(problem)
    try enter()
    drawAgain()
    if let failure { try report(failure) }
    // The text of the file may differ although its problem is the same.
    feed.list.load(.problem(problem.path))
  }

  private mutating func edit(_ items: [PaintedItem]) throws {
    device.leave()
    openEditor(items)
    // Before the screen: the text is saved although the terminal may be gone.
    feed.list.perform(.edit(items))
    try enter()
    drawAgain()
  }

  private func enter() throws(Failure) {
    do throws(Errno) { try device.enter() } catch {
      throw Failure(.systemError, "The terminal cannot be changed: \(TerminalDevice.reason(error)).")
    }
  }
}

/// The follower's reports, in the order in which the screen needs them. One thread uses it.
final class BrowseFeed {
  let list: ListFollower
  /// Ends each wait when something is reported, also before there is a terminal.
  let wakeup = TerminalWakeup()
  private(set) var snapshot: ListSnapshot<Item>?
  private var recording: CacheRecording?

  init(_ source: ListSource) {
    list = ListFollower(source) { [wakeup] in wakeup.signal() }
    list.start()
  }

  func take() throws -> [ScreenEvent] {
    let events = try list.takeEvents()
    for case .list(let report) in events { snapshot = report.snapshot }
    // The cache is written in the background, once.
    if recording == nil, snapshot != nil, let store = list.store { recording = CacheRecording(of: store) }
    return events
  }

  func first(within limit: Duration?) throws -> [ScreenEvent] {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var events = try take()
    while snapshot == nil, wakeup.wait(until: deadline) { events += try take() }
    return events
  }

  /// Completes every action that was asked for, and what is written beside the list.
  func finish() async throws -> [ScreenEvent] {
    await list.finishActions()
    defer { list.stop() }
    recording?.finish()
    return try take()
  }
}
