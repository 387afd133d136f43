import Files
import Glibc
import SystemPackage

struct Editor {
  let command: String

  /// Chooses the editor as git does: `$VISUAL`, `$EDITOR` or vi; on a dumb terminal `$EDITOR` or
  /// `$VISUAL`.
  init?() {
    let isDumb = Environment.value(of: "TERM").map { $0 == "dumb" } ?? true
    let names = isDumb ? ["EDITOR", "VISUAL"] : ["VISUAL", "EDITOR"]
    guard let command = names.lazy.compactMap(Environment.value).first ?? (isDumb ? nil : "vi") else {
      return nil
    }
    self.command = command
  }

  /// Runs the editor on a file and waits for it. Interrupts from the keyboard go to the editor
  /// alone.
  ///
  /// - Parameter terminal: The terminal that the editor gets as its standard streams; nil for those
  ///   of this program.
  /// - Returns: nil if it succeeded, otherwise the end of a sentence that begins with the editor.
  func run(on file: String, terminal: CInt? = nil) -> String? {
    var ignored = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    let kept = [SIGINT, SIGQUIT].map { ($0, Editor.exchange($0, ignored)) }
    defer { for (number, action) in kept { _ = Editor.exchange(number, action) } }
    let foreground = Foreground(of: terminal ?? STDIN_FILENO)
    defer { foreground?.restore() }
    let child: Child
    do throws(Errno) {
      let line = "\(isPlain ? "exec " : "")\(command) \"$@\""
      child = try Child(
        shell: line, [command, file], terminal.map { Child.Streams($0) } ?? Child.Streams(), .foreground)
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
    var (new, old) = (action, sigaction())
    sigaction(number, &new, &old)
    return old
  }
}

/// Recognizes an editor that has returned and is still open, or that opened the file in a window of
/// another process.
///
/// Such an editor writes the draft later. Only its use of the draft shows that, so quitting an
/// editor without a change causes no warning.
extension Editor {
  /// Returns a sentence that says why the editor may still be open; nil if there is no sign of it.
  func signOfUse(of draft: EditorDraft) -> String? {
    if let correction { return "`\(command)` returns at once; \(correction.advice)." }
    if draft.hasOtherFiles { return "It left files beside the text that editors keep while they are open." }
    if Editor.isInUse(draft) { return "Another process has the text open." }
    return nil
  }

  var advice: String {
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

  /// How to change the command so that it waits; nil if it has the option, or the program is not
  /// known.
  private var correction: (advice: String, example: String)? {
    let words = command.split(whereSeparator: \.isWhitespace).map { $0.filter { $0 != "'" && $0 != "\"" } }
    let names = words.map { String($0.split(separator: "/").last ?? "") }
    if names.contains("emacsclient"), words.contains(where: { $0 == "-n" || $0 == "--no-wait" }) {
      return ("call it without -n", "emacsclient")
    }
    let known = names.lazy.compactMap { name in Editor.programs.first { $0.names.contains(name) } }
    guard let options = known.first?.options else { return nil }
    guard let option = options.first else { return ("it cannot wait", "code --wait") }
    if words.contains(where: options.contains) { return nil }
    return ("call it with \(option)", "\(command) \(option)")
  }

  /// Returns true if a process has the draft open, works in its folder, or was started with its
  /// path.
  private static func isInUse(_ draft: EditorDraft) -> Bool {
    "/proc".directoryEntries.contains { name in
      pid_t(String(decoding: name, as: UTF8.self)).map { $0 != getpid() && uses($0, draft) } ?? false
    }
  }

  private static func uses(_ process: pid_t, _ draft: EditorDraft) -> Bool {
    // A process that has ended but was not waited for has no arguments any more.
    if let arguments = try? InputFile.read("/proc/\(process)/cmdline", upTo: 1 << 22),
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
