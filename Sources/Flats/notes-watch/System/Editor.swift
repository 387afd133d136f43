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
