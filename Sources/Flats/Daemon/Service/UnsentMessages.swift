import Files
import Glibc
import SystemPackage
import Values

/// The messages that the service manager could not take yet: at most one state and one sentence,
/// because a newer one replaces an older one.
struct UnsentMessages {
  /// The result of an attempt.
  enum Outcome: Equatable {
    /// Nothing is left to do.
    case done
    /// The caller tries again later.
    case again
    /// The manager cannot be reached. The sentence says why.
    case failed(String)
  }

  private static let maxAttempts = 30
  private static let maxSentence = 500
  private var state: String?
  private var sentence: String?
  private var attempts = 0
  private var isFailing = false

  /// Sends a state, after those that wait.
  ///
  /// - Returns: `again` only if no other attempt is planned.
  mutating func send(_ state: ServiceState, from process: pid_t, to address: UnixAddress) -> Outcome {
    if case .watchdog = state {
      // It says only that the process is alive now, so it is not sent later.
      return outcome { () throws(Errno) in try address.send("WATCHDOG=1") }
    }
    let isPlanned = hasMessages
    let text = UnsentMessages.text(of: state, process)
    if case .status = state { sentence = text } else { self.state = text }
    if !isPlanned { attempts = 0 }
    let outcome = flush(to: address)
    return outcome == .again && isPlanned ? .done : outcome
  }

  /// Sends what waits.
  mutating func sendAgain(to address: UnixAddress) -> Outcome {
    hasMessages ? flush(to: address) : .done
  }

  private var hasMessages: Bool { state != nil || sentence != nil }

  private mutating func flush(to address: UnixAddress) -> Outcome {
    let text = [state, sentence].compactMap(\.self).joined(separator: "\n")
    let outcome = outcome { () throws(Errno) in try address.send(text) }
    attempts += 1
    if outcome == .again, attempts < UnsentMessages.maxAttempts { return .again }
    (state, sentence) = (nil, nil)
    return outcome == .again ? failure("it is not reading its messages") : outcome
  }

  private mutating func outcome(of attempt: () throws(Errno) -> Void) -> Outcome {
    do throws(Errno) {
      try attempt()
      isFailing = false
      return .done
    } catch {
      switch error.rawValue {
      case EAGAIN, ENOBUFS: return .again
      default: return failure(error.reason)
      }
    }
  }

  private mutating func failure(_ reason: String) -> Outcome {
    defer { isFailing = true }
    return isFailing
      ? .done : .failed("Cannot report the state of this program to the service manager: \(reason).")
  }

  private static func text(of state: ServiceState, _ process: pid_t) -> String {
    switch state {
    case .ready: "READY=1\nMAINPID=\(process)"
    case .status(let sentence): "STATUS=\(DisplayText.safe(sentence, limit: maxSentence))"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds)"
    case .stopping: "STOPPING=1"
    case .watchdog: "WATCHDOG=1"
    }
  }

  private static var monotonicMicroseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
