import ArgumentParser
import Daemon
import Files

extension ServiceUnit.Name: ExpressibleByArgument {}

/// `service install`: writes the units and starts the daemon.
struct ServiceInstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Write the systemd units of the daemon, and start it.",
    usage: "notes-watch service install [--config FILE] [--no-socket-activation] [--force]",
    discussion: """
      The units are those of this user, in $XDG_CONFIG_HOME/systemd/user (~/.config/systemd/user). If systemd runs for \
      this user, the command makes it read the units and starts the daemon; otherwise it says what to run. Install again \
      after an update of this program, or with another configuration: the daemon then restarts.

      Without a login, user services run only while the user lingers: loginctl enable-linger.

      EXAMPLES
        notes-watch service install
        notes-watch service install --config ~/notes/daemon.yaml
        notes-watch service install --print notes-watch.service
      """)

  @Option(
    help: ArgumentHelp("The configuration. The default is $XDG_CONFIG_HOME/notes-watch/config.yaml.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether systemd listens on the socket, so that the first client starts the daemon.")
  var socketActivation = true

  @Flag(help: "Replace units that were edited by hand.")
  var force = false

  @Option(
    name: .customLong("print"),
    help: ArgumentHelp("Print this unit, notes-watch.service or notes-watch.socket, and install nothing.", valueName: "UNIT"))
  var printed: ServiceUnit.Name?

  @Option(help: ArgumentHelp("The path of the program in the units, for packages.", valueName: "PATH", visibility: .hidden))
  var program: String?

  func run() throws {
    let unit: ServiceUnit
    let mistakes: String?
    do throws(ServiceError) {
      unit = try ServiceUnit(program: program ?? RunningProgram.path, configuration: configuration, hasSocket: socketActivation)
      mistakes = printed == nil ? try ServiceInstallation.mistakes(of: unit) : nil
    } catch {
      throw Failure.report(error)
    }
    if let printed { return try StandardOutput().write(Array(unit.text(of: printed).utf8)) }
    if let mistakes {
      for line in mistakes.split(separator: "\n") { StandardError.write(line: String(line)) }
      let advice = "The daemon does not accept its configuration. Correct it, and install again. Nothing was changed."
      throw Failure.report(.badSettings, advice)
    }
    try ServiceCommand.perform { (installation, report) throws(ServiceError) in
      try installation.install(unit, isForced: force, report)
    }
  }

  /// The absolute path of the configuration. A printed unit has none, unless one is given: it may be
  /// for another user.
  private var configuration: String? {
    if let config { return RootPath(config).absolute }
    if printed != nil { return nil }
    return UserFolder.configuration.path(Environment.values(of: "XDG_CONFIG_HOME", "HOME")).map { "\($0)/notes-watch/config.yaml" }
  }
}
