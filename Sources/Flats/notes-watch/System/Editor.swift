import Files
import Glibc
import SystemPackage

/// The user's editor.
struct Editor {
  /// A command for the shell.
  let command: String

  /// Chooses the editor as git does: `$VISUAL`, `$EDITOR` or vi; on a dumb terminal `$EDITOR` or
  /// `$VISUAL`.
  ///
  /// - Returns: nil if there is no editor.
  init?() {
    let isDumb = Editor.variable("TERM").map { $0 == "dumb" } ?? true
    let named = (isDumb ? ["EDITOR", "VISUAL"] : ["VISUAL", "EDITOR"]).lazy.compactMap(Editor.variable).first
    guard let command = named ?? (isDumb ? nil : "vi") else { return nil }
    self.command = command
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Runs the editor on a file and waits for it. Interrupts from the keyboard go to the editor
  /// alone.
  ///
  /// - Parameter terminal: The terminal that the editor gets as its standard streams; nil for those
  ///   of this program.
  /// - Returns: nil if it succeeded, otherwise the end of a sentence that begins with the editor.
  func run(on file: String, terminal: CInt? = nil) -> String? {
    let kept = [SIGINT, SIGQUIT].map { ($0, Editor.exchange($0, sigaction(ignored: true))) }
    defer { for (number, action) in kept { _ = Editor.exchange(number, action) } }
    let foreground = Foreground(of: terminal ?? STDIN_FILENO)
    defer { foreground?.restore() }
    let child: pid_t
    do throws(Errno) {
      child = try spawn(on: file, terminal)
    } catch {
      return "cannot be started: \(error.reason)"
    }
    let status = StoppableChild(process: child).wait()
    if status & 0x7F != 0 { return "was ended by signal \(status & 0x7F)" }
    return switch status >> 8 & 0xFF {
    case 0: nil
    // The shell's code for a command that it cannot find.
    case 127: "ended with status 127: `\(command)` cannot be found"
    case let code: "ended with status \(code)"
    }
  }

  /// True if the command is a program with arguments and nothing else for the shell. The program
  /// then replaces the shell, which would not notice that it is stopped.
  private var isPlain: Bool {
    command.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: " /._+-".utf8.contains(byte)
      }
    }
  }

  private func spawn(on file: String, _ terminal: CInt?) throws(Errno) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var signals = sigset_t()
    sigemptyset(&signals)
    // A thread of a dispatch queue has most signals blocked, and the editor would inherit that.
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let terminal {
      for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_adddup2(&actions, terminal, stream) }
    }
    // The shell receives the file's name as an argument, so that it never parses it.
    let arguments =
      ["sh", "-c", "\(isPlain ? "exec " : "")\(command) \"$@\"", command, file].map { (word: String) in strdup(word) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ)
    if code != 0 { throw Errno(rawValue: code) }
    return child
  }

  /// Sets the action of a signal, and returns the one before with all of its flags.
  private static func exchange(_ number: CInt, _ action: sigaction) -> sigaction {
    var (new, old) = (action, sigaction())
    sigaction(number, &new, &old)
    return old
  }
}

extension sigaction {
  /// The action that ignores a signal.
  fileprivate init(ignored: Bool) {
    self.init()
    __sigaction_handler.sa_handler = ignored ? SIG_IGN : SIG_DFL
  }
}
