import CLinux
import Glibc

/// The system calls on the children of this process that `ProcessGroups` makes.
struct ChildProcesses: Sendable {
  /// Returns true if a child is in the group, running or ended and not reaped.
  var areIn: @Sendable (_ group: pid_t) -> Bool = { clinux_has_children($0) == 1 }
  /// Returns a child that has ended and is not reaped; it stays so. Nil for a group means any.
  var nextEnded: @Sendable (_ group: pid_t?) -> pid_t? = { group in
    let child = clinux_next_ended_child(group ?? 0)
    return child > 0 ? child : nil
  }
  /// Reaps a child that has ended. Its number, and that of its group if it was the last member, can
  /// then be given to any process.
  var reap: @Sendable (pid_t) -> Void = { _ = waitpid($0, nil, WNOHANG) }
  var signal: @Sendable (_ group: pid_t, CInt) -> Void = { _ = kill(-$0, $1) }
}
