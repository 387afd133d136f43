import Foundation
import TestSupport

/// Runs the commands of a page in a folder with a fresh copy of the sample data, and collects what is not as the page says.
struct DocumentedCommands {
  /// One difference between a page and the program, ready to be read.
  struct Difference: CustomStringConvertible {
    let line: Int
    let command: String
    let expected: String
    let actual: String

    var description: String {
      "line \(line): `\(command)`\n--- the page says:\n\(expected)\n--- the program prints:\n\(actual)"
    }
  }

  private(set) var differences: [Difference] = []
  /// The number of blocks that were run.
  private(set) var count = 0
  /// The keys that the format of the compared JSON Lines defines.
  private(set) var formatKeys: Set<String> = []

  /// The port that pages name, and the free one that takes its place.
  private static let port = "7747"
  private let freePort: String
  private let sampleData: String
  private var folder: TemporaryFolder
  private var stream: LiveCommand?
  private var background: [LiveCommand] = []

  init(sampleData: String) throws {
    self.sampleData = sampleData
    freePort = "\(try FreePort.find())"
    folder = try DocumentedCommands.freshFolder(sampleData)
  }

  mutating func run(_ step: DocumentedStep) throws {
    if step.isRun { count += 1 }
    switch step.kind {
    case .notRun: break
    case .setup(let script):
      stream = nil
      background = []
      folder = try DocumentedCommands.freshFolder(sampleData)
      try expectSuccess(script, step)
    case .script(let script): try expectSuccess(script, step)
    case .settings(let name, let text):
      try folder.write(text, to: "\(name)/.notes-watch.yaml")
      try expectSuccess("notes-watch check \(name)", step)
    case .console(let commands): try run(commands, step)
    case .watch(let command, let start, let commands): try watch(command, start, commands, step)
    case .lines(let source, let examples): try compare(examples, from: source, step)
    case .background(let command):
      background.append(
        try LiveCommand(onFreePort(command), in: folder.path, environment: environment, isInTerminal: false))
    case .await(let command):
      let limit = 800 * Patience.factor
      try expectSuccess("i=0; until \(command); do i=$((i + 1)); [ $i -lt \(limit) ]; sleep 0.05; done", step)
    }
  }

  private static func freshFolder(_ sampleData: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.shell("mkdir -m 700 .run")
    try folder.shell(
      "cp -r '\(sampleData)' SampleData; mkdir .bin; ln -s '\(BuiltProgram.path)' .bin/notes-watch")
    return folder
  }

  // MARK: Running

