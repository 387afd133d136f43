import Foundation
import Glibc
import Synchronization
import TestSupport

/// A running program, whose output and end a test can await. Its process group is killed with the
/// last reference.
final class Program: Sendable {
  /// The time after which a wait fails; long enough for a busy machine.
  private static let patience = Duration.seconds(40) * Patience.factor

  enum Status: Equatable, Sendable {
    case exited(CInt)
    case signaled(CInt)
  }

  struct State: Sendable {
    var output: [UInt8] = []
    var error: [UInt8] = []
    var openStreams = 2
    var status: Status?

    var outputText: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: error, as: UTF8.self) }
    /// True if the program has ended and its output was read to the end.
    var isOver: Bool { status != nil && openStreams == 0 }
  }

  struct Timeout: Error, CustomStringConvertible {
    let description: String
  }

  let process: pid_t
  private let name: String
  private let watched = ObservableValue(State())
  private let input: Mutex<CInt>

  /// Starts a program.
  ///
  /// - Parameter hasInput: whether the test writes to it; its input is `/dev/null` otherwise.
  init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], folder: String = "/",
    hasInput: Bool = false
  )
    throws
  {
    let own = [
      "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "HOME": folder,
      "LC_ALL": "C.UTF-8",
    ]
    let spawned = try Spawned(
      program, arguments, environment: own.merging(environment) { $1 }, folder: folder, hasInput: hasInput)
    name = ([program] + arguments).joined(separator: " ")
    process = spawned.process
    input = Mutex(spawned.input)
    Reaper.follow(spawned, watched)
  }

  deinit {
    signal(SIGKILL)
    closeInput()
  }

  /// Sends a signal to the process group.
  func signal(_ signal: CInt) { kill(-process, signal) }

  func write(_ text: String) {
    input.withLock { input in
      _ = Array(text.utf8).withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
    }
  }

  func closeInput() {
    input.withLock { input in
      if input >= 0 { close(input) }
      input = -1
    }
  }

  var state: State { watched.value }

  /// Waits until a condition holds, and returns the state at that time.
  ///
  /// - Throws: `Timeout` if the condition does not hold in time, or the program has ended without
  ///   it; and errors of the condition.
  @discardableResult
  func wait(until what: String, _ condition: @Sendable (State) throws -> Bool) async throws -> State {
    let deadline = ContinuousClock.now + Program.patience
    let alarm = Task { [watched] in
      try await Task.sleep(until: deadline)
      watched.update { _ in }
    }
    defer { alarm.cancel() }
    while true {
      let (state, version) = watched.current
      if try condition(state) { return state }
      if state.isOver || ContinuousClock.now >= deadline { throw timeout(what, state) }
      await watched.change(after: version)
    }
  }

  private func timeout(_ what: String, _ state: State) -> Timeout {
    Timeout(
      description: """
        `\(name)`: \(what) did not come. Status: \(state.status.map { "\($0)" } ?? "running").
        --- output:
        \(state.outputText.suffix(4_000))
        --- error:
        \(state.errorText.suffix(4_000))
        """)
  }

  /// Waits for the end of the program, and returns its state.
  func end() async throws -> State { try await wait(until: "an end") { $0.isOver } }
}

/// Threads that read the output of a program and wait for its end, so that no test blocks.
private enum Reaper {
  static func follow(_ spawned: Spawned, _ watched: ObservableValue<Program.State>) {
    start {
      read(spawned.output) { bytes in
        watched.update { $0.output += bytes }
      } then: {
        watched.update { $0.openStreams -= 1 }
      }
    }
    start {
      read(spawned.error) { bytes in
        watched.update { $0.error += bytes }
      } then: {
        watched.update { $0.openStreams -= 1 }
      }
    }
    start {
      var status: CInt = 0
      while waitpid(spawned.process, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7f
      watched.update { [status] in $0.status = signal == 0 ? .exited(status >> 8 & 0xff) : .signaled(signal) }
    }
  }

  private static func read(_ descriptor: CInt, _ body: ([UInt8]) -> Void, then end: () -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      body(Array(buffer[..<count]))
    }
    close(descriptor)
    end()
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
  }
}

extension Program {
  /// Sends SIGUSR1, and returns the line of counters that follows.
  func counters() async throws -> JSON {
    let before = state.errorText.count { $0 == "\n" }
    kill(process, SIGUSR1)
    let text = try await wait(until: "the counters") { $0.errorText.count { $0 == "\n" } > before }.errorText
    return try JSON(Array((text.split(separator: "\n").last ?? "").utf8))
  }
}
