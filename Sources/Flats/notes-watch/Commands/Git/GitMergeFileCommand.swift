import ArgumentParser
import Git
import TextEdits

struct GitMergeFileCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-file",
    abstract: "Merge three versions of an item field by field, as git's merge driver.", shouldDisplay: false)

  @Argument(
    help: ArgumentHelp(
      "The common version, our version, which gets the result, and their version: %O %A %B.",
      valueName: "FILE"))
  var base: String
  @Argument var ours: String
  @Argument var theirs: String
  @Argument(help: "The length of the conflict markers: %L.") var size: String
  @Argument(help: "The path in the work tree: %P.") var path: String
  @Argument(help: "The names of the two sides: %X %Y.") var labels: [String] = []

  func run() async throws {
    let names = zip(["%X", "%Y"], ["ours", "theirs"]).enumerated().map { index, pair in
      // An older git passes placeholders that it does not know unchanged.
      labels.indices.contains(index) && labels[index] != pair.0 ? labels[index] : pair.1
    }
    let markers = TextMerge.Markers(
      ours: names[0], theirs: names[1], size: Int(size).map { min(max($0, 1), 1_000) } ?? 7)
    let driver = MergeDriver(base: base, ours: ours, theirs: theirs, path: path, markers: markers)
    do {
      let outcome = try driver.run { StandardError.reportLine("\($0)") }
      if case .conflict(let fields) = outcome, !fields.isEmpty {
        StandardError.reportLine("\(path): both sides changed \(fields.joined(separator: ", "))")
      }
      throw ExitCode(outcome.status)
    } catch let error as GitError {
      StandardError.reportLine("\(error)")
      throw ExitCode(MergeDriver.failureStatus)
    }
  }
}
