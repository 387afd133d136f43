import Foundation
package import Glibc
import Synchronization

/// A running `notes-watch daemon` with folders of its own for its configuration, socket, states and
/// caches. It is killed with the last reference.
package final class RunningDaemon: Sendable {
  /// The reason why a daemon did not do what a test waits for.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The folder with the configuration `config.yaml`, the log `log` and everything else that the
  /// daemon keeps.
  package let home: TemporaryFolder
  /// The process. It leads a group.
  package let process: pid_t
  private let state: Mutex<State>

  private struct State {
    var status: CInt?
  }

  private static let patience = Duration.seconds(40) * Patience.factor

  /// Starts a daemon with a configuration.
  ///
  /// - Parameters:
  ///   - configuration: The text of `config.yaml`.
  ///   - arguments: Further arguments of `notes-watch daemon`.
  ///   - environment: Further variables for the daemon alone.
  ///   - home: A folder of an earlier daemon, to start it again.
  ///   - launcher: Words before the program, such as `strace`.
  package init(
    _ configuration: String, arguments: [String] = [], environment: [String: String] = [:],
    home: TemporaryFolder? = nil,
    launcher: [String] = []
  ) throws {
    let home = try home ?? TemporaryFolder()
    self.home = home
    try home.write(configuration, to: "config.yaml")
    chmod("\(home.path)/config.yaml", 0o600)
    for name in ["runtime", "state", "cache"] {
      try home.makeFolder(name)
      chmod("\(home.path)/\(name)", 0o700)
    }
    let command =
      launcher + [BuiltProgram.path, "daemon", "--config", "\(home.path)/config.yaml"] + arguments
    let redirected = ["-c", "exec \"$@\" >>out 2>>log", "sh"] + command
    let own = RunningDaemon.environment(in: home).merging(environment) { $1 }
    let spawned = try Spawned("/bin/sh", redirected, environment: own, folder: home.path, hasInput: false)
    Glibc.close(spawned.output)
    Glibc.close(spawned.error)
    process = spawned.process
    state = Mutex(State())
  }

  /// Starts a daemon with folders that have no sinks, and waits until it serves them.
  package convenience init(folders: [String], arguments: [String] = []) async throws {
    let list = folders.map { "  - path: '\($0.replacing("'", with: "''"))'\n" }.joined()
    try self.init("folders:\n\(list)", arguments: arguments)
    try await waitUntilOpen()
  }

  deinit {
    guard state.withLock({ $0.status }) == nil else { return }
    kill(-process, SIGKILL)
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// The variables by which a client finds this daemon and nothing of the user.
  package var environment: [String: String] { RunningDaemon.environment(in: home) }

  private static func environment(in home: TemporaryFolder) -> [String: String] {
    [
      "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "HOME": home.path,
      "LC_ALL": "C.UTF-8",
      "XDG_RUNTIME_DIR": "\(home.path)/runtime", "XDG_STATE_HOME": "\(home.path)/state",
      "XDG_CACHE_HOME": "\(home.path)/cache",
      "XDG_CONFIG_HOME": "\(home.path)/config",
    ].merging(Shell.gitEnvironment) { $1 }
  }

  /// The path of the socket.
  package var socket: String { "\(home.path)/runtime/notes-watch/daemon.sock" }

  /// The text that the daemon has written to standard error so far.
  package var log: String { String(decoding: (try? home.bytes(of: "log")) ?? [], as: UTF8.self) }

  /// Replaces the configuration. The daemon reads it after SIGHUP.
  package func write(configuration: String) throws {
    try home.write(configuration, to: "config.yaml")
    chmod("\(home.path)/config.yaml", 0o600)
  }

  /// Sends a signal to the daemon.
  package func signal(_ signal: CInt) { kill(process, signal) }

  /// Connects to the daemon, for a stream.
  package func connect() throws -> DaemonStream { try DaemonStream(socket) }

  /// Returns the answer to a status request.
  package func status() throws -> JSON {
    let client = try WebClient(path: socket)
    client.send("GET /status HTTP/1.1\r\nHost: x\r\n\r\n")
    return try JSON(Data(try client.answer().body))
  }

  /// Waits until the daemon answers and every configured folder is open.
  package func waitUntilOpen() async throws {
    try await waitUntilStatus("every folder is open") { status in
      !status.folders.list.isEmpty && status.folders.list.allSatisfy { $0.state == "open" }
    }
  }

  /// Waits until the daemon answers, and its status fulfils a condition.
  @discardableResult
  package func waitUntilStatus(_ what: String, _ condition: (JSON) -> Bool) async throws -> JSON {
    var last: JSON?
    try await wait(until: what) {
      last = try? self.status()
      return last.map(condition) ?? false
    }
    return last ?? .null
  }

  /// Waits until a condition holds.
  ///
  /// - Throws: `Failure` if it does not hold in time, or if the daemon has ended.
  package func wait(until what: String, _ condition: () throws -> Bool) async throws {
    let end = ContinuousClock.now + RunningDaemon.patience
    while try !condition() {
      if let status = reap(WNOHANG) {
        throw Failure(description: "the daemon has ended with \(status); its log:\n\(log)")
      }
      if ContinuousClock.now >= end {
        throw Failure(description: "this did not come true: \(what); the log:\n\(log)")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits for the end of the daemon.
  ///
  /// - Returns: Its exit code; 128 plus the number of the signal that ended it.
  /// - Throws: `Failure` if it does not end in time.
  package func end() async throws -> CInt {
    let end = ContinuousClock.now + RunningDaemon.patience
    while ContinuousClock.now < end {
      if let status = reap(WNOHANG) { return status }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Failure(description: "the daemon does not end; its log:\n\(log)")
  }

  /// Ends the daemon with SIGTERM and waits for it.
  @discardableResult
  package func stop() async throws -> CInt {
    signal(SIGTERM)
    return try await end()
  }

  private func reap(_ flags: CInt) -> CInt? {
    state.withLock { state in
      if let status = state.status { return status }
      var status: CInt = 0
      guard waitpid(process, &status, flags) == process else { return nil }
      let signal = status & 0x7F
      state.status = signal == 0 ? status >> 8 & 0xFF : 128 + signal
      return state.status
    }
  }
}
