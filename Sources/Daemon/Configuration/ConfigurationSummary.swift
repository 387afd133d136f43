import LinuxFiles
import PlainStore
import PlainText
import Sinks

/// A description of a configuration for people: the folders, and the sinks that would run.
package struct ConfigurationSummary {
  private let configuration: DaemonConfiguration

  /// Makes the summary of a configuration.
  package init(_ configuration: DaemonConfiguration) {
    self.configuration = configuration
  }

  /// The text: a line for the file, then one for each folder and each sink.
  package var text: String {
    let sinks = configuration.folders.reduce(0) { $0 + $1.sinks.count }
    let folders = configuration.folders.count
    let head = "\(configuration.file): \(Wording.plainCount(folders, "folder")), \(Wording.plainCount(sinks, "sink"))"
    return ([head] + configuration.folders.flatMap(lines)).map { "\(DisplayText.safe($0))\n" }.joined()
  }

  private func lines(_ folder: FolderConfiguration) -> [String] {
    let options = ConfigurationSummary.options(folder.settings)
    let isMissing = realPath(folder.path) == nil
    return ["\(folder.path)\(options)\(isMissing ? " (does not exist yet; the daemon waits for it)" : "")"]
      + folder.sinks.map { "  \($0.name): \(ConfigurationSummary.description($0))" }
  }

  private static func options(_ settings: FolderSettings) -> String {
    let standard = FolderSettings()
    var parts: [String] = []
    if let fields = settings.idField { parts.append("id-field \(fields)") }
    if let size = settings.maxSize { parts.append("max-size \(size)") }
    if settings.settle != standard.settle { parts.append("settle \(settings.settle)") }
    if settings.maxWait != standard.maxWait { parts.append("max-wait \(settings.maxWait)") }
    if settings.polls { parts.append("poll") }
    if let audit = settings.audit { if audit != standard.audit { parts.append("audit \(audit)") } } else { parts.append("no-audit") }
    if !settings.usesCache { parts.append("no-cache") }
    return parts.isEmpty ? "" : ", \(parts.joined(separator: ", "))"
  }

  private static func description(_ sink: SinkConfiguration) -> String {
    let view =
      switch sink.view {
      case .all: "all items"
      case .named(let name): "the view `\(name)`"
      case .defined(let view): "\(view)"
      }
    switch sink.kind {
    case .run(let command):
      let words = command.words.map { $0.isEmpty || $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
      let launch = CommandLaunch(command.words, output: .standardError, directory: command.directory)
      let missing = launch.missingProgram().map { ". \($0)" } ?? ""
      return "runs `\(words)` in \(command.directory), for \(view)\(missing)"
    case .file(let file):
      let rotation = file.rotate.map { "; a new file after \($0) bytes, \(file.keep) earlier ones are kept" } ?? ""
      return "appends to \(file.path), for \(view)\(rotation)"
    }
  }
}
