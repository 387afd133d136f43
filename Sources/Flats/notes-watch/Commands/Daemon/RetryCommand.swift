import ArgumentParser
import HTTPTransport
import Values

struct RetryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Continue a sink of the daemon that has stopped, or is parked because it failed too often.",
    usage: "notes-watch retry DIR SINK",
    discussion: """
      The daemon tries the sink's change again at once. `notes-watch status DIR` shows the names of the sinks, and why one \
      does not run.

      EXAMPLES
        notes-watch retry ~/notes site
      """)

  @Argument(help: ArgumentHelp("The folder of the sink.", valueName: "DIR"), completion: .directory)
  var folder: String

  @Argument(help: ArgumentHelp("The name of the sink.", valueName: "SINK"))
  var sink: String

  func run() throws {
    let request: Fields = ["folder": .string(DaemonClient.path(of: folder)), "sink": .string(sink)]
    let body = Array(JSONWriter.text(of: .map(request)).utf8)
    var client = try DaemonClient.connected()
    _ = try client.answer("/retry", body)
  }
}
