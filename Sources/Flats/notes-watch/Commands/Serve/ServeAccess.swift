import ArgumentParser
import Files
import Serve
import StateStore

/// The secrets of a server, and the file with the token of programs.
struct ServeAccess {
  /// The secrets.
  let tokens: AccessTokens
  private let listen: ListenAddress
  private let origins: [WebOrigin]
  private let isReadOnly: Bool
  private let hasFolders: Bool
  /// The file that the user named.
  private let ownFile: TokenFile?

  /// Reads the token of the user's file, or makes one, and reads the sessions of the run before.
  ///
  /// - Parameters:
  ///   - listen: The address of the server.
  ///   - origins: The addresses of pages that are accepted besides the server's own.
  ///   - tokenFile: The file that the user named; nil for one of the server.
  ///   - root: The folder of a server with one, or the configuration of one with several: servers of
  ///     different ones have different sessions.
  ///   - hasFolders: True for a server with several folders.
  ///   - warn: Receives a message for people.
  /// - Throws: The exit code, after a message, if the file of the token cannot be used.
  init(
    _ listen: ListenAddress, origins: [WebOrigin], isReadOnly: Bool, tokenFile: String?, root: String,
    hasFolders: Bool = false, warn: @escaping @Sendable (String) -> Void
  ) throws {
    self.listen = listen
    self.origins = origins
    self.isReadOnly = isReadOnly
    self.hasFolders = hasFolders
    ownFile = tokenFile.map(TokenFile.init)
    do throws(HTTPServerError) {
      let own = try ownFile?.readOrMake()
      let sessions = ServeAccess.sessionFile(of: listen, root, token: own)
      tokens = AccessTokens(
        bearer: own ?? AccessTokens.random(), sessions: sessions, warn: warn)
    } catch {
      throw Failure.report(error)
    }
  }

  /// Returns the file of the sessions, beside the states of the folder; nil if there is no folder for
  /// states. Servers of one folder differ in their addresses.
  private static func sessionFile(of listen: ListenAddress, _ root: String, token: String?) -> SessionFile? {
    let folder = try? StateLocation.folder(of: root, Environment.values(of: "XDG_STATE_HOME", "HOME"))
    return folder.map { SessionFile("\($0)/serve-\(listen.address)-\(listen.port).sessions", token: token) }
  }

  /// The rules of the server.
  var rules: AccessRules {
    let names = listen.isAny || listen.isLoopback ? listen.loopbackNames : []
    let loopback = names.map { WebOrigin(host: $0, port: listen.port) }
    return AccessRules(
      origins: origins + loopback, port: listen.port, urlCommand: urlCommand, isReadOnly: isReadOnly,
      hasFolders: hasFolders)
  }

  /// The command that prints a new address of the page, from any directory.
  private var urlCommand: String {
    var words = ["notes-watch", "serve", "--url"]
    if listen != .standard { words += ["--listen", ShellWord(listen.description).description] }
    if let ownFile {
      words += ["--token-file", ShellWord(realPath(ownFile.path) ?? ownFile.path).description]
    }
    // Other addresses do not answer to their own name.
    if !listen.isAny, !listen.isLoopback, let origin = origins.first {
      words += ["--origin", ShellWord(origin.description).description]
    }
    return words.joined(separator: " ")
  }

  /// Writes the token of programs, and returns the path of its file.
  func writeToken() throws -> String {
    do throws(HTTPServerError) {
      if let ownFile { return ownFile.path }
      let file = try ServeAccess.file(of: listen)
      try file.replace(with: tokens.bearer)
      return file.path
    } catch {
      throw Failure.report(error)
    }
  }

  /// Removes the token file of a server that ends, unless its user named it.
  func removeToken() {
    guard ownFile == nil else { return }
    try? ServeAccess.file(of: listen).remove(tokens.bearer)
  }

  /// The token file of the server on a port.
  static func file(of listen: ListenAddress) throws(HTTPServerError) -> TokenFile {
    let folder = try PrivateFolder(environment: Environment.values(of: PrivateFolder.variables))
    return TokenFile("\(folder.path)/serve-\(listen.address)-\(listen.port).token")
  }
}
