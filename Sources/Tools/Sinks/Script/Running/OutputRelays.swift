import Dispatch
import Files
import Glibc
import Synchronization
import SystemPackage

/// Passes on the outputs of a command's runs, on one queue, so that their lines do not mix.
///
/// A process that outlives its run may keep a pipe open. It does not delay the end of the run, and
/// its later output is still passed on.
///
/// The queue blocks in `poll` while there are outputs. Read sources of libdispatch crash when pipes
/// are closed (swift-corelibs-libdispatch, issue 949).
final class OutputRelays: Sendable {
  private struct State {
    var relays: [OutputRelay] = []
    var requests: [Request] = []
    var isPolling = false
  }

  /// A request to pass on what was written up to now.
  private struct Request {
    let relays: [OutputRelay]
    let body: @Sendable () -> Void
  }

  /// Lock: guards the outputs that are passed on, and what was asked of them.
  private let state = Mutex(State())
  /// Queue: passes labelled lines and the output of a persistent command on. Blocks in `poll`,
  /// `read`, `write`.
  private let queue = DispatchQueue(label: "output of a run")
  /// Readable when the state has changed. Negative if the system has none.
  private let wakeup = EventCounter()

  init() {}

  /// Starts to pass outputs on.
  func add(_ relays: [OutputRelay]) throws(Errno) {
    if relays.isEmpty { return }
    if wakeup.raw < 0 { throw .tooManyOpenFiles }
    update { $0.relays += relays }
  }

  /// Passes on what was written to some outputs up to now, completes their last lines, and calls
  /// `body` on the queue.
  ///
  /// - Parameter relays: The outputs; nil for all that are still open.
  func drain(_ relays: [OutputRelay]?, then body: @escaping @Sendable () -> Void) {
    update { $0.requests.append(Request(relays: relays ?? $0.relays, body: body)) }
  }

  /// Changes the state, and makes the queue observe it.
  private func update(_ change: (inout State) -> Void) {
    let mustStart = state.withLock { state in
      change(&state)
      defer { state.isPolling = true }
      return !state.isPolling
    }
    if mustStart { return queue.async { self.poll() } }
    wakeup.signal()
  }

  /// Passes outputs on until there are none.
  private func poll() {
    while let (relays, requests) = next() {
      for request in requests {
        for relay in request.relays { relay.drain() }
        request.body()
      }
      if requests.isEmpty { wait(for: relays) }
    }
  }

  /// Returns the open outputs and the requests; nil if there are none, and polling has ended.
  private func next() -> (relays: [OutputRelay], requests: [Request])? {
    state.withLock { state in
      state.relays = state.relays.filter(\.own.isOpen)
      if state.relays.isEmpty, state.requests.isEmpty {
        state.isPolling = false
        return nil
      }
      defer { state.requests = [] }
      return (state.relays, state.requests)
    }
  }

  /// Waits until one of the outputs can be read or the state has changed, and passes on what there
  /// is.
  private func wait(for relays: [OutputRelay]) {
    var requests = ([wakeup.raw] + relays.map(\.own.raw)).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard retryOnInterrupt({ Glibc.poll(&requests, nfds_t(requests.count), -1) }) > 0 else { return }
    if requests[0].revents != 0 { wakeup.clear() }
    for (request, relay) in zip(requests.dropFirst(), relays) where request.revents != 0 { relay.relay() }
  }
}
