/// The events that the program has not received yet, in their order. Their number is bounded: no
/// input is read while the queue is full.
struct EventQueue {
  /// The most events that the program receives at a time, before it can draw and more input is read.
  static let maxReceived = 256
  static let maxWaiting = 1 << 16

  /// The events that wait, after those that were received and are not removed yet.
  private(set) var events: [TerminalEvent] = []
  private var start = 0
  private var hasWakeup = false

  var isEmpty: Bool { start == events.count }

  var isFull: Bool { events.count - start >= EventQueue.maxWaiting }

  /// The frame of the oldest input that waits; nil if none waits.
  private(set) var oldestFrame: Int?

  /// Adds an event. Several wakeups that wait are one event.
  mutating func append(_ event: TerminalEvent) {
    switch event {
    case .wakeup:
      if hasWakeup { return }
      hasWakeup = true
    case .input(_, let frame): oldestFrame = oldestFrame ?? frame
    default: break
    }
    events.append(event)
  }

  mutating func next() -> [TerminalEvent] {
    let end = min(start + EventQueue.maxReceived, events.count)
    let received = Array(events[start..<end])
    start = end
    if received.contains(.wakeup) { hasWakeup = false }
    if isEmpty {
      events.removeAll(keepingCapacity: events.count <= EventQueue.maxReceived)
      start = 0
    } else if start >= EventQueue.maxWaiting {
      // Input without a pause may never leave the queue empty.
      events.removeSubrange(..<start)
      start = 0
    }
    oldestFrame = events[start...].lazy.compactMap(\.frame).first
    return received
  }

  /// Removes the input that waits, if it is more than the program receives at a time. The other
  /// events stay.
  mutating func discardInput() {
    guard events.count - start > EventQueue.maxReceived else { return }
    events = events[start...].filter { $0.frame == nil }
    start = 0
    oldestFrame = nil
  }
}

extension TerminalEvent {
  fileprivate var frame: Int? { if case .input(_, let frame) = self { frame } else { nil } }
}

package enum TerminalEvent: Hashable, Sendable {
  /// Something was typed, clicked or pasted while the frame with this number was on the terminal.
  /// Before the first frame the number is 0.
  case input(TerminalInput, frame: Int)
  /// The terminal shows this frame: input from here on belongs to it.
  case painted(frame: Int)
  /// The part of the window that is drawn has another size. The next frame is drawn completely.
  case resize(ScreenSize)
  case capabilities(TerminalCapabilities)
  /// The program was stopped and continues. The next frame is drawn completely.
  case resumed
  case wakeup
  /// The terminal is gone. Nothing more comes from it; the program should end as SIGHUP ends it.
  case closed
}
