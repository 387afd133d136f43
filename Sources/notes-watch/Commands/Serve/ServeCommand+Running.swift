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
    let hadTerminal = StandardStreams.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    // Reading the folder may take a while, and the default action of these signals ends the
    // program.
    await Signals.listen(for: [SIGHUP, SIGUSR1, SIGQUIT], continuation)
    let session = try Session(folder, view, cache, watching: true, watch: watching)
    session.warnAboutFrontMatter()
    session.hintAtRequest()
    let server = try await start(session)
    await Signals.listen(for: [SIGINT, SIGTERM], continuation)
    try StandardOutput().write(Array("http://\(ListenAddress(address: listen.address, port: server.port))/\n".utf8))
    let end = await session.serve(signals, hadTerminal: hadTerminal) {}
    await server.stop()
    session.recording.finish()
    if let end { Signals.end(by: end) }
  }

  private func start(_ session: Session) async throws -> HTTPServer {
    var options = WebOptions()
    options.isReadOnly = readOnly
    let base = ViewParameters(name: view.viewName, own: try view.definition())
    let context = WebContext(
      path: realPath(folder.folder) ?? folder.folder, name: folder.folder, store: session.store, base: base, options: options)
    do throws(HTTPServerError) {
      return try await HTTPServer.start(
        address: listen.address, port: listen.port, options: options,
        log: { StandardError.writeLine("notes-watch: \($0.isWarning ? "warning: " : "")\($0.message)") },
        responder: { _ in WebServer(context) })
    } catch {
      throw Failure.report(error)
    }
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
}
