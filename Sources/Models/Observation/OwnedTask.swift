/// A task that is cancelled when its last owner goes.
final class OwnedTask: Sendable {
  private let task: Task<Void, Never>

  /// Starts the task outside of the caller's actor.
  init(_ body: @escaping @Sendable () async -> Void) {
    task = Task.detached(operation: body)
  }

  deinit {
    task.cancel()
  }
}
