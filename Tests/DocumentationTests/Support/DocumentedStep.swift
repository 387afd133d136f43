import Foundation

/// One thing that a page of documentation asks its reader, or the test, to do.
///
/// A page is Markdown. These HTML comments, which a reader does not see, apply to the next code block:
///
/// | comment | meaning |
/// | --- | --- |
/// | `<!-- setup` … `-->` | starts with a fresh copy of the sample data and runs these shell commands in it; needs no block |
/// | `<!-- not run: REASON -->` | the block cannot be run, for this reason |
/// | `<!-- settings: FOLDER -->` | the block is written to the settings file of the folder, in which `check` must find no problem |
/// | `<!-- watch: COMMAND -->` | the command runs in a terminal; the block is its output, and the commands run in another one |
/// | `<!-- output of: COMMAND -->` | the block is the JSON Lines that the command prints |
/// | `<!-- stream: COMMAND -->` | the command starts; the block is the first JSON Lines that it prints |
/// | `<!-- after: COMMAND -->` | the block is what the stream prints next, after this shell command |
/// | `<!-- send: LINE -->` | the block is what the stream prints next, after this line on its standard input |
/// | `<!-- background -->` | the one command of the block runs until the page ends; its output is not compared |
/// | `<!-- await: COMMAND -->` | repeats this shell command until it succeeds; needs no block |
///
/// Without a comment, a `console` block is run in a terminal and its output is compared, and an `sh` block must succeed.
/// So must the commands of a `crontab`, and those that an `ini` block, a systemd unit, starts. Other blocks are not commands.
struct DocumentedStep: Sendable {
  enum Kind: Sendable, Equatable {
    case setup(script: String)
    case console([ShownCommand])
    case watch(command: String, start: [String], [ShownCommand])
    case script(String)
    case settings(folder: String, text: String)
    case lines(LineSource, [String])
    case background(String)
    case await(String)
    /// With the reason for it.
    case notRun(String)
  }

  /// Where JSON Lines come from.
  enum LineSource: Sendable, Equatable {
    case output(of: String)
    case stream(String)
    case after(String)
    case send(String)
  }

  let kind: Kind
  /// The line of the page at which it begins, from 1.
  let line: Int

  /// True for a step that runs something that the reader sees.
  var isRun: Bool {
    switch kind {
    case .setup, .notRun, .await: false
    default: true
    }
  }
}

/// A command of a `console` block, after its `$ `, and the output that follows. Lines that begin with `> ` continue the command.
struct ShownCommand: Sendable, Equatable {
  var command: String
  var output: [String] = []

  /// Splits a block into what stands before its first command, and its commands.
  static func split(_ lines: [String]) -> (start: [String], commands: [ShownCommand]) {
    var start: [String] = []
    var commands: [ShownCommand] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        commands.append(ShownCommand(command: String(line.dropFirst(2))))
      } else if commands.isEmpty {
        start.append(line)
      } else if line.hasPrefix("> "), commands[commands.count - 1].output.isEmpty {
        commands[commands.count - 1].command += "\n" + line.dropFirst(2)
      } else {
        commands[commands.count - 1].output.append(line)
      }
    }
    return (start, commands)
  }
}

extension DocumentedStep {
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  /// The steps of a page, in its order.
  static func steps(of page: String) throws -> [DocumentedStep] {
    var steps: [DocumentedStep] = []
    var comment: Comment?
    var lines = page.components(separatedBy: "\n").enumerated().makeIterator()
    while let (index, line) = lines.next() {
      if line.hasPrefix("<!-- ") {
        var text = line
        while !text.hasSuffix("-->") {
          guard let (_, more) = lines.next() else {
            throw Malformed(description: "line \(index + 1): the comment is not closed")
          }
          text += "\n" + more
        }
        guard let found = Comment(text) else { continue }
        switch found.name {
        case "setup": steps.append(DocumentedStep(kind: .setup(script: found.argument), line: index + 1))
        case "await:": steps.append(DocumentedStep(kind: .await(found.argument), line: index + 1))
        default: comment = found
        }
      } else if line.hasPrefix("```") {
        var block: [String] = []
        while let (_, inside) = lines.next(), inside != "```" { block.append(inside) }
        if let kind = try kind(of: block, language: String(line.dropFirst(3)), comment, line: index + 1) {
          steps.append(DocumentedStep(kind: kind, line: index + 1))
        }
        comment = nil
      }
    }
    return steps
  }

  private struct Comment {
    let name: String
    let argument: String

    /// Returns nil for a comment that is not for the tests.
    init?(_ text: String) {
      let names = [
        "setup", "not run:", "settings:", "watch:", "output of:", "stream:", "after:", "send:", "background",
        "await:",
      ]
      let body = text.dropFirst("<!-- ".count).dropLast("-->".count)
      guard let name = names.first(where: body.hasPrefix) else { return nil }
      self.name = name
      argument = body.dropFirst(name.count).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  private static func kind(of block: [String], language: String, _ comment: Comment?, line: Int) throws
    -> Kind?
  {
    let text = block.joined(separator: "\n")
    switch (comment?.name, language) {
    case ("not run:", _): return .notRun(comment?.argument ?? "")
    case ("settings:", _): return .settings(folder: comment?.argument ?? "", text: text + "\n")
    case ("output of:", _): return .lines(.output(of: comment?.argument ?? ""), unfolded(block))
    case ("stream:", _): return .lines(.stream(comment?.argument ?? ""), unfolded(block))
    case ("after:", _): return .lines(.after(comment?.argument ?? ""), unfolded(block))
    case ("send:", _): return .lines(.send(comment?.argument ?? ""), unfolded(block))
    case ("background", "console"):
      let (start, commands) = ShownCommand.split(block)
      guard start.isEmpty, commands.count == 1 else {
        throw Malformed(description: "line \(line): one command runs in the background")
      }
      return .background(commands[0].command)
    case ("watch:", "console"):
      let (start, commands) = ShownCommand.split(block)
      return .watch(command: comment?.argument ?? "", start: start, commands)
    case (nil, "console"):
      let (start, commands) = ShownCommand.split(block)
      if !start.isEmpty { throw Malformed(description: "line \(line): a console block begins with `$ `") }
      return .console(commands)
    case (nil, "sh"): return .script(text)
    case (nil, "crontab"): return .script(block.compactMap(crontabCommand).joined(separator: "\n"))
    case (nil, "ini"):
      let commands = block.compactMap(unitCommand)
      return commands.isEmpty ? nil : .script(commands.joined(separator: "\n"))
    case (nil, _): return nil
    default:
      throw Malformed(description: "line \(line): this comment does not apply to a block of \(language)")
    }
  }

  /// The command of a line of a crontab, after the five fields of its time; nil for a variable.
  private static func crontabCommand(_ line: String) -> String? {
    line.wholeMatch(of: /(?:[-0-9*\/,]+ ){5}(.*)/).map { String($0.1) }
  }

  /// The command that a line of a systemd unit starts; nil for other lines.
  private static func unitCommand(_ line: String) -> String? {
    line.wholeMatch(of: /ExecStart=(.*)/).map { String($0.1).replacing("%h", with: "$HOME") }
  }

  /// The lines of a block in which lines that do not begin an object continue the one before.
  private static func unfolded(_ block: [String]) -> [String] {
    block.reduce(into: []) { lines, line in
      if line.hasPrefix("{") || lines.isEmpty { lines.append(line) } else { lines[lines.count - 1] += line }
    }
  }
}
