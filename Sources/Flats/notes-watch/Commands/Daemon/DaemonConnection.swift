import ArgumentParser
import Files
import Glibc
import Server

/// The connections of commands to the daemon.
enum DaemonConnection {
  /// Sends a request, lets `body` read the answer, and reports why the daemon does not answer.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reader: The output to observe while the daemon sends nothing; nil for none.
  ///   - window: The terminal whose changes the daemon follows; nil for none.
  ///   - body: Reads the answer.
  /// - Throws: The exit code, after a message; other errors of `body`.
  static func send<Result>(
    _ request: ClientRequest, observing reader: DaemonClient.OutputReader? = nil,
    window: DaemonClient.Window? = nil,
    _ body: (inout DaemonClient) throws -> Result
  ) throws -> Result {
    do {
      let path = try SocketPath(environment: Environment.values(of: SocketPath.variables))
      var client = try DaemonClient(connectingTo: path, sending: request, reader: reader, window: window)
      return try body(&client)
    } catch let error as SocketError {
      throw Failure.report(error)
    } catch let error as DaemonError {
      if error.code == .readerIsGone { Signals.end(by: SIGPIPE) }
      throw Failure.report(error)
    }
  }

  /// Returns the absolute path by which the daemon knows a folder: without links, if it is there.
  static func path(of folder: String) -> String { RootPath(folder).resolvedOrAbsolute }
}

extension Failure {
  /// Prints the reason why the daemon does not answer, and returns the exit code.
  static func report(_ error: DaemonError) -> ExitCode {
    let code: ExitCode =
      switch error.code {
      case .noDaemon, .lost, .badAnswer, .readerIsGone: .unavailable
      case .notPermitted: .noPermission
      case .refused(let code): exitCode(forRefusal: RequestError.Code(rawValue: code))
      }
    StandardError.reportLine(error.message)
    return code
  }

  /// Returns the exit code for a refusal; nil is a code of a later version.
  private static func exitCode(forRefusal code: RequestError.Code?) -> ExitCode {
    switch code {
    case .badRequest?, .mismatch?: .usage
    case .unknownFolder?, .unknownSink?, .missing?: .noInput
    case .badView?: .badSettings
    case .notReady?, .tooManyClients?: .tryAgain
    case .timeout?, .closing?, nil: .unavailable
    }
  }
}
