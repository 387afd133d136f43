import ArgumentParser
import PlainStore
import PlainText
import Sinks
import TerminalText

/// `check`: prints every problem of a folder.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Print every problem of a folder as PATH:LINE:COLUMN: MESSAGE.",
    usage: "notes-watch check DIR [-o text|jsonl]",
    discussion: """
      A path begins with DIR as it was given, so that editors find the file; with -o jsonl it is relative to DIR. Files \
      that an interrupted save left behind (.notes-watch.new…, .notes-watch.old…) are problems, too.

      A line with `warning:` names a folder with pages whose front matter is not read (TOML, JSON and others). A warning \
      is not a problem. With -o jsonl warnings go to standard error.

      The exit code is 1 if there is a problem, and 0 if there is none.

      EXAMPLES
        notes-watch check contacts
        notes-watch check contacts -o jsonl | jq -r .path
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, jsonl
  }

  @OptionGroup var folder: FolderOptions
  @OptionGroup var cache: CacheOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("The output format; jsonl prints the stream's problem lines.", valueName: "FORMAT"))
  var output = Format.text

  func run() async throws {
    var options = try folder.storeOptions()
    options.badSettingsAreAProblem = true
    options.openCache = cache.open
    let store = try Session.open(folder.folder, watching: false, options)
    let recording = CacheRecording(of: store)
    defer { recording.finish() }
    let problems = (store.problems + store.leftoverProblems()).sorted { $0.path < $1.path }
    let name = FolderName(folder.folder)
    var standardOutput = BufferedOutput(StandardOutput())
    for problem in problems {
      let line =
        output == .text ? Array("\(DisplayText.safe(name.description(of: problem)))\n".utf8) : StreamEncoder.problem(.raised(problem))
      try standardOutput.write(line)
    }
    for warning in store.frontMatterWarnings {
      let path = name.path(of: warning.path)
      switch output {
      case .text: try standardOutput.write(Array("\(DisplayText.safe("\(path):1:1: warning: \(warning.message)"))\n".utf8))
      case .jsonl: StandardError.writeLine("notes-watch: warning: \(path): \(warning.message)")
      }
    }
    try standardOutput.flush()
    if !problems.isEmpty { throw ExitCode(1) }
  }
}
