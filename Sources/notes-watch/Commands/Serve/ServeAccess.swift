import ArgumentParser
import WebServer

/// The secrets of a server, and the file with the token of programs.
struct ServeAccess {
  /// The secrets.
  let tokens: AccessTokens
  private let listen: ListenAddress
  private let origins: [WebOrigin]
  private let isReadOnly: Bool
  /// The file of `--token-file`.
  private let ownFile: TokenFile?

  /// Reads the token of `--token-file`, or makes one.
  ///
  /// - Throws: The exit code, after a message, if the file cannot be used.
  init(_ command: ServeCommand) throws {
    listen = command.listen
    origins = command.origin
    isReadOnly = command.readOnly
    ownFile = command.tokenFile.map(TokenFile.init)
    do throws(TokenFileError) {
      tokens = AccessTokens(bearer: try ownFile?.readOrMake() ?? AccessTokens.random())
    } catch {
      throw Failure.report(error)
    }
  }

  /// Returns the rules of the server on a port.
  func rules(port: Int) -> AccessRules {
    let listen = listen.at(port: port)
    let loopback = [listen.isAny || listen.isLoopback ? listen.loopbackNames : []].flatMap(\.self).map { WebOrigin(host: $0, port: port) }
    let option = listen == .standard ? "" : " --listen \(listen)"
    return AccessRules(origins: origins + loopback, port: port, urlCommand: "notes-watch serve --url\(option)", isReadOnly: isReadOnly)
  }

  /// Writes the token of programs, and returns the path of its file.
  func writeToken(of port: Int) throws -> String {
    do throws(TokenFileError) {
      if let ownFile { return ownFile.path }
      let file = try ServeAccess.file(of: listen.at(port: port))
      try file.replace(with: tokens.bearer)
      return file.path
    } catch {
      throw Failure.report(error)
    }
  }

  /// Removes the token file of a server that ends, unless its user named it.
  func removeToken(of port: Int) {
    guard ownFile == nil else { return }
    try? ServeAccess.file(of: listen.at(port: port)).remove(tokens.bearer)
  }

  /// The token file of the server on a port.
  static func file(of listen: ListenAddress) throws(TokenFileError) -> TokenFile {
    let folder = try PrivateFolder(environment: Environment.values(of: PrivateFolder.variables))
    return TokenFile("\(folder.path)/serve-\(listen.address)-\(listen.port).token")
  }
}
