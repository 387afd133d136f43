import Glibc
import Store

/// The command that the completion scripts of the shells run: `notes-watch complete SHELL …`.
///
/// It prints one line per candidate: `word` or `part` (no space follows), the word, and for zsh and fish a
/// description, separated by tabs. The line `dirs` or `files` asks the shell for names of folders or files,
/// and `command` for the command line of another program, which begins at a word whose index after the
/// program's name follows. It prints nothing if something fails or takes too long.
///
/// The argument parser does not know it, so it is in no help, and a folder can have its name.
struct CompletionCommand {
  private enum Shell: String {
    case bash, zsh, fish
  }

  /// The longest time that a shell waits for candidates, in seconds. A busy machine needs more than one for a
  /// small folder, and a folder that does not answer must not keep the shell.
  private static let maxTime: CUnsignedInt = 5

  private let shell: Shell
  private let words: [String]
  private let current: String
  private let line: BashLine?

  /// Recognizes the arguments that the scripts write, and returns nil for all others.
  init?(_ arguments: [String]) {
    guard arguments.count > 3, arguments[1] == "complete", let shell = Shell(rawValue: arguments[2]) else {
      return nil
    }
    self.shell = shell
    switch shell {
    case .bash:
      guard arguments.count == 5 else { return nil }
      let line = BashLine(arguments[4], breaks: arguments[3])
      self.line = line
      words = Array(line.words.dropFirst())
      current = line.current
    case .zsh, .fish:
      guard arguments[3] == "--", arguments.count > 4 else { return nil }
      line = nil
      words = Array(arguments[4...].dropLast())
      current = arguments[arguments.count - 1]
    }
  }

  func run() {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(CompletionCommand.maxTime)
    let context = CompletionContext(words, current: current)
    var lines: [String] = []
    switch context.target {
    case .nothing: break
    case .words(let candidates): lines = self.lines(candidates)
    case .folders(let candidates): lines = self.lines(candidates) + ["dirs"]
    case .files: lines = ["files"]
    case .command(let index): lines = ["command\t\(index)"]
    case .data(let data, let head): lines = self.lines(candidates(data, after: head, context))
    }
    if !lines.isEmpty { try? StandardOutput().write(Array(lines.map { "\($0)\n" }.joined().utf8)) }
  }

  private func candidates(_ data: FolderData, after head: String, _ context: CompletionContext) -> [Candidate]
  {
    let found = (try? context.candidates(data, typed: String(current.dropFirst(head.count)))) ?? []
    return found.map { Candidate(text: head + $0.text, about: $0.about, isPartial: $0.isPartial) }
  }

  private func lines(_ candidates: [Candidate]) -> [String] {
    candidates.fitting(current, ignoresCase: shell != .bash).compactMap { candidate in
      let kind = candidate.isPartial ? "part" : "word"
      guard let line else { return "\(kind)\t\(candidate.text)\t\(candidate.shortAbout)" }
      return line.replacement(for: candidate.text).map { "\(kind)\t\($0)" }
    }
  }
}

extension Candidate {
  /// The first sentence of the description, without what a terminal cannot show in a line.
  fileprivate var shortAbout: String {
    let sentence = about.firstRange(of: ". ").map { about[..<$0.lowerBound] } ?? about[...]
    return DisplayText.safe(String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence), limit: 70)
  }
}
