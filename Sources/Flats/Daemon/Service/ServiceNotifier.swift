import Files
import Glibc
import Synchronization
import SystemPackage
import Processes

/// Reports the state of this process to the service manager, as `sd_notify(3)` does.
///
/// A call never blocks. If the manager cannot take a message now, the newest state and the newest
/// sentence are sent again each second, for half a minute. Without a manager nothing happens, and a
/// manager that fails is reported once; neither ends the program.
package final class ServiceNotifier: Sendable {
  package enum Message: Hashable {
    /// All folders are open, or wait with a reason.
    case ready
    case status(String)
    case reloading
    case stopping
    /// The loop that does the work is alive.
    case watchdog
  }

  /// What the manager could not take yet: at most one state and one sentence, because a newer one
  /// replaces an older one.
  private struct Pending {
    var state: String?
    var sentence: String?
    var attempts = 0
    /// Tries again; nil if nothing waits.
    var alarm: Alarm?
    var isFailing = false

    /// Records a failure, and returns the sentence about it unless the last attempt failed, too.
    mutating func failure(_ reason: String) -> String? {
      defer { isFailing = true }
      return isFailing
        ? nil : "Cannot report the state of this program to the service manager: \(reason)."
    }
  }

  private static let maxAttempts = 30
  private static let maxSentence = 500

  /// Half of the time after which the manager regards a silent process as hung; nil if it does not
  /// watch this process. Send `watchdog` this often.
  package let watchdogInterval: Duration?
  private let address: Address?
  private let process: pid_t
  /// Lock: guards the messages that the service manager could not take yet. They are sent under it.
  private let pending = Mutex(Pending())
  private let report: @Sendable (String) -> Void

  /// `environment` has `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`. `report` gets a sentence when the
  /// manager cannot be reached, once per failure in a row.
  package init(
    _ environment: [String: String], process: CInt? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    address = environment["NOTIFY_SOCKET"].flatMap(Address.init)
    self.process = process ?? getpid()
    watchdogInterval = address == nil ? nil : ServiceNotifier.watchdogInterval(environment, self.process)
    self.report = report
  }

  /// Removes the manager's variables from the environment of this process, so that no command that it runs
  /// reports to the manager. Call it before other threads run.
  package static func inherited(report: @escaping @Sendable (String) -> Void = { _ in }) -> ServiceNotifier {
    var environment: [String: String] = [:]
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] {
      environment[name] = getenv(name).map { String(cString: $0) }
      unsetenv(name)
    }
    return ServiceNotifier(environment, report: report)
  }

  package func send(_ message: Message) {
    guard let address else { return }
    let text = text(of: message)
    let failure = pending.withLock { own -> String? in
      switch message {
      case .watchdog:
        // It says only that the process is alive now, so it is not sent later.
        return ServiceNotifier.attempt(text, to: address, &own).failure
      case .status: own.sentence = text
      case .ready, .reloading, .stopping: own.state = text
      }
      if own.alarm == nil { own.attempts = 0 }
      return flush(&own, to: address)
    }
    if let failure { report(failure) }
  }

  /// Sends what waits, or plans the next attempt. Returns the sentence to report, if there is one.
  private func flush(_ own: inout Pending, to address: Address) -> String? {
    let text = [own.state, own.sentence].compactMap(\.self).joined(separator: "\n")
    var (isBusy, failure) = ServiceNotifier.attempt(text, to: address, &own)
    own.attempts += 1
    if isBusy, own.attempts < ServiceNotifier.maxAttempts {
      own.alarm = own.alarm ?? Alarm(after: .seconds(1)) { [weak self] in self?.sendAgain(to: address) }
      return nil
    }
    if isBusy { failure = own.failure("it is not reading its messages") }
    own.state = nil
    own.sentence = nil
    own.alarm = nil
    return failure
  }

  private func sendAgain(to address: Address) {
    let failure = pending.withLock { own -> String? in
      own.alarm = nil
      return own.state == nil && own.sentence == nil ? nil : flush(&own, to: address)
    }
    // Queue: reports that the manager doesn't read. Blocks in `write`, which no alarm waits for.
    if let failure { QueueExecutor("service manager").perform { [report] in report(failure) } }
  }

  /// Sends a text. Returns true if the manager cannot take it now, and the sentence to report.
  private static func attempt(_ text: String, to address: Address, _ own: inout Pending)
    -> (isBusy: Bool, failure: String?)
  {
    do throws(Errno) {
      try address.send(text)
      own.isFailing = false
      return (false, nil)
    } catch {
      return [EAGAIN, ENOBUFS].contains(error.rawValue) ? (true, nil) : (false, own.failure(error.reason))
    }
  }

  private func text(of message: Message) -> String {
    switch message {
    case .ready: "READY=1\nMAINPID=\(process)"
    case .status(let sentence):
      "STATUS=\(DisplayText.safe(sentence, limit: ServiceNotifier.maxSentence))"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(ServiceNotifier.monotonicMicroseconds)"
    case .stopping: "STOPPING=1"
    case .watchdog: "WATCHDOG=1"
    }
  }

  private static var monotonicMicroseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  private static func watchdogInterval(_ environment: [String: String], _ process: pid_t) -> Duration? {
    if let watched = environment["WATCHDOG_PID"], watched != String(process) { return nil }
    guard let limit = environment["WATCHDOG_USEC"].flatMap(Int64.init), limit > 1 else { return nil }
    return .microseconds(limit / 2)
  }

  /// The address of a service manager: an absolute path, or a name in the abstract namespace that
  /// begins with `@`.
  struct Address {
    private let address: sockaddr_un
    private let length: socklen_t

    /// Returns nil if the name is neither, or is too long.
    init?(_ name: String) {
      var bytes = Array(name.utf8)
      guard bytes.count > 1, !bytes.contains(0) else { return nil }
      switch bytes[0] {
      case UInt8(ascii: "@"): bytes[0] = 0
      case UInt8(ascii: "/"): bytes.append(0)
      default: return nil
      }
      var address = sockaddr_un()
      guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      self.address = address
      length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    }

    func send(_ text: String) throws(Errno) {
      let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
      let socket = Descriptor(owning: try systemCall { Glibc.socket(AF_UNIX, kind, 0) })
      let bytes = Array(text.utf8)
      try systemCall {
        withUnsafePointer(to: address) { address in
          address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            sendto(socket.raw, bytes, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL), $0, length)
          }
        }
      }
    }
  }
}
