import ArgumentParser
import Daemon
import Files
import Git
import Glibc
import HTTPTransport
import Serve
import Values

/// The connections of commands to the daemon.
enum DaemonConnection {
  /// Connects to the daemon, lets `body` ask, and reports why the daemon does not answer.
  ///
  /// - Parameters:
  ///   - reader: The output to observe while the daemon sends nothing; nil for none.
  ///   - window: The terminal whose changes the daemon follows; nil for none.
  ///   - body: Sends requests, and reads the answers.
  /// - Throws: The exit code, after a message; other errors of `body`.
  static func open<Result>(
    observing reader: DaemonClient.OutputReader? = nil, window: DaemonClient.Window? = nil,
    _ body: (inout DaemonClient) throws -> Result
  ) throws -> Result {
    do {
      let path = try SocketPath(environment: Environment.values(of: SocketPath.variables))
      var client = try DaemonClient(connectingTo: path, reader: reader, window: window)
      return try body(&client)
    } catch let error as HTTPServerError {
      throw Failure.report(error)
    } catch let error as DaemonError {
      if error.code == .readerIsGone { Signals.end(by: SIGPIPE) }
      throw Failure.report(error)
    }
  }

  /// Returns the absolute path by which the daemon knows a folder: without links, if it is there.
  static func path(of folder: String) -> String { RootPath(folder).resolvedOrAbsolute }
}

extension DaemonClient {
  /// Asks for the name that the daemon has given to a folder, after the folder was read.
  ///
  /// - Parameters:
  ///   - view: The name of a view that has to be there; nil for none.
  ///   - name: The folder as messages name it; nil for its path.
  /// - Throws: `DaemonError`, also if the daemon has another version than this program.
  mutating func name(of folder: FolderOptions, checking view: String?, as name: String? = nil)
    throws(DaemonError) -> String
  {
    var parameters = ["path": DaemonConnection.path(of: folder.folder)]
    parameters["id-field"] = folder.idField
    parameters["max-size"] = folder.maxSize.map { "\($0.bytes)" }
    parameters["view"] = view
    parameters["name"] = name
    let answer = try answer(DaemonClient.target("/folder", parameters))
    guard case .map(let fields)? = try? PackedValue(reading: answer, as: .json).value,
      case .string(let found)? = fields["name"], fields["version"] == .string(ProgramVersion.text)
    else { throw .badAnswer }
    return found.queryEncoded
  }

  /// Returns a target with parameters.
  static func target(_ path: String, _ parameters: [String: String]) -> String {
    let pairs = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.queryEncoded)" }
    return pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
  }
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
    case .notReady?, .busy?, .tooManyStreams?: .tryAgain
    case nil: .unavailable
    }
  }
}
