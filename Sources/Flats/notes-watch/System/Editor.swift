import ArgumentParser
import Glibc
import Store
import SystemPackage
import Processes

/// The person's editor, for the texts of items in a folder.
struct Editor {
  private let command: String
  private let folder: FolderName
  private let limits: ReadLimits

  /// As git does: `$VISUAL`, `$EDITOR` or vi; on a dumb terminal `$EDITOR` or `$VISUAL`.
  init?(for folder: String, _ limits: ReadLimits) {
    let isDumb = Environment.value(of: "TERM").map { $0 == "dumb" } ?? true
    let names = isDumb ? ["EDITOR", "VISUAL"] : ["VISUAL", "EDITOR"]
    guard let command = names.lazy.compactMap(Environment.value).first ?? (isDumb ? nil : "vi") else {
      return nil
    }
    self.command = command
    self.folder = FolderName(folder)
    self.limits = limits
  }

  /// Returns the text once it is valid, and its draft, kept until `finish(_:keeping:)`; nil if nothing
  /// changed. The editor and questions use `terminal`, or else the standard streams.
  func edit(_ old: [UInt8], at path: RelativePath, as format: TextFormat, on terminal: CInt? = nil)
    throws(Failure) -> (text: [UInt8], draft: EditorDraft)?
  {
    let prompt = terminal.map { TerminalPrompt(input: $0, output: $0) } ?? .standard
    // The printed form of a name may be too long for a file system.
    let name = String(path.name)
    let draft = try EditorDraft(
      old, named: name.utf8.count <= 100 ? name : "item.\(format.pathExtensions[0])")
    while true {
      let failure = run([draft.path], terminal: terminal)
      let text = try read(draft)
      if let failure {
        let rest = text == old ? "" : " \(draft.keptMessage)"
        if text == old { draft.remove() }
        throw Failure(.failure, "The editor \(failure). Nothing was saved.\(rest)")
      }
      if text == old {
        try checkIsClosed(draft)
        draft.remove()
        return nil
      }
      guard let problem = problem(with: text, as: format) else { return (text, draft) }
      let file = folder.path(of: path)
      let mistake = "\(file):\(problem)"
      if prompt.isInteractive {
        prompt.writeLine("notes-watch: \(mistake)")
        if prompt.confirm("Edit it again?", default: true) { continue }
        throw Failure(.badData, "\(file) was not changed. \(draft.keptMessage)")
      }
      // Where nobody can be asked, the mistake in the text precedes the message.
      throw Failure(
        .badData,
        "\(DisplayText.safe(mistake))\nnotes-watch: \(file) was not changed. \(draft.keptMessage)")
    }
  }

  /// Opens a file in place, at a line (from 1) if the editor is known to accept one. The path must begin
  /// with a dot or a slash: editors run the rest of some words as commands.
  func open(_ file: String, at line: Int, on terminal: CInt) throws(Failure) {
    let form = names.lazy.compactMap { name in Editor.lineForms.first { $0.names.contains(name) } }.first
    let words = form?.words(file, line) ?? [file]
    if let failure = run(words, terminal: terminal) { throw Failure(.failure, "The editor \(failure).") }
  }

  private func problem(with text: [UInt8], as format: TextFormat) -> TextError? {
    do throws(TextError) {
      _ = try ItemText(text, as: format, limits: limits).fields.get()
      return nil
    } catch {
      return error
    }
  }

  /// Removes the draft of a text that was saved. If it is kept, returns a sentence that says where it is.
  func finish(_ draft: EditorDraft, keeping isKept: Bool) -> String? {
    if isKept || signOfUse(of: draft) != nil { return draft.keptMessage }
    draft.remove()
    return nil
  }

  private func checkIsClosed(_ draft: EditorDraft) throws(Failure) {
    guard let sign = signOfUse(of: draft) else { return }
    let reason = "The editor returned without a change and may still be open. \(sign) Nothing was saved."
    throw Failure(.tryAgain, "\(reason) \(draft.keptMessage) \(advice)")
  }

  /// Reads what the editor left. It may have removed the file, or created other files beside it.
  private func read(_ draft: EditorDraft) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try readInput(draft.path, upTo: limits.maxSize)
    } catch {
      let rest = draft.removeEmpty() ? "" : " The editor's files are kept in \(draft.folder)."
      throw Failure(.cannotCreate, "\(error) Nothing was saved.\(rest)")
    }
  }

  /// Interrupts from the keyboard go to the editor alone. Returns nil if it succeeded, otherwise the end of a
  /// sentence that begins with the editor.
  private func run(_ words: [String], terminal: CInt?) -> String? {
    var ignored = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    let kept = [SIGINT, SIGQUIT].map { ($0, Editor.exchange($0, ignored)) }
    defer { for (number, action) in kept { _ = Editor.exchange(number, action) } }
    let terminalOrInput = terminal ?? STDIN_FILENO
    let isForeground = tcgetpgrp(terminalOrInput) == getpgrp()
    defer { if isForeground { Editor.restoreForeground(of: terminalOrInput) } }
    let child: Child
    do throws(Errno) {
      let line = "\(isPlain ? "exec " : "")\(command) \"$@\""
      child = try Child(
        shell: line, [command] + words, terminal.map { Child.Streams($0) } ?? Child.Streams(), .foreground)
    } catch {
      return "cannot be started: \(error.reason)"
    }
    return switch child.reapStoppable() {
    case .signaled(let number): "was ended by signal \(number)"
    case .exited(0): nil
    // The shell's code for a command that it cannot find.
    case .exited(127): "ended with status 127: `\(command)` cannot be found"
    case .exited(let code): "ended with status \(code)"
    }
  }

  /// True if the command is a program with arguments and nothing else for the shell. The program
  /// then replaces the shell, which would not notice that it is stopped.
  private var isPlain: Bool {
    command.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: " /._+-".utf8.contains(byte)
      }
    }
  }

  private static func exchange(_ number: CInt, _ action: sigaction) -> sigaction {
    var new = action
    var old = sigaction()
    sigaction(number, &new, &old)
    return old
  }
}

