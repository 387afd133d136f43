import Files
import CLinux
import Synchronization

/// Gives memory back to the system after many streams have ended.
///
/// The C library keeps freed memory between blocks in use. With streams that come and go it keeps
/// several times as much as is in use.
///
/// One lock guards the number of ended streams. Nothing else is locked while it is held.
final class MemoryRelease: Sendable {
  private struct State {
    /// The streams that ended since memory was given back.
    var ended = 0
    /// Gives memory back; nil if that is not planned.
    var alarm: Alarm?
  }

  /// Lock: guards the streams that ended since memory was given back.
  private let state = Mutex(State())
  private let delay: Duration
  private let release: @Sendable () -> Void

  /// With fewer ended streams there is little to give back.
  static let minEnded = 32

  /// Waits for the first stream to end.
  ///
  /// - Parameters:
  ///   - delay: The time in which others can end, too.
  ///   - release: Gives memory back. It takes some milliseconds per 100 MB.
  init(
    after delay: Duration = .seconds(2), _ release: @escaping @Sendable () -> Void = { clinux_trim_memory() }
  ) {
    self.delay = delay
    self.release = release
  }

  /// Records that a stream ended. If as many have ended as remain, memory is given back soon.
  ///
  /// - Parameter remaining: The number of open streams.
  func streamEnded(remaining: Int) {
    state.withLock { state in
      state.ended += 1
      guard state.alarm == nil, state.ended >= max(MemoryRelease.minEnded, remaining) else { return }
      state.alarm = Alarm(after: delay) { [weak self] in self?.finish() }
    }
  }

  private func finish() {
    let alarm = state.withLock { state in
      defer { state = State() }
      return state.alarm
    }
    withExtendedLifetime(alarm) { release() }
  }
}
