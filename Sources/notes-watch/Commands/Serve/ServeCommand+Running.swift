import ArgumentParser
import Glibc
import HTTPTransport
import LinuxFiles
import PlainStore
import Server
import Sinks
import WebServer

extension ServeCommand {
  func run() async throws {
    if url { return try await printURL() }
    let hadTerminal = StandardStreams.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    // Reading the folder may take a while, and the default action of these signals ends the
    // program.
    await Signals.listen(for: [SIGHUP, SIGUSR1, SIGQUIT], continuation)
    let session = try Session(try folder(), view, cache, watching: true, watch: watching)
    session.warnAboutFrontMatter()
    session.hintAtRequest()
    let access = try ServeAccess(self)
    let server = try await start(session, access)
    await Signals.listen(for: [SIGINT, SIGTERM], continuation)
    let launch = try announce(server.port, access)
    // Signals come one at a time, and a browser that does not start must not hold them back.
    let end = await session.serve(signals, hadTerminal: hadTerminal) {}
    await server.stop()
    launch?.removePage()
    access.removeToken(of: server.port)
    session.recording.finish()
    if let end { Signals.end(by: end) }
  }

  /// Returns the folder as other commands have it.
  private func folder() throws -> FolderOptions {
    var folder = try FolderOptions.parse(["--", directory ?? ""])
    folder.reading = reading
    return folder
  }

  private func start(_ session: Session, _ access: ServeAccess) async throws -> HTTPServer {
    for origin in origin where !origin.isSecure && !origin.isLoopback {
      StandardError.writeLine(
        "notes-watch: warning: Others on the network can read and change what \(origin) sends. Put a proxy with https in front.")
    }
    var options = WebOptions()
    options.isReadOnly = readOnly
    let directory = directory ?? ""
    let base = ViewParameters(name: view.viewName, own: try view.definition())
    let context = WebContext(path: realPath(directory) ?? directory, name: directory, store: session.store, base: base, options: options)
    do throws(HTTPServerError) {
      return try await HTTPServer.start(
        address: listen.address, port: listen.port, options: options, metrics: context.metrics,
        log: { StandardError.writeLine("notes-watch: \($0.isWarning ? "warning: " : "")\($0.message)") },
        responder: { AccessGuard(WebServer(context), rules: access.rules(port: $0), tokens: access.tokens) })
    } catch {
      throw Failure.report(error)
    }
  }

  /// Writes the token of programs, prints the address, and opens the browser.
  private func announce(_ port: Int, _ access: ServeAccess) throws -> BrowserLaunch? {
    let file = try access.writeToken(of: port)
    StandardError.writeLine("notes-watch: Serving \(directory ?? "") on \(listen.at(port: port)). Programs use the token in \(file).")
    let page = access.rules(port: port).origins[0]
    let address = StandardOutput.isTerminal ? "\(page)/session?token=\(access.tokens.makeOneTimeToken())" : "\(page)/"
    try StandardOutput().write(Array("\(address)\n".utf8))
    guard open else { return nil }
    return try BrowserLaunch.start(page, access, port: port)
  }
}

extension Failure {
  static func report(_ error: HTTPServerError) -> ExitCode {
    let code: ExitCode =
      switch error.code {
      case .portInUse, .noAddress: .unavailable
      case .denied: .noPermission
      case .system: .systemError
      }
    return report(code, error.description)
  }

  static func report(_ error: TokenFileError) -> ExitCode { report(.noPermission, error.description) }
}
