import CLinux
import Files
import Glibc
import SystemPackage

/// Passes one output of a run on to a stream of this program: without its acknowledgements, and
/// with a label before each line. `OutputRelays` calls it when there are bytes to read.
///
/// It ends when the last process has closed the pipe, or when our stream can no longer be written.
final class OutputRelay: Sendable {
  /// The writing end, for the child. To be closed as soon as the child runs.
  let child: PipeEnd
  /// The reading end.
  let own: PipeEnd
  /// Used only on the queue of `OutputRelays`, as `lines`.
  private nonisolated(unsafe) var parser: AcknowledgementParser?
  private nonisolated(unsafe) var lines: LabelledLines?
  private let write: @Sendable ([UInt8]) throws -> Void
  private let onAcknowledgement: @Sendable (Acknowledgement) -> Void

  /// - Parameters:
  ///   - lines: Labels its lines; nil to pass all bytes on at once.
  ///   - onAcknowledgement: Receives each line of digits, after what was written before it was
  ///     passed on; nil to pass on those lines, too.
  ///   - write: Writes to our stream. It may block. If it fails, the pipe is closed, so the next
  ///     write of the command fails, too.
  init(
    _ lines: LabelledLines?, onAcknowledgement: (@Sendable (Acknowledgement) -> Void)?,
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

  /// Reads once, and passes on what was read.
  ///
  /// - Returns: The number of bytes; not positive if there are none now or no more to come.
  @discardableResult
  func relay(upTo maximum: Int = PipeEnd.capacity) -> Int {
    guard own.isOpen else { return 0 }
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = retryOnInterrupt { read(own.raw, &bytes, maximum) }
    if count > 0 {
      let new = Array(bytes[..<count])
      var result = parser?.add(new) ?? AcknowledgementParser.Result(output: new)
      if let labelled = lines?.add(result.output) { result.output = labelled }
      passOn(result)
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
    let output = lines?.finish() ?? []
    passOn(AcknowledgementParser.Result(output: output, acknowledgements: last.map { [$0] } ?? []))
  }

  private func passOn(_ result: AcknowledgementParser.Result) {
    do {
      if !result.output.isEmpty { try write(result.output) }
    } catch {
      own.close()
    }
    for acknowledgement in result.acknowledgements { onAcknowledgement(acknowledgement) }
  }
}
