import Dispatch
import Foundation
import Synchronization

/// Threads of their own for bodies that block: the pools have no more of them than the machine has processors.
enum Threads {
  /// Runs so many at once and waits for all. Answers what they threw.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [any Error] {
    let group = DispatchGroup()
    let errors = Errors()
    for number in 0..<count {
      group.enter()
      Thread {
        do { try body(number) } catch { errors.add(error) }
        group.leave()
      }.start()
    }
    group.wait()
    return errors.all
  }

  private final class Errors: Sendable {
    private let errors = Mutex<[any Error]>([])
    var all: [any Error] { errors.withLock { $0 } }
    func add(_ error: any Error) { errors.withLock { $0.append(error) } }
  }
}
