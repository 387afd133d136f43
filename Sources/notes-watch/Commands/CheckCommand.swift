import ArgumentParser
import PlainStore
import PlainText
import Sinks

/// `check`: every problem of a folder.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Print every problem of a folder as path:line:column: message.",
    usage: "notes-watch check DIR [-o text|jsonl]",
    discussion: """
      Files that an interrupted save left (.notes-watch.new…, .notes-watch.old…) are problems, too. A path begins with DIR as it was given, so that editors find the \
      file; in JSON Lines it is below DIR. Folders with pages whose front matter is not read (TOML, JSON and others) are named by a line with `warning:`, which is no \
      problem; with -o jsonl these lines go to standard error. Ends with 1 if there is any problem, with 0 if there is none.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, jsonl
  }

  @OptionGroup var folder: FolderOptions

  @Option(name: .shortAndLong, help: "How to print them: text or jsonl (problem lines of the stream).")
  var output = Format.text

  func run() async throws {
    var options = try folder.storeOptions()
    options.badSettingsAreAProblem = true
    let store = try Session.open(folder.folder, watching: false, options)
    let problems = (store.problems + store.leftoverProblems()).sorted { $0.path < $1.path }
    let name = FolderName(folder.folder)
    var standardOutput = BufferedOutput(StandardOutput())
    for problem in problems {
      let line =
        output == .text ? Array("\(DisplayText.safe(name.description(of: problem)))\n".utf8) : StreamEncoder.problem(.raised(problem))
      try standardOutput.write(line)
    }
    for warning in store.frontMatterWarnings {
      let line = DisplayText.safe("\(name.path(of: warning.path)):1:1: warning: \(warning.message)")
      if output == .text { try standardOutput.write(Array("\(line)\n".utf8)) } else { StandardError.writeLine(line) }
    }
    try standardOutput.flush()
    if !problems.isEmpty { throw ExitCode(1) }
  }
}
