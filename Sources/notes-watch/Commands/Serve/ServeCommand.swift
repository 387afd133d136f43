import ArgumentParser

/// `serve`: shows the list as a live web page, and answers programs over HTTP.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show the list as a live web page, with an HTTP API.",
    usage: "notes-watch serve DIR [VIEW] [--listen ADDRESS:PORT] [--open]",
    discussion: """
      EXAMPLES
        notes-watch serve contacts --section group
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup(title: "View") var view: ViewOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Listen on this address and port. The default is \(ListenAddress.standard).", valueName: "ADDRESS:PORT"))
  var listen = ListenAddress.standard

  @Flag(help: "Refuse every change of a file.")
  var readOnly = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup(title: "Watching") var watching: WatchSettings
}
