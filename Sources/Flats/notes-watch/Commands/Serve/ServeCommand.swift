import ArgumentParser
import Serve

/// `serve`: shows the list as a live web page, and answers programs over HTTP.
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
    guard !listen.isLoopback else { return }
    let missing = [(origin.isEmpty, "--origin URL"), (tokenFile == nil, "--token-file FILE")].filter(\.0).map(
      \.1)
    guard missing.isEmpty else {
      throw ValidationError(
        "--listen \(listen) lets other machines connect. Give \(missing.joined(separator: " and ")), too.")
    }
  }

  private static func listenAddress(_ text: String) throws -> ListenAddress {
    if let address = ListenAddress(parsing: text) { return address }
    throw ValidationError(ListenAddress.refusal(of: text))
  }

  private static func origin(_ text: String) throws -> WebOrigin {
    if let origin = WebOrigin(parsing: text) { return origin }
    throw ValidationError(refusal(ofOrigin: text))
  }

  /// Returns the sentence about a text that is not an origin.
  static func refusal(ofOrigin text: String) -> String {
    "`\(text)` is not the address of a site. Write only scheme, host and port, such as https://notes.example:8443."
  }
}
