import ArgumentParser
import Files
import Glibc
import HTTPTransport
import Serve
import Sinks
import StateStore
import Store

extension ServeCommand {
  func run() async throws {
    if url { return try await printURL() }
    let hadTerminal = StandardStreams.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    // Reading the folder may take a while, and the default action of these signals ends the
    // program.
    Signals.listen(for: [SIGHUP, SIGUSR1, SIGQUIT], continuation)
    // Reading a large folder takes seconds. A port in use is reported before.
    let server = try await listenOnPort()
    let session = try Session(try folder(), view, cache, watching: true, watch: watching)
    session.warnAboutFrontMatter()
    let steps = session.hintAtRequest()
    let warnings = Task(executorPreference: session.service) { await session.followWarnings(steps) }
    defer { warnings.cancel() }
    let access = try ServeAccess(
      listen.at(port: server.port), origins: origin, isReadOnly: readOnly, tokenFile: tokenFile,
      root: directory ?? "", warn: { StandardError.reportLine("warning: \($0)") })
    try await serve(session, access, on: server)
    Signals.listen(for: [SIGINT, SIGTERM], continuation)
    let launch = try announce(server.port, access)
    // Signals come one at a time, and a browser that does not start must not hold them back.
    let end = await session.serve(signals, hadTerminal: hadTerminal) {}
    await server.stop()
    launch?.removePage()
    access.removeToken()
    session.recording.finish()
    if let end { Signals.end(by: end) }
  }

  /// Returns the folder as other commands have it.
  private func folder() throws -> FolderOptions {
    var folder = try FolderOptions.parse(["--", directory ?? ""])
    folder.reading = reading
    return folder
  }

  private var options: WebOptions {
    var options = WebOptions()
    options.isReadOnly = readOnly
    return options
  }

  private func listenOnPort() async throws -> HTTPServer {
    do throws(HTTPServerError) {
      return try await HTTPServer.listen(address: listen.address, port: listen.port, options: options) {
        StandardError.reportLine("warning: \($0)")
      }
    } catch {
      throw Failure.report(error)
    }
  }

  private func serve(_ session: Session, _ access: ServeAccess, on server: HTTPServer) async throws {
    for origin in origin where !origin.isSecure && !origin.isLoopback {
      StandardError.reportLine(
        "warning: Others on the network can read and change what \(origin) sends. Put a proxy with https in front."
      )
    }
    let directory = directory ?? ""
    let base = ViewParameters(name: view.viewName, own: try view.definition())
    let context = WebContext(
      path: realPath(directory) ?? directory, name: directory, store: session.store, base: base,
      options: options)
    let responder = AccessGuard(WebServer(context), rules: access.rules, tokens: access.tokens)
    await server.serve(responder, counting: context.metrics)
  }

  /// Writes the token of programs, prints the address, and opens the browser.
  private func announce(_ port: Int, _ access: ServeAccess) throws -> BrowserLaunch? {
    let file = try access.writeToken()
    StandardError.reportLine(
      "Serving \(directory ?? "") on \(listen.at(port: port)). Programs use the token in \(file).")
    let page = access.rules.origins[0]
    let address =
      StandardOutput.isTerminal ? "\(page)/session?token=\(access.tokens.makeOneTimeToken())" : "\(page)/"
    try StandardOutput().write(Array("\(address)\n".utf8))
    guard open else { return nil }
    return try BrowserLaunch.start(page, access, port: port)
  }
}
