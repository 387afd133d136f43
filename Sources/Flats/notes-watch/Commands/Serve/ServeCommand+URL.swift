import ArgumentParser
import Glibc
import Serve
import Sinks
import Values

/// `--url`: asks a running server for a new address.
extension ServeCommand {
  func printURL() async throws {
    let answer: RunningServer.Answer
    do {
      let file = try tokenFile.map(TokenFile.init) ?? ServeAccess.file(of: listen)
      let server = RunningServer(
        address: listen.isAny ? listen.loopbackNames[0] : listen.address, port: listen.port)
      try server.checkOwner()
      guard let token = try file.read() else {
        throw Failure.report(
          .unavailable, "There is no token of a server on \(listen): \(file.path) is missing. \(advice)")
      }
      answer = try server.post("/session/url", host: host(server), token: token)
    } catch let error as HTTPServerError {
      throw Failure.report(error)
    } catch let error as RunningServer.Failure {
      throw Failure.report(error.isDenied ? .noPermission : .unavailable, "\(error.message) \(advice)")
    }
    guard case .string(let url)? = answer.document?["url"] else {
      throw Failure.report(
        .unavailable, "The server on \(listen) did not give an address (status \(answer.status)). \(advice)")
    }
    try StandardOutput().write(Array("\(url)\n".utf8))
  }

  private func host(_ server: RunningServer) -> String {
    origin.first?.authority ?? WebOrigin(host: server.host, port: listen.port).authority
  }

  private var advice: String {
    "Start a server with `notes-watch serve DIR`, or name its address with --listen and its token with --token-file."
  }
}
