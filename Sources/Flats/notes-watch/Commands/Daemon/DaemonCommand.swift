import ArgumentParser
import Daemon
import Files
import Git
import Glibc
import HTTPTransport
import Logging
import Serve
import Sinks
import StateStore
import Store

/// `daemon`: serves several folders until a signal ends it.
struct DaemonCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon",
    abstract: "Keep several folders open, run their sinks, and serve their lists on a socket.",
    usage: "notes-watch daemon [--config FILE] [--check]",
    discussion: """
      The configuration is a YAML file:

        folders:
          - path: ~/notes
            id-field: [uuid]
            sinks:
              - {name: site, run: [./build.sh, --fast], on-error: retry}
              - {name: log, file: ~/notes.jsonl, rotate: 10M}

      A folder can have the options of `notes-watch DIR` as keys, and a sink with `run` those of its COMMAND. A view is \
      the name of a view in the folder's .notes-watch.yaml, or a map with its parts.

      SIGHUP reads the configuration again: what did not change continues. SIGUSR1 logs counters. SIGTERM and SIGINT end \
      the daemon after the last acknowledgement was written; a second one ends it at once.

      EXAMPLES
        notes-watch daemon --check
        notes-watch daemon
        notes-watch list ~/notes --connect
        notes-watch status
      """)

  @Option(
    help: ArgumentHelp(
      "The configuration file. The default is notes-watch/config.yaml in $XDG_CONFIG_HOME or ~/.config.",
      valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(help: "Check the configuration, print what would run, and exit.")
  var check = false

  @Option(
    help: ArgumentHelp(
      """
      The path of the socket. The default is notes-watch/daemon.sock in $XDG_RUNTIME_DIR, or the value \
      of $NOTES_WATCH_SOCKET.
      """,
      valueName: "PATH"))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "Disconnect a client that reads nothing for this long. \(TimeSpan.units) The default is 10m.",
      valueName: "TIME"))
  var clientTimeout: TimeSpan?

  @Option(help: ArgumentHelp("The lowest level of log lines.", valueName: "LEVEL"))
  var logLevel = LogLevel.info

  /// The levels of the log.
  enum LogLevel: String, ExpressibleByArgument, CaseIterable {
    case debug, info, notice, warning, error
  }

  func validate() throws {
    if let clientTimeout, clientTimeout.duration <= .zero {
      throw ValidationError("--client-timeout must be more than 0.")
    }
  }

  func run() async throws {
    let file = try configurationFile
    let configuration = try read(file)
    if check { return try StandardOutput().write(Array(ConfigurationSummary(configuration).text.utf8)) }
    try await serve(configuration)
  }

  private func serve(_ configuration: DaemonConfiguration) async throws {
    let log = Logger.daemon(level: logLevel.level, environment: Environment.values(of: "JOURNAL_STREAM"))
    let notifier = ServiceNotifier.inherited { log.warning("\($0)") }
    Signals.ignoreLostReaders()
    // Only orphans are nobody's children.
    CommandRunner.adoptOrphans()
    let hadTerminal = StandardStreams.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    Signals.listen(for: [SIGHUP, SIGUSR1, SIGINT, SIGTERM], continuation)
    let (file, listening) = (configuration.file, try listeningSocket())
    var environment = DaemonEnvironment(version: ProgramVersion.text, clock: WallClock.now, log: log)
    environment.variables = Environment.values(of: "XDG_STATE_HOME", "HOME")
    environment.notify = { notifier.send($0) }
    environment.watchdogInterval = notifier.watchdogInterval
    let cache = try CacheOptions.parse([])
    environment.openCache = cache.open
    environment.knownList = { cache.knownList(of: $0) }
    let daemon = DaemonService(configuration, socket: listening.path.description, environment) {
      () throws(ConfigurationFailure) in
      try ConfigurationReader.read(file, checks: .program)
    }
    // Queue: passes signals to the daemon, whose loop is on the queue `main`.
    let forwarding = Task(executorPreference: QueueExecutor("signals of the daemon")) {
      // A terminal that was closed ends the daemon.
      for await signal in signals {
        daemon.handle(signal == SIGHUP && hadTerminal && !StandardStreams.haveTerminal ? SIGTERM : signal)
      }
    }
    defer { forwarding.cancel() }
    do {
      let server = try await DaemonServer(
        daemon, configuration, on: listening, clientTimeout: clientTimeout?.duration ?? .seconds(600),
        log: log)
      let signal = await daemon.run(server)
      CommandRunner.killAll()
      Signals.end(by: signal)
    } catch {
      listening.close()
      if let error = error as? HTTPServerError { throw Failure.report(error) }
      throw error
    }
  }

  /// The path of the configuration file.
  private var configurationFile: String {
    get throws {
      if let config { return config }
      guard let path = UserConfiguration.path else {
        throw Failure.report(
          .noInput,
          "There is no folder for configurations. Set XDG_CONFIG_HOME or HOME, or use --config FILE.")
      }
      return path
    }
  }

  private func read(_ file: String) throws -> DaemonConfiguration {
    do throws(ConfigurationFailure) {
      return try ConfigurationReader.read(file, checks: .program)
    } catch {
      throw UserConfiguration.report(error)
    }
  }

  private func listeningSocket() throws -> ListeningSocket {
    do throws(HTTPServerError) {
      if let socket { return try ListeningSocket(at: SocketPath(RootPath(socket).absolute)) }
      if let inherited = try ListeningSocket.inherited() { return inherited }
      return try ListeningSocket(at: SocketPath(environment: Environment.values(of: SocketPath.variables)))
    } catch {
      throw Failure.report(error)
    }
  }
}

extension DaemonCommand.LogLevel {
  /// The level in swift-log.
  fileprivate var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    }
  }
}
