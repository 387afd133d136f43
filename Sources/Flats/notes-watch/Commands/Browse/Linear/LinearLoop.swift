import Browse
import Files
import Glibc
import PlainStore
import SystemPackage

/// Joins the model of `browse --linear` with the list, the input and the output.
///
/// It waits in `poll(2)` for input and for the list. What was typed before something is printed is
/// handled first: a number means what it meant when the person typed it.
struct LinearLoop {
  private var browser: LinearBrowser
  private let feed: BrowseFeed
  private let output: CInt
  private let editing: ScreenEditing
  private let texts: EditedTexts
  private var end: BrowseEnd?

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - output: The descriptor to which everything is printed.
  ///   - editing: Opens the person's editor.
  ///   - texts: Receives what was edited.
  init(_ feed: BrowseFeed, _ options: LinearBrowser.Options, output: CInt, _ editing: ScreenEditing, _ texts: EditedTexts) {
    browser = LinearBrowser(options)
    (self.feed, self.output, self.editing, self.texts) = (feed, output, editing, texts)
  }

  /// Runs until the person quits, chooses items, or the input ends.
  ///
  /// - Parameter events: What the follower has reported so far.
  /// - Throws: The error because of which there is no list, or an `OutputError`.
  mutating func run(beginningWith events: [ScreenEvent]) throws -> BrowseEnd {
    let wakeup = LinearWakeup()
    feed.wake { wakeup.counter.signal() }
    var input = LinearInput(STDIN_FILENO)
    var knowsEnd = false
    try receive(events, wakeup)
    while true {
      for line in input.lines() where end == nil { try perform(browser.handle(.line(line))) }
      if input.isOver, !knowsEnd, end == nil {
        knowsEnd = true
        try perform(browser.handle(.endOfInput))
      }
      if end == nil { try receive(try feed.take(), wakeup) }
      if let end { return end }
      wait(for: input, wakeup)
    }
  }

  /// The longest time that the outcome of an action waits for what it did to the list. The next
  /// command is then based on what was printed about it.
  private static let outcomeWait: CInt = 100

  private mutating func receive(_ taken: [ScreenEvent], _ wakeup: LinearWakeup) throws {
    var events = taken
    let hasList = events.contains { if case .list = $0 { true } else { false } }
    let hasOutcome = events.contains { if case .outcome = $0 { true } else { false } }
    if hasOutcome, !hasList {
      var descriptor = pollfd(fd: wakeup.counter.raw, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, LinearLoop.outcomeWait) > 0 { events = try feed.take() + events }
    }
    for event in events.compactMap(LinearBrowser.Event.init) where end == nil { try perform(browser.handle(event)) }
  }

  /// Waits until there is input, or something from the list.
  private func wait(for input: LinearInput, _ wakeup: LinearWakeup) {
    var descriptors = [pollfd(fd: wakeup.counter.raw, events: Int16(POLLIN), revents: 0)]
    if !input.isOver { descriptors.append(pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0)) }
    // An interrupted wait ends like any other: both are asked again.
    _ = poll(&descriptors, nfds_t(descriptors.count), -1)
    // The counter does not block only while it has a signal.
    if descriptors[0].revents != 0 { wakeup.counter.clear() }
  }

  private mutating func perform(_ effects: [LinearBrowser.Effect]) throws {
    for effect in effects where end == nil {
      switch effect {
      case .print(let line): try write(line)
      case .screen(.change(let change)): feed.list.change(change)
      case .screen(.load(let id)): feed.list.load(id)
      case .screen(.act(.edit(let items))): edit(items)
      case .screen(.act(let action)): feed.list.perform(action)
      case .screen(.quit(let reason)): end = reason
      case .screen: break
      }
    }
  }

  /// Runs the editor; nothing else happens in the meantime. The outcome comes from the follower.
  private func edit(_ items: [PaintedItem]) {
    texts.add(editing.edit(items))
    feed.list.perform(.edit(items))
  }

  private func write(_ line: String) throws {
    do throws(Errno) {
      try FileDescriptor(rawValue: output).write(all: Array("\(line)\n".utf8))
    } catch {
      throw OutputError(error: error)
    }
  }
}

/// What ends the wait of the loop from other threads.
private final class LinearWakeup: Sendable {
  let counter = EventCounter()
}

extension LinearBrowser.Event {
  /// Creates the event of the follower; nil if it says nothing to a listener.
  fileprivate init?(_ event: ScreenEvent) {
    switch event {
    case .list(let report): self = .list(report)
    case .document(let document): self = .document(document)
    case .outcome(let outcome): self = .outcome(outcome)
    default: return nil
    }
  }
}
