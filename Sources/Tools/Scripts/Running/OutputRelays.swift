import CLinux
import Dispatch
import Files
import Glibc
import Synchronization
import SystemPackage
import Processes

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

  private typealias Request = (relays: [OutputRelay], body: @Sendable () -> Void)

  /// Lock: guards the outputs that are passed on, and what was asked of them.
  private let state = Mutex(State())
  /// Queue: passes labelled lines and the output of a persistent command on. Blocks in `poll`,
  /// `read`, `write`.
  private let queue = DispatchQueue(label: "output of a run")
  /// Readable when the state has changed. Negative if the system has none.
  private let wakeup = EventCounter()

  init() {}

  func add(_ relays: [OutputRelay]) throws(Errno) {
    if wakeup.raw < 0 { throw .tooManyOpenFiles }
    update { $0.relays += relays }
  }

  /// Passes on what was written to some outputs (nil for all that are open) up to now, completes
  /// their last lines, and calls `body` on the queue.
  func drain(_ relays: [OutputRelay]?, then body: @escaping @Sendable () -> Void) {
    update { $0.requests.append((relays ?? $0.relays, body)) }
  }

  private func update(_ change: (inout State) -> Void) {
    let mustStart = state.withLock { state in
      change(&state)
      defer { state.isPolling = true }
      return !state.isPolling
    }
    if mustStart { return queue.async { self.poll() } }
    wakeup.signal()
  }

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

  /// Waits for bytes in one of the outputs or a change of the state, and passes on what there is.
  private func wait(for relays: [OutputRelay]) {
    var requests = ([wakeup.raw] + relays.map(\.own.raw)).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard retryOnInterrupt({ Glibc.poll(&requests, nfds_t(requests.count), -1) }) > 0 else { return }
    if requests[0].revents != 0 { wakeup.clear() }
    for (request, relay) in zip(requests.dropFirst(), relays) where request.revents != 0 { relay.relay() }
  }
}

/// Passes one output of a run on to a stream of this program: without its acknowledgements, and
/// with a label before each line. `OutputRelays` calls it when there are bytes to read.
///
/// It ends when the last process has closed the pipe, or when our stream can no longer be written.
final class OutputRelay: Sendable {
  /// The writing end, for the child. To be closed as soon as the child runs.
  let child: PipeEnd
  let own: PipeEnd
  private nonisolated(unsafe) var parser: AcknowledgementParser?  // Only the queue of `OutputRelays` uses it.
  private nonisolated(unsafe) var lines: LabelledLines?  // Only the queue of `OutputRelays` uses it.
  private let write: @Sendable ([UInt8]) throws -> Void
  private let onAcknowledgement: @Sendable (String) -> Void

  /// - Parameters:
  ///   - onAcknowledgement: Receives each line of digits, after what was written before it was
  ///     passed on; nil to pass on those lines, too.
  ///   - write: Writes to our stream. It may block. If it fails, the pipe is closed, so the next
  ///     write of the command fails, too.
  init(
    _ lines: LabelledLines?, onAcknowledgement: (@Sendable (String) -> Void)?,
    write: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws(Errno) {
    (own, child) = try PipeEnd.makePipe()
    own.makeNonBlocking()
    self.lines = lines
    parser = onAcknowledgement == nil ? nil : AcknowledgementParser()
    self.write = write
    self.onAcknowledgement = onAcknowledgement ?? { _ in }
  }

  /// Passes on what was written up to now, and completes the last line. Later output is that of
  /// other processes.
  func drain() {
    // A process that outlives the command may write without end.
    var rest = own.isOpen ? Int(clinux_readable_bytes(own.raw)) : 0
    while rest > 0, case let count = relay(upTo: min(rest, PipeEnd.capacity)), count > 0 { rest -= count }
    finish()
  }

  /// Reads once, and passes on what was read. Returns the number of bytes; not positive without any.
  @discardableResult
  func relay(upTo maximum: Int = PipeEnd.capacity) -> Int {
    guard own.isOpen else { return 0 }
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = retryOnInterrupt { read(own.raw, &bytes, maximum) }
    if count > 0 {
      let new = Array(bytes[..<count])
      let (output, acknowledgements) = parser?.add(new) ?? (new, [])
      passOn(lines?.add(output) ?? output, acknowledgements)
    } else if count == 0 || errno != EAGAIN {
      finish()
      own.close()
    }
    return count
  }

  /// Completes the output of the command after its end. Later output is that of other processes: it
  /// is passed on, and has no acknowledgements.
  private func finish() {
    let last = parser?.finish()
    parser = nil
    passOn(lines?.finish() ?? [], last.map { [$0] } ?? [])
  }

  private func passOn(_ output: [UInt8], _ acknowledgements: [String]) {
    do {
      if !output.isEmpty { try write(output) }
    } catch {
      own.close()
    }
    for acknowledgement in acknowledgements { onAcknowledgement(acknowledgement) }
  }
}
