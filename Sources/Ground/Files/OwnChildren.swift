import Synchronization

/// The children that this process started (see `Child`). The code that started one reaps it.
///
/// A process that adopts orphans reaps them when they end. It must not reap these: their owner
/// would wait forever, or see a different exit status. One lock guards the numbers.
package final class OwnChildren: Sendable {
  private struct State {
    /// The number of children that are being started, and have no number here yet.
    var starting = 0
    var children: Set<CInt> = []
    var onReap: (@Sendable () -> Void)?
  }

  package static let shared = OwnChildren()

  /// Lock: guards the children that this process started and did not reap yet.
  private let state = Mutex(State())

  package init() {}

  /// Starts a child. Until it is reaped, only the caller may reap it.
  ///
  /// - Parameter spawn: Starts the child and returns its number.
  package func start<Failure: Error>(_ spawn: () throws(Failure) -> CInt) throws(Failure) -> CInt {
    state.withLock { $0.starting += 1 }
    do throws(Failure) {
      let child = try spawn()
      state.withLock { state in
        state.starting -= 1
        state.children.insert(child)
      }
      return child
    } catch {
      state.withLock { $0.starting -= 1 }
      throw error
    }
  }

  /// Records that a child was reaped by its owner. Orphans that had to wait for it are reaped now.
  package func reaped(_ child: CInt) {
    let body = state.withLock { state in
      state.children.remove(child)
      return state.onReap
    }
    body?()
  }

  /// Returns true if a child that had ended before this call may be reaped by anybody.
  package func mayReap(_ child: CInt) -> Bool {
    state.withLock { $0.starting == 0 && !$0.children.contains(child) }
  }

  /// Sets the closure that reaps orphans. It is called after each own child.
  package func reapOrphans(with body: @escaping @Sendable () -> Void) { state.withLock { $0.onReap = body } }
}
