import Testing

@testable import Files

@Suite(.timeLimit(.minutes(1))) struct LatchTests {
  @Test func `an open latch is not waited for`() async {
    let latch = Latch()
    latch.open()
    latch.open()
    await latch.wait()
  }

  @Test func `opening resumes the task that waits`() async {
    for _ in 0..<200 {
      let latch = Latch()
      async let waiting: Void = latch.wait()
      latch.open()
      await waiting
    }
  }

  @Test func `a cancelled task does not wait`() async {
    for _ in 0..<200 {
      let latch = Latch()
      let task = Task { await latch.wait() }
      task.cancel()
      await task.value
      latch.open()
    }
  }
}
