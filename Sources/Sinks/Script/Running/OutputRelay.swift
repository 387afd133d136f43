import CLinux
import Dispatch
import Glibc
import LinuxFiles
import Synchronization
import SystemPackage

/// Passes one output of a run on to a stream of this program, through a filter.
///
/// A process that the run left behind may keep the pipe open. It does not delay the end of the run
/// (``drain()``), and what it writes later is still passed on. The relay lives until the last
/// process has closed the pipe, or nobody can read our stream any more.
final class OutputRelay: Sendable {
  /// The writing end, for the child. To be closed as soon as the child runs.
  let child: PipeEnd
  /// The reading end. The source closes it when it is cancelled.
  private let own: PipeEnd
  /// The queue that reads and writes. The relays of one command share it, so that their lines do not
  /// mix.
  private let queue: DispatchQueue
  // A source can be used by any thread.
  private nonisolated(unsafe) let source: any DispatchSourceRead
  private let filter: Mutex<OutputFilter>
  private let write: @Sendable ([UInt8]) throws -> Void
  private let onAcknowledgement: @Sendable (Acknowledgement) -> Void

  /// Makes a pipe, and starts reading.
  ///
  /// - Parameters:
  ///   - filter: The filter of its bytes.
  ///   - queue: A serial queue.
  ///   - onAcknowledgement: Called on the queue with each acknowledgement, after what was written
  ///     before it was passed on.
  ///   - write: Writes to our stream. It may block. If it fails, the pipe is closed, and the
  ///     command is told as by a closed pipe of its own.
  init(
    _ filter: OutputFilter, on queue: DispatchQueue, onAcknowledgement: @escaping @Sendable (Acknowledgement) -> Void,
    write: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws(Errno) {
    (own, child) = try PipeEnd.makePipe()
    own.makeNonBlocking()
    self.queue = queue
    self.filter = Mutex(filter)
    self.write = write
    self.onAcknowledgement = onAcknowledgement
    source = DispatchSource.makeReadSource(fileDescriptor: own.raw, queue: queue)
    source.setEventHandler { _ = self.relay(upTo: PipeEnd.capacity) }
    // The handlers hold the relay until then.
    source.setCancelHandler { self.own.close() }
    source.activate()
  }

  /// True until all writers have closed the pipe.
  var isOpen: Bool { own.isOpen }

  /// Ends a relay whose command could not be started.
  func cancel() { source.cancel() }

  /// Passes on what was written up to now, completes the last line, and calls `body` on the queue.
  func drain(then body: @escaping @Sendable () -> Void) {
    queue.async {
      // A process that is left behind may write for ever.
      var rest = self.own.isOpen ? Int(clinux_readable_bytes(self.own.raw)) : 0
      while rest > 0, case let count = self.relay(upTo: min(rest, PipeEnd.capacity)), count > 0 { rest -= count }
      self.finish()
      body()
    }
  }

  /// Reads once, and passes on what was read. Runs on the queue.
  ///
  /// - Returns: The number of bytes; not positive if there are none now or any more.
  private func relay(upTo maximum: Int) -> Int {
    guard !source.isCancelled else { return 0 }
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = retryOnInterrupt { read(own.raw, &bytes, maximum) }
    if count > 0 {
      passOn(filter.withLock { $0.add(Array(bytes[..<count])) })
    } else if count == 0 || errno != EAGAIN {
      finish()
      source.cancel()
    }
    return count
  }

  private func finish() { passOn(filter.withLock { $0.finish() }) }

  private func passOn(_ result: AcknowledgementParser.Result) {
    do {
      if !result.output.isEmpty { try write(result.output) }
    } catch {
      source.cancel()
    }
    for acknowledgement in result.acknowledgements { onAcknowledgement(acknowledgement) }
  }
}
