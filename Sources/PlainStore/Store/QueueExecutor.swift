import Dispatch

/// Runs a task, and the tasks below it, one step at a time on a queue of its own.
///
/// For tasks that block in system calls, which would take one of the few threads of the shared pool. And for a program that sleeps: once the shared pool was used,
/// libdispatch wakes up every second for the rest of the process's life, to watch the pool's threads (its `workqueue.c`); serial queues are not among what it watches.
package final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  package init(_ label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs a closure on the queue after a delay, without the shared pool and its timers.
  func run(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + max(0, delay / .seconds(1)), execute: body)
  }
}
