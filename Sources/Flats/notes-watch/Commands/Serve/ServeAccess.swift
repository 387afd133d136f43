import Files
import Serve
import StateStore

/// The secrets of a server, and the file with the token of programs.
struct ServeAccess {
  let tokens: AccessTokens
  let rules: AccessRules
  private let listen: ListenAddress
  private let ownFile: PrivateFile?

  /// Reads the token of the user's file, or makes one, and reads the sessions of the run before.
  ///
  /// - Parameter root: The folder, or the configuration of a server with several: servers of different ones
  ///   have different sessions.
  init(
    _ listen: ListenAddress, origins: [WebOrigin], isReadOnly: Bool, tokenFile: String?, root: String,
    hasFolders: Bool = false, warn: @escaping @Sendable (String) -> Void
  ) throws(HTTPServerError) {
    self.listen = listen
    ownFile = tokenFile.map(PrivateFile.init(token:))
    let own = try ownFile?.readOrMakeToken()
    let sessions = ServeAccess.sessionFile(of: listen, root, token: own)
    tokens = AccessTokens(
      bearer: own ?? AccessTokens.random(), sessions: sessions, warn: warn)
    let names = listen.isAny || listen.isLoopback ? listen.loopbackNames : []
    rules = AccessRules(
      origins: origins + names.map { WebOrigin(host: $0, port: listen.port) }, port: listen.port,
      urlCommand: ServeAccess.urlCommand(listen, origins, ownFile), isReadOnly: isReadOnly,
      hasFolders: hasFolders)
  }

  /// One file per address, beside the states of the folder; nil if there is no folder for states.
  private static func sessionFile(of listen: ListenAddress, _ root: String, token: String?) -> SessionFile? {
    let folder = try? StateLocation.folder(of: root, Environment.values(of: ["XDG_STATE_HOME", "HOME"]))
    return folder.map { SessionFile("\($0)/serve-\(listen.address)-\(listen.port).sessions", token: token) }
  }

  private static func urlCommand(_ listen: ListenAddress, _ origins: [WebOrigin], _ ownFile: PrivateFile?)
    -> String
  {
    var words = ["notes-watch", "serve", "--url"]
    if listen != .standard { words += ["--listen", listen.description.shellWord] }
    if let ownFile {
      words += ["--token-file", (realPath(ownFile.path) ?? ownFile.path).shellWord]
    }
    // Other addresses do not answer to their own name.
    if !listen.isAny, !listen.isLoopback, let origin = origins.first {
      words += ["--origin", origin.description.shellWord]
    }
    return words.joined(separator: " ")
  }

  func writeToken() throws(HTTPServerError) -> String {
    if let ownFile { return ownFile.path }
    let file = try ServeAccess.file(of: listen)
    try file.replace(withToken: tokens.bearer)
    return file.path
  }

  /// Removes the token file of a server that ends, unless its user named it.
  func removeToken() {
    guard ownFile == nil else { return }
    try? ServeAccess.file(of: listen).remove(token: tokens.bearer)
  }

  static func file(of listen: ListenAddress) throws(HTTPServerError) -> PrivateFile {
    let folder = try PrivateFolder(environment: Environment.values(of: PrivateFolder.variables))
    return PrivateFile(token: "\(folder.path)/serve-\(listen.address)-\(listen.port).token")
  }
}
