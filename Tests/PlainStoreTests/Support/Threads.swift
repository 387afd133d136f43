import Dispatch
import Foundation
import Synchronization

/// Separate threads for bodies that block: the shared pools have only one thread per processor.
enum Threads {
  /// Runs `body` on several threads at once, waits for all and returns the errors that were thrown.
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
