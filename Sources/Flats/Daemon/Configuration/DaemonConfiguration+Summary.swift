import Glibc
import Printing
import Scripts
import Store
import SystemPackage
import Streams

extension DaemonConfiguration {
  /// A line for the file, then one for each folder and each sink.
  package var summary: String {
    let sinks = Wording.plainCount(folders.reduce(0) { $0 + $1.sinks.count }, "sink")
    let head = "\(file): \(Wording.plainCount(folders.count, "folder")), \(sinks)"
    let listen = listen.map { ["listens on \($0.address)"] } ?? []
    return ([head] + listen + folders.flatMap(DaemonConfiguration.lines))
      .map { "\(DisplayText.safe($0))\n" }.joined()
  }

  private static func lines(_ folder: FolderConfiguration) -> [String] {
    ["\(folder.path)\(options(folder.settings))\(obstacle(at: folder.path))"]
      + folder.sinks.map { "  \($0.name): \(description($0, in: folder.path))" }
  }

  private static func obstacle(at path: String) -> String {
    var status = stat()
    if stat(path, &status) != 0 {
      let error = Errno.current
      return error == .noSuchFileOrDirectory
        ? " (does not exist yet; the daemon waits for it)" : " (cannot be read: \(error.reason))"
    }
    return status.st_mode & S_IFMT == S_IFDIR ? "" : " (is not a folder, and cannot be served)"
  }

  /// Returns a duration as the configuration has it, such as `50ms` or `10m`.
  private static func text(_ duration: Duration) -> String {
    let milliseconds = duration / .milliseconds(1)
    for (unit, size) in [("m", 60_000.0), ("s", 1_000.0)] where milliseconds >= size {
      let number = milliseconds / size
      if number == number.rounded(), number < 1e6 { return "\(Int(number))\(unit)" }
    }
    return milliseconds == milliseconds.rounded() && abs(milliseconds) < 1e6
      ? "\(Int(milliseconds))ms" : "\(milliseconds)ms"
  }

  private static func options(_ settings: FolderSettings) -> String {
    let standard = FolderSettings()
    var parts: [String] = []
    if let fields = settings.idField { parts.append("id-field \(fields)") }
    if let size = settings.maxSize { parts.append("max-size \(ByteCount(bytes: size))") }
    if settings.settle != standard.settle { parts.append("settle \(text(settings.settle))") }
    if settings.maxWait != standard.maxWait { parts.append("max-wait \(text(settings.maxWait))") }
    if settings.polls { parts.append("poll") }
    if let audit = settings.audit {
      if audit != standard.audit { parts.append("audit \(text(audit))") }
    } else {
      parts.append("no-audit")
    }
    if !settings.usesCache { parts.append("no-cache") }
    return parts.isEmpty ? "" : ", \(parts.joined(separator: ", "))"
  }

  private static func description(_ view: SinkView, in folder: String) -> String {
    switch view {
    case .all: return "all items"
    case .defined(let view): return "\(view)"
    case .named(let name):
      // Nothing is known about a folder that does not exist, and bad settings are a problem of it.
      guard let file = try? SettingsFile.read(in: folder, limits: ReadLimits()) else {
        return "the view `\(name)`"
      }
      do throws(SettingsError) {
        _ = try file.settings.view(named: name)
        return "the view `\(name)`"
      } catch {
        return "the view `\(name)`. \(error.message)"
      }
    }
  }

  private static func description(_ sink: SinkConfiguration, in folder: String) -> String {
    let view = description(sink.view, in: folder)
    switch sink.kind {
    case .run(let command):
      let words = command.words.map { $0.isEmpty || $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
      let launch = CommandLaunch(command.words, output: .standardError, directory: command.directory)
      let missing = (command.refusal ?? launch.missingProgram()).map { ". \($0)" } ?? ""
      return "runs `\(words)` in \(command.directory), for \(view)\(missing)"
    case .file(let file):
      let rotation =
        file.rotate.map { "; a new file after \(ByteCount(bytes: $0)), \(file.keep) earlier ones are kept" }
        ?? ""
      return "appends to \(file.path), for \(view)\(rotation)"
    }
  }
}
