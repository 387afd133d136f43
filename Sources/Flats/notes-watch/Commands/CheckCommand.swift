import ArgumentParser
import StateStore
import Store
import Streams
import Survey

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Print every problem of a folder as PATH:LINE:COLUMN: MESSAGE.",
    usage: "notes-watch check DIR [-o text|jsonl]",
    discussion: """
      A path begins with DIR as it was given, so that editors find the file; with -o jsonl it is relative to DIR. Files \
      that an interrupted save left behind (.notes-watch.new…, .notes-watch.old…) are problems, too.

      A line with `warning:` names a folder with pages whose front matter is not read (TOML, JSON and others). It \
      is not a problem; nor is a `where` of the settings in which quotes are probably forgotten. With -o jsonl warnings \
      go to standard error.

      The exit code is 1 if there is a problem, and 0 if there is none.

      EXAMPLES
        notes-watch check contacts
        notes-watch check contacts -o jsonl | jq -r .path
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup var cache: CacheOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The output format; jsonl prints the stream's problem lines.", valueName: "FORMAT"))
  var output = WatchCommand.Format.text

  func run() async throws {
    var options = try folder.storeOptions(cache)
    options.badSettingsAreAProblem = true
    let store = try ItemStore(at: folder.folder, watching: false, options: options)
    let recording = CacheRecording(of: store)
    defer { recording.finish() }
    let problems = (store.problems + store.leftoverProblems()).sorted { $0.path < $1.path }
    let name = FolderName(folder.folder)
    var standardOutput = BufferedOutput()
    for problem in problems {
      let line =
        output == .text
        ? Array("\(DisplayText.safe(name.description(of: problem)))\n".utf8)
        : StreamEncoder.problem(.raised(problem))
      try standardOutput.write(line)
    }
    for warning in store.frontMatterWarnings.map({ Problem(path: $0.path, message: $0.message) })
      + settingsWarnings(store, options)
    {
      let path = name.path(of: warning.path)
      switch output {
      case .text:
        let place = "\(path):\(warning.line):\(warning.column)"
        try standardOutput.write(Array("\(DisplayText.safe("\(place): warning: \(warning.message)"))\n".utf8))
      case .jsonl: StandardError.reportLine("warning: \(path): \(warning.message)")
      }
    }
    try standardOutput.flush()
    if !problems.isEmpty { throw ExitCode(1) }
  }

  /// Returns the warnings about the views of the settings. Settings that cannot be read are a problem.
  private func settingsWarnings(_ store: ItemStore, _ options: StoreOptions) -> [Problem] {
    let file = try? SettingsFile.read(in: folder.folder, limits: options.limits)
    return file?.warnings(about: store.currentState.items.lazy.map(\.value)) ?? []
  }
}
