import Glibc
import Synchronization

/// An action of a signal that a test sets, to find out whether something else changes it.
package enum SignalAction {
  private static let count = Atomic(0)

  /// The number of signals that arrived since `withOwn`.
  package static var calls: Int { count.load(ordering: .relaxed) }

  /// Calls `body` while a signal is only counted, and then sets the earlier action.
  ///
  /// - Returns: True if the action is still the own one after `body`.
  @discardableResult
  package static func withOwn(of number: CInt, _ body: () throws -> Void) rethrows -> Bool {
    let old = set(number)
    defer { restore(old, of: number) }
    try body()
    return isOwn(number)
  }

  /// Calls `body` while a signal is only counted, and then sets the earlier action.
  ///
  /// - Returns: True if the action is still the own one after `body`.
  @discardableResult
  package static func withOwn(of number: CInt, _ body: () async throws -> Void) async rethrows -> Bool {
    let old = set(number)
    defer { restore(old, of: number) }
    try await body()
    return isOwn(number)
  }

  private static let handler: @convention(c) (CInt) -> Void = { _ in count.add(1, ordering: .relaxed) }

  private static func set(_ number: CInt) -> sigaction {
    count.store(0, ordering: .relaxed)
    var (own, old) = (sigaction(), sigaction())
    own.__sigaction_handler.sa_handler = handler
    sigaction(number, &own, &old)
    return old
  }

  private static func restore(_ old: sigaction, of number: CInt) {
    var old = old
    sigaction(number, &old, nil)
  }

  private static func isOwn(_ number: CInt) -> Bool {
    var found = sigaction()
    sigaction(number, nil, &found)
    // C function pointers have no ==.
    return unsafeBitCast(found.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(handler, to: Int.self)
  }
}
