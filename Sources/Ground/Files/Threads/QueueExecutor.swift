package import Dispatch

/// Runs a task and its child tasks on a separate queue, one job at a time.
///
/// Use it for tasks that block in system calls: they would occupy one of the few threads of the
/// shared pool. It also lets an idle program sleep: once the shared pool was used, libdispatch wakes
/// up every second for the rest of the process's life to monitor its threads (`workqueue.c`), but not
/// serial queues.
///
/// ```swift
/// let executor = QueueExecutor("main")
/// Task(executorPreference: executor) { try await store.delete("ada") }
/// ```
package final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  /// Creates an executor with a queue of this name, for debuggers.
  package init(_ label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Runs a job on the queue, after those that were added before.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs a closure on the queue, after everything that was added before. Returns at once.
  package func perform(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  package func run<Answer: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }

  package func events(of file: CInt) -> any DispatchSourceRead {
    DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
  }

  /// Runs a closure on the queue after a delay, without the shared pool and its timers.
  package func run(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + max(0, delay / .seconds(1)), execute: body)
  }
}
