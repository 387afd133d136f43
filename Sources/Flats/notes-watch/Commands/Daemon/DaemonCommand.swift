import ArgumentParser
import Daemon
import Files
import Git
import Glibc
import HTTPTransport
import Logging
import Printing
import Scripts
import Serve

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

  enum LogLevel: String, ExpressibleByArgument, CaseIterable {
    case debug, info, notice, warning, error
  }

  func validate() throws {
    if let clientTimeout, clientTimeout.duration <= .zero {
      throw ValidationError("--client-timeout must be more than 0.")
    }
  }

  func run() async throws {
    guard let file = config ?? UserConfiguration.path else {
      throw Failure(
        .noInput, "There is no folder for configurations. Set XDG_CONFIG_HOME or HOME, or use --config FILE."
      )
    }
    let configuration = try DaemonCommand.configuration(file)
    if check { return try StandardOutput().write(Array(configuration.summary.utf8)) }
    try await serve(configuration)
  }

  private static func configuration(_ file: String) throws(ConfigurationFailure) -> DaemonConfiguration {
    var reader = try ConfigurationReader(file, checks: .program)
    return try reader.daemon()
  }

  private func serve(_ configuration: DaemonConfiguration) async throws {
    let log = Logger.daemon(
      level: Logger.Level(rawValue: logLevel.rawValue) ?? .info,
      environment: Environment.values(of: ["JOURNAL_STREAM"]))
    let notifier = ServiceNotifier.inherited { log.warning("\($0)") }
    Signals.ignoreLostReaders()
    // Only orphans are nobody's children.
    CommandRunner.adoptOrphans()
    let hadTerminal = Signals.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    Signals.listen(for: [SIGHUP, SIGUSR1, SIGINT, SIGTERM], continuation)
    let file = configuration.file
    let listening = try listeningSocket()
    var environment = DaemonEnvironment(version: ProgramVersion.text, clock: WallClock.now, log: log)
    environment.variables = Environment.values(of: ["XDG_STATE_HOME", "HOME"])
    environment.notify = { notifier.send($0) }
    environment.watchdogInterval = notifier.watchdogInterval
    let cache = try CacheOptions.parse([])
    environment.openCache = cache.open
    environment.knownList = { cache.knownList(of: $0) }
    let daemon = DaemonService(configuration, socket: listening.path.description, environment) {
      () throws(ConfigurationFailure) in try DaemonCommand.configuration(file)
    }
    // The daemon's own loop is on this queue.
    let forwarding = Task(executorPreference: NotesWatch.queue) {
      // A terminal that was closed ends the daemon.
      for await signal in signals {
        daemon.handle(signal == SIGHUP && hadTerminal && !Signals.haveTerminal ? SIGTERM : signal)
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
      throw error
    }
  }

  private func listeningSocket() throws(HTTPServerError) -> ListeningSocket {
    if let socket { return try ListeningSocket(at: SocketPath(RootPath(socket).absolute)) }
    if let inherited = try ListeningSocket.inherited() { return inherited }
    return try ListeningSocket(at: SocketPath(environment: Environment.values(of: SocketPath.variables)))
  }
}