  private var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let time = "2025-11-20T01:00:00Z"
    return [
      "PATH": "\(folder.path)/.bin:\(path)", "HOME": folder.path, "XDG_RUNTIME_DIR": "\(folder.path)/.run",
      "TZ": "UTC",
      "LC_ALL": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1",
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_EDITOR": "true", "GIT_PAGER": "cat",
      "GIT_DEFAULT_HASH": "sha1",
      "GIT_AUTHOR_DATE": time,
      "GIT_COMMITTER_DATE": time, "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
      "GIT_COMMITTER_NAME": "Ada",
      "GIT_COMMITTER_EMAIL": "ada@example.org",
    ]
  }

  /// The command that runs a shell command in a terminal of 100 columns, whose lines end as those of a pipe do.
  static func inTerminal(_ command: String) -> [String] {
    ["/usr/bin/env", "script", "-qec", "stty cols 100 -onlcr; \(command)", "/dev/null"]
  }

  private static let minute = 60 * Patience.factor

  /// Returns a script whose server listens on the free port, so that another one does not matter.
  private func onFreePort(_ script: String) -> String {
    let script = script.replacing(DocumentedCommands.port, with: freePort)
    let isServer = script.hasPrefix("notes-watch serve ") && !script.contains("--listen")
    return isServer ? "\(script) --listen 127.0.0.1:\(freePort)" : script
  }

  /// Runs a shell script; gives its output and whether it succeeded.
  private func output(of script: String, isInTerminal: Bool = false) throws -> (text: String, isSuccess: Bool)
  {
    try folder.write(onFreePort(script), to: ".script")
    let command = "timeout \(3 * DocumentedCommands.minute) sh .script"
    let variables = environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    let run = isInTerminal ? "script -qec 'stty cols 100 -onlcr; \(command)' /dev/null" : command
    let text = try Shell.run("export \(variables)\n\(run) && printf yes || printf no", in: folder.path)
    return text.hasSuffix("yes") ? (String(text.dropLast(3)), true) : (String(text.dropLast(2)), false)
  }

  private mutating func expectSuccess(_ script: String, _ step: DocumentedStep) throws {
    let (text, isSuccess) = try output(of: "set -e\n\(script)")
    if !isSuccess { differ(step, script, "success", text) }
  }

  private mutating func differ(
    _ step: DocumentedStep, _ command: String, _ expected: String, _ actual: String
  ) {
    differences.append(Difference(line: step.line, command: command, expected: expected, actual: actual))
  }

  /// The record separator after the output of each command.
  private static let separator = "\u{1E}"

  private mutating func run(_ commands: [ShownCommand], _ step: DocumentedStep) throws {
    // The status of each command is what `$?` gives the next one.
    let script = commands.map { "\($0.command)\nstatus=$?; printf '\\036'; (exit $status)\n" }.joined()
    let outputs = try output(of: script, isInTerminal: true).text.components(
      separatedBy: DocumentedCommands.separator)
    for (index, command) in commands.enumerated() {
      let text = index < outputs.count ? outputs[index] : "nothing: the script had ended"
      if !ElidedText(command.output).matches(text) {
        differ(step, command.command, command.output.joined(separator: "\n"), text)
      }
    }
  }

  private mutating func watch(
    _ command: String, _ start: [String], _ commands: [ShownCommand], _ step: DocumentedStep
  ) throws {
    let watch = try LiveCommand(command, in: folder.path, environment: environment, isInTerminal: true)
    let parts = [ShownCommand(command: "", output: start)] + commands
    for part in parts {
      if !part.command.isEmpty { try expectSuccess(part.command, step) }
      let expected = ElidedText(part.output)
      // Whatever a command without output causes is seen in the output of the next one.
      if expected.isEmpty { continue }
      do {
        try watch.consume(when: expected.matches)
      } catch let failure as LiveCommand.Failure {
        differ(step, part.command, part.output.joined(separator: "\n"), failure.description)
        break
      }
    }
  }

  // MARK: JSON Lines

  private mutating func compare(
    _ examples: [String], from source: DocumentedStep.LineSource, _ step: DocumentedStep
  ) throws {
    let lines: [String]
    do {
      lines = try self.lines(examples.count, from: source, step)
    } catch let failure as LiveCommand.Failure {
      return differ(step, "\(source)", examples.joined(separator: "\n"), failure.description)
    }
    if lines.count != examples.count {
      differ(step, "\(source)", "\(examples.count) lines", lines.joined(separator: "\n"))
    }
    for (example, line) in zip(examples, lines) {
      guard let actual = try? JSON(Data(line.utf8)) else { return differ(step, "\(source)", example, line) }
      formatKeys.formUnion(actual.formatKeys)
      if !(try JSON(Data(example.utf8)).matches(actual)) { differ(step, "\(source)", example, line) }
    }
  }

  private mutating func lines(_ count: Int, from source: DocumentedStep.LineSource, _ step: DocumentedStep)
    throws -> [String]
  {
    switch source {
    case .output(of: let command): return try output(of: command).text.split(separator: "\n").map(String.init)
    case .stream(let command):
      stream = try LiveCommand(command, in: folder.path, environment: environment, isInTerminal: false)
    case .after(let script): try expectSuccess(script, step)
    case .send(let line): stream?.write(line: line)
    }
    guard let stream else {
      throw LiveCommand.Failure(description: "there is no stream before line \(step.line)")
    }
    return try (0..<count).map { _ in try stream.nextLine() }
  }
}
