import Testing

@testable import Terminal

@Suite struct EventQueueTests {
  private func key(_ letter: Character, frame: Int = 1) -> TerminalEvent {
    .input(.key(Key(.character(letter))), frame: frame)
  }

  private func queue(_ events: [TerminalEvent]) -> EventQueue {
    var queue = EventQueue()
    for event in events { queue.append(event) }
    return queue
  }

  @Test func `events are received in their order, a few at a time`() {
    let events = (0..<600).map { TerminalEvent.painted(frame: $0) }
    var queue = queue(events)
    var received: [TerminalEvent] = []
    while !queue.isEmpty {
      let next = queue.next()
      #expect(next.count <= EventQueue.maxReceived)
      received += next
    }
    #expect(received == events)
    #expect(queue.next().isEmpty)
  }

  @Test func `the frame of the oldest input that waits is known`() {
    var queue = queue([.painted(frame: 1)] + (1...300).map { key("x", frame: $0) })
    #expect(queue.oldestFrame == 1)
    _ = queue.next()
    #expect(queue.oldestFrame == 256)
    _ = queue.next()
    #expect(queue.oldestFrame == nil)
  }

  @Test func `several wakeups that wait are one event`() {
    var queue = queue([.wakeup, key("x"), .wakeup])
    #expect(queue.next() == [.wakeup, key("x")])
    queue.append(.wakeup)
    #expect(queue.next() == [.wakeup])
  }

  @Test func `a few inputs are not discarded`() {
    var queue = queue([key("d"), key("y")])
    queue.discardInput()
    #expect(queue.next() == [key("d"), key("y")])
  }

  @Test func `the input of a long series is discarded, and other events stay`() {
    var queue = queue(
      [.painted(frame: 1)] + Array(repeating: key("x"), count: 1000) + [
        .resize(ScreenSize(columns: 3, rows: 3))
      ])
    queue.discardInput()
    #expect(queue.oldestFrame == nil)
    #expect(queue.next() == [.painted(frame: 1), .resize(ScreenSize(columns: 3, rows: 3))])
  }

  @Test func `the queue is full with many events until some are received`() {
    var queue = EventQueue()
    while !queue.isFull { queue.append(key("x")) }
    _ = queue.next()
    #expect(!queue.isFull)
  }

  @Test func `received events take no memory while others always wait`() {
    var queue = queue(Array(repeating: key("x"), count: 1000))
    for _ in 0..<1000 {
      _ = queue.next()
      for _ in 0..<EventQueue.maxReceived { queue.append(key("x")) }
    }
    #expect(queue.events.count <= EventQueue.maxWaiting + 1000 + EventQueue.maxReceived)
    #expect(!queue.isEmpty)
    #expect(queue.oldestFrame == 1)
  }
}
