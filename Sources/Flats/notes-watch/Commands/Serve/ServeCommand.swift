import ArgumentParser
import Glibc
import HTTPTransport
import Serve
import StateStore
import Store

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show the list as a live web page, with an HTTP API.",
    usage: """
      notes-watch serve DIR [VIEW] [--listen ADDRESS:PORT] [--open]
      notes-watch serve --url [--listen ADDRESS:PORT]
      """,
    discussion: """
      The address of the page is printed on standard output. Only programs of this machine can connect, and only the user \
      who started the server gets in: the address has a token that begins one session of a browser, within a minute. It is \
      printed only on a terminal. For a new one, run `notes-watch serve --url`. Programs send `Authorization: Bearer` with \
      the token of a file that only its user can read; its path is printed on standard error.

      With --listen, other machines can connect. Then --origin names the address of the page as browsers see it, for \
      example that of a proxy in front, and --token-file the file with the token of programs.

      SIGHUP scans the complete folder again. SIGUSR1 prints one JSON line of counters on standard error. SIGTERM and \
      SIGINT end the server.

      EXAMPLES
        notes-watch serve contacts --section group --open
        notes-watch serve --url
        notes-watch serve notes --origin https://notes.example --token-file token
      """)

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
  var directory: String?

  @OptionGroup var reading: ReadingOptions
  @OptionGroup(title: "View") var view: ViewOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Listen on this address and port. (default: \(ListenAddress.standard))", valueName: "ADDRESS:PORT"),
    transform: ServeCommand.listenAddress)
  var listen = ListenAddress.standard

  @Flag(help: "Open the page in the browser: $BROWSER, or what xdg-open chooses.")
  var open = false

  @Flag(help: "Print a new address for the page of a running server, and exit.")
  var url = false

  @Flag(help: "Refuse every change to a file.")
  var readOnly = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Accept pages of this address, too, such as https://notes.example. It can be given several times.",
      valueName: "URL"),
    transform: ServeCommand.origin)
  var origin: [WebOrigin] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The file with the token for programs. If it is missing, it is created with a new token.",
      valueName: "FILE"),
    completion: .file())
  var tokenFile: String?

  @OptionGroup var cache: CacheOptions
  @OptionGroup(title: "Watching") var watching: WatchSettings

  func validate() throws {
    guard !url else {
      guard directory != nil || open || readOnly else { return }
      throw ValidationError("--url asks a server that runs already. Leave out DIR, --open and --read-only.")
    }
    guard directory != nil else { throw ValidationError("Missing expected argument '<DIR>'") }
    let needs = [(origin.isEmpty, "--origin URL"), (tokenFile == nil, "--token-file FILE")]
    if let mistake = listen.mistake(lacking: needs) { throw ValidationError("--listen \(mistake)") }
  }

  private static func listenAddress(_ text: String) throws -> ListenAddress {
    if let address = ListenAddress(parsing: text) { return address }
    throw ValidationError(ListenAddress.refusal(of: text))
  }

  private static func origin(_ text: String) throws -> WebOrigin {
    if let origin = WebOrigin(parsing: text) { return origin }
    throw ValidationError(refusal(ofOrigin: text))
  }

  static func refusal(ofOrigin text: String) -> String {
    "`\(text)` is not the address of a site. Write only scheme, host and port, such as https://notes.example:8443."
  }

  func run() async throws {
    if url { return try printURL() }
    let hadTerminal = Signals.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    // Reading the folder may take a while, and by default these signals end the program.
    Signals.listen(for: [SIGHUP, SIGUSR1, SIGQUIT], continuation)
    // Reading a large folder takes seconds. A port in use is reported before.
    var options = WebOptions()
    options.isReadOnly = readOnly
    let server = try await HTTPServer.listen(address: listen.address, port: listen.port, options: options) {
      StandardError.reportLine("warning: \($0)")
    }
    var folder = try FolderOptions.parse(["--", directory ?? ""])
    folder.reading = reading
    let session = try Session(folder, view, cache, watching: watching)
    session.warnAboutFrontMatter()
    let steps = session.hintAtRequest()
    let warnings = Task(executorPreference: session.service) { await session.followWarnings(steps) }
    defer { warnings.cancel() }
    let access = try ServeAccess(
      listen.at(port: server.port), origins: origin, isReadOnly: readOnly, tokenFile: tokenFile,
      root: directory ?? "", warn: { StandardError.reportLine("warning: \($0)") })
    try await serve(session, access, options, on: server)
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

  private func serve(
    _ session: Session, _ access: ServeAccess, _ options: WebOptions, on server: HTTPServer
  ) async throws {
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

  private func announce(_ port: Int, _ access: ServeAccess) throws -> BrowserLaunch? {
    let file = try access.writeToken()
    StandardError.reportLine(
      "Serving \(directory ?? "") on \(listen.at(port: port)). Programs use the token in \(file).")
    let page = access.rules.origins[0]
    let address =
      StandardOutput.isTerminal ? "\(page)/session?token=\(access.tokens.makeOneTimeToken())" : "\(page)/"
    try StandardOutput.write(line: address)
    guard open else { return nil }
    return try BrowserLaunch.start(page, access, port: port)
  }
}

/// `--url`: asks a running server for a new address.
extension ServeCommand {
  private func printURL() throws {
    let file = try tokenFile.map(PrivateFile.init(token:)) ?? ServeAccess.file(of: listen)
    let server = listen.asked
    try server.checkOwner()
    guard let token = try file.readToken() else {
      throw Failure(
        .unavailable,
        "There is no token of a server on \(listen): \(file.path) is missing. \(ListenAddress.advice)")
    }
    let host = origin.first?.authority ?? WebOrigin(host: server.host, port: listen.port).authority
    let answer = try server.post("/session/url", host: host, token: token)
    guard case .string(let url)? = answer.document?["url"] else {
      throw Failure(
        .unavailable,
        "The server on \(listen) did not give an address (status \(answer.status)). \(ListenAddress.advice)")
    }
    try StandardOutput.write(line: url)
  }
}
