import Files
import Glibc
import Processes

extension TerminalDevice {
  /// True if somebody can continue this process after it was stopped: the shell that would do so is
  /// not in the process group itself.
  ///
  /// In `vim "$(notes-watch browse …)"` the interactive shell waits for the output of this process
  /// and ignores stops: nobody would continue it.
  static var canStop: Bool {
    if ignoresStop(getpid()) || getpgrp() == getsid(0) { return false }
    var process = getppid()
    // A chain of parents has an end, but it can change while it is read.
    for _ in 0..<64 where process > 1 && getpgid(process) == getpgrp() {
      if ignoresStop(process) { return false }
      guard let parent = number(of: "PPid:", in: process, radix: 10) else { break }
      process = pid_t(truncatingIfNeeded: parent)
    }
    return true
  }

  private static func ignoresStop(_ process: pid_t) -> Bool {
    guard let ignored = number(of: "SigIgn:", in: process, radix: 16) else { return false }
    return ignored >> (SIGTSTP - 1) & 1 == 1
  }

  private static func number(of name: String, in process: pid_t, radix: Int) -> UInt64? {
    guard let file = try? Descriptor.open("/proc/\(process)/status", O_RDONLY),
      let bytes = try? file.readAll(upTo: 1 << 16)
    else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(name) }) else { return nil }
    return UInt64(line.dropFirst(name.count).filter { !$0.isWhitespace }, radix: radix)
  }
}
