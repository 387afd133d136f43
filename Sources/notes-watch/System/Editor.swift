import Glibc
import LinuxFiles
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
  /// - Returns: nil if it succeeded, otherwise the end of a sentence that begins with the editor.
  func run(on file: String) -> String? {
    let kept = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, handler) in kept { signal(number, handler) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The shell receives the file's name as an argument, so that it never parses it.
    let arguments = ["sh", "-c", "\(command) \"$@\"", command, file].map { (word: String) in strdup(word) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, environ)
    if code != 0 { return "cannot be started: \(Errno(rawValue: code).reason)" }
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if status & 0x7F != 0 { return "was ended by signal \(status & 0x7F)" }
    return switch status >> 8 & 0xFF {
    case 0: nil
    // The shell's code for a command that it cannot find.
    case 127: "ended with status 127: `\(command)` cannot be found"
    case let code: "ended with status \(code)"
    }
  }
}