/// Recognizes an editor that has returned and is still open, or that opened the file in a window of another
/// process. It writes the draft later; only its use of the draft shows that, so quitting it without a change
/// causes no warning.
extension Editor {
  /// Returns a sentence that says why the editor may still be open; nil if there is no sign of it.
  private func signOfUse(of draft: EditorDraft) -> String? {
    if let correction { return "`\(command)` returns at once; \(correction.advice)." }
    if draft.hasOtherFiles { return "It left files beside the text that editors keep while they are open." }
    if Editor.isInUse(draft) { return "Another process has the text open." }
    return nil
  }

  private var advice: String {
    let example = correction?.example ?? "code --wait"
    return
      "Set EDITOR to a command that waits until the file is closed, such as EDITOR='\(example)' or EDITOR='gvim -f'."
  }

  /// Programs that open a file in a window and return, with the options that make them wait.
  private static let programs: [(names: Set<String>, options: [String])] = [
    (["gvim", "gview", "mvim", "gvimdiff"], ["-f", "--nofork"]),
    (
      [
        "code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "subl", "sublime_text", "atom",
        "pulsar", "zed", "zeditor",
      ], ["--wait", "-w"]
    ),
    (["idea", "pycharm", "webstorm", "goland", "clion"], ["--wait"]),
    (["xdg-open"], []),
  ]

  /// How to make the command wait; nil if it has the option, or the program is not known.
  private var correction: (advice: String, example: String)? {
    if names.contains("emacsclient"), words.contains(where: { $0 == "-n" || $0 == "--no-wait" }) {
      return ("call it without -n", "emacsclient")
    }
    let known = names.lazy.compactMap { name in Editor.programs.first { $0.names.contains(name) } }
    guard let options = known.first?.options else { return nil }
    guard let option = options.first else { return ("it cannot wait", "code --wait") }
    if words.contains(where: options.contains) { return nil }
    return ("call it with \(option)", "\(command) \(option)")
  }

  private var words: [String] {
    command.split(whereSeparator: \.isWhitespace).map { $0.filter { $0 != "'" && $0 != "\"" } }
  }

  /// The names of the programs among the words.
  private var names: [String] { words.map { String($0.split(separator: "/").last ?? "") } }

  /// How programs are told a line of a file.
  private static let lineForms: [(names: Set<String>, words: @Sendable (String, Int) -> [String])] = [
    (
      [
        "vi", "vim", "nvim", "view", "gvim", "gview", "mvim", "nano", "pico", "emacs", "emacsclient", "mg",
        "micro", "kak", "joe", "jed", "ne", "mcedit", "gedit",
      ], { ["+\($1)", $0] }
    ),
    (["hx", "helix", "subl", "sublime_text", "zed", "zeditor"], { ["\($0):\($1)"] }),
    (["code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"], { ["--goto", "\($0):\($1)"] }),
    (
      ["kate", "kwrite", "idea", "pycharm", "webstorm", "goland", "clion"], { ["--line", "\($1)", $0] }
    ),
  ]

  /// True if a process has the draft open, works in its folder, or was started with its path.
  private static func isInUse(_ draft: EditorDraft) -> Bool {
    "/proc".directoryEntries.contains { name in
      pid_t(String(decoding: name, as: UTF8.self)).map { $0 != getpid() && uses($0, draft) } ?? false
    }
  }

  private static func uses(_ process: pid_t, _ draft: EditorDraft) -> Bool {
    // A process that has ended but was not waited for has no arguments any more.
    if let arguments = try? readInput("/proc/\(process)/cmdline", upTo: 1 << 22),
      contains(arguments, draft.folder)
    {
      return true
    }
    if target(of: "/proc/\(process)/cwd").hasPrefix(draft.folder) { return true }
    let files = "/proc/\(process)/fd"
    return files.directoryEntries.contains { name in
      target(of: "\(files)/\(String(decoding: name, as: UTF8.self))").hasPrefix(draft.folder)
    }
  }

  private static func contains(_ arguments: [UInt8], _ folder: String) -> Bool {
    let wanted = Array(folder.utf8)
    return arguments.split(separator: 0).contains { word in
      word.count >= wanted.count
        && word.indices.dropLast(wanted.count - 1).contains { word[$0...].starts(with: wanted) }
    }
  }

  private static func target(of link: String) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
