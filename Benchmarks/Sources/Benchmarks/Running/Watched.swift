import Dispatch
import Glibc
import Synchronization

/// A running program whose lines are read as soon as it writes them.
final class Watched: Sendable {
  /// One complete line of the output.
  struct Line: Sendable {
    /// The time at which its end was read.
    let time: ContinuousClock.Instant
    /// Its first bytes.
    let head: String
  }

  private static let headSize = 400

  private let child: Child
  private let input: CInt
  private let lines = Mutex<[Line]>([])
  private let arrival = DispatchSemaphore(value: 0)

  /// Starts a program, and reads its output on a thread of its own.
  init(_ arguments: [String]) throws {
    var (toChild, fromChild): ([CInt], [CInt]) = ([0, 0], [0, 0])
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failure("No pipe can be made.") }
    for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    child = try Child(arguments, input: toChild[0], output: fromChild[1])
    close(toChild[0])
    close(fromChild[1])
    input = toChild[1]
    let output = fromChild[0]
    DispatchQueue(label: "output").async { self.read(output) }
  }

  private func read(_ output: CInt) {
    let size = 1 << 20
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var head: [UInt8] = []
    while case let count = Glibc.read(output, buffer.baseAddress, size), count > 0 {
      let time = ContinuousClock.now
      for (number, part) in buffer[..<count].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).enumerated() {
        if number > 0 {
          let line = Line(time: time, head: String(decoding: head, as: UTF8.self))
          lines.withLock { $0.append(line) }
          arrival.signal()
          head = []
        }
        head += part.prefix(Watched.headSize - head.count)
      }
    }
    close(output)
  }

  /// Waits for the next line.
  ///
  /// - Throws: if none arrives within a minute.
  func next() throws -> Line {
    guard let line = next(within: .seconds(60)) else { throw Failure("No line was printed within a minute.") }
    return line
  }

  /// Waits for the next line for a limited time.
  func next(within time: DispatchTimeInterval) -> Line? {
    guard arrival.wait(timeout: .now() + time) == .success else { return nil }
    return lines.withLock { $0.removeFirst() }
  }

  /// Waits until the first list is complete.
  func skipSnapshot() throws {
    while true {
      let line = try next()
      if line.head.contains("\"type\":\"snapshot\""),
        line.head.contains("\"count\":") || !line.head.contains("\"part\":")
      {
        return
      }
    }
  }

  /// Writes a line to its standard input, and returns the time before.
  func send(_ line: String) throws -> ContinuousClock.Instant {
    let bytes = Array("\(line)\n".utf8)
    let time = ContinuousClock.now
    guard bytes.withUnsafeBytes({ write(input, $0.baseAddress, $0.count) }) == bytes.count else {
      throw Failure("A control line cannot be written.")
    }
    return time
  }

  /// Ends the program.
  func stop() {
    kill(child.id, SIGKILL)
    _ = try? child.wait()
    close(input)
  }
}

/// Returns the median of times.
func median(_ times: [Duration]) -> Duration { quantile(0.5, of: times) }

/// Returns the time that a share of all times does not exceed.
func quantile(_ share: Double, of times: [Duration]) -> Duration {
  times.sorted()[min(times.count - 1, Int(share * Double(times.count)))]
}
