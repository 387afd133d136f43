import Dispatch
import Files
import Glibc
import Synchronization
import SystemPackage
import Values

/// Reports the state of this process to the service manager, as `sd_notify(3)` does.
///
/// A call never blocks. If the manager cannot take a message now, the newest state and the newest
/// sentence are sent again each second, for half a minute. Without a manager nothing happens, and a
/// manager that fails is reported once; neither ends the program.
package final class ServiceNotifier: Sendable {
  /// Half of the time after which the manager regards a silent process as hung; nil if it does not
  /// watch this process. Send `ServiceState.watchdog` this often.
  package let watchdogInterval: Duration?
  private let address: UnixAddress?
  private let process: pid_t
  /// Lock: guards the messages that the service manager could not take yet.
  private let pending = Mutex(UnsentMessages())
  /// Queue: sends a message again that the service manager could not take.
  private let queue = DispatchQueue(label: "service manager")
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - environment: The variables `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  ///   - process: The process that reports; this one by default.
  ///   - report: Receives a sentence when the manager cannot be reached, once per failure in a row.
  package init(
    _ environment: [String: String], process: CInt? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    address = environment["NOTIFY_SOCKET"].flatMap(UnixAddress.init)
    self.process = process ?? getpid()
    watchdogInterval = address == nil ? nil : ServiceNotifier.watchdogInterval(environment, self.process)
    self.report = report
  }

  /// Makes the notifier of this process, and removes the manager's variables from its environment,
  /// so that no command that it runs reports to the manager.
  ///
  /// Call it before other threads run.
  package static func inherited(report: @escaping @Sendable (String) -> Void = { _ in }) -> ServiceNotifier {
    var environment: [String: String] = [:]
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] {
      environment[name] = getenv(name).map { String(cString: $0) }
      unsetenv(name)
    }
    return ServiceNotifier(environment, report: report)
  }

  /// True if a service manager started this process and wants to know its state.
  package var isActive: Bool { address != nil }

  /// Sends a state.
  package func send(_ state: ServiceState) {
    guard let address else { return }
    let outcome = pending.withLock { $0.send(state, from: process, to: address) }
    follow(outcome)
  }

  private func follow(_ outcome: UnsentMessages.Outcome) {
    switch outcome {
    case .done: break
    case .failed(let sentence): report(sentence)
    case .again:
      queue.asyncAfter(deadline: .now() + 1) { [weak self] in
        guard let self, let address else { return }
        follow(pending.withLock { $0.sendAgain(to: address) })
      }
    }
  }

  private static func watchdogInterval(_ environment: [String: String], _ process: pid_t) -> Duration? {
    if let watched = environment["WATCHDOG_PID"], watched != String(process) { return nil }
    guard let limit = environment["WATCHDOG_USEC"].flatMap(Int64.init), limit > 1 else { return nil }
    return .microseconds(limit / 2)
  }
}
