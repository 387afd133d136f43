import ArgumentParser
import HTTPTransport
import Serve
import Values

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print what the running daemon knows: folders, clients, and sinks with their positions.",
    usage: "notes-watch status [DIR] [-o table|json]",
    discussion: """
      With DIR, the table has the counters of the folder and more lines of each sink's output. With -o json, the output is \
      one line with everything.

      EXAMPLES
        notes-watch status
        notes-watch status ~/notes
        notes-watch status -o json | jq '.folders[].sinks[] | [.name, .state]'
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json
  }

  @Argument(
    help: ArgumentHelp("A folder that the daemon keeps. The default is all of them.", valueName: "DIR"),
    completion: .directory)
  var folder: String?

  @OptionGroup var colors: ColorOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("The output format.", valueName: "FORMAT"))
  var output = Format.table

  func run() throws {
    var parameters: [String: String] = [:]
    parameters["folder"] = folder.map(DaemonClient.path)
    let target = DaemonClient.target("/status", parameters)
    var client = try DaemonClient.connected()
    let line = try client.answer(target)
    switch output {
    case .json: try StandardOutput().write(line)
    case .table:
      guard case .map(let status)? = try? PackedValue(reading: line, as: .json).value else {
        throw HTTPServerError.badAnswer
      }
      let table = StatusTable(status, .standardOutput(colors.color), isDetailed: folder != nil)
      try StandardOutput().write(table.bytes)
    }
  }
}
