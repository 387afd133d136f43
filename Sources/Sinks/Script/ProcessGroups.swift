import Glibc
import Synchronization

/// The process groups of commands that run, or that are over and left something running, so that it can be ended with us.
///
/// While a group has a member its number is given to nobody else; groups that are found empty are forgotten with the next command.
final class ProcessGroups: Sendable {
  private let groups = Mutex<Set<pid_t>>([])

  /// Takes in the group of a command that was just started.
  func note(_ group: pid_t) {
    groups.withLock { groups in groups = groups.filter(ProcessGroups.hasMembers).union([group]) }
  }

  /// Asks every process that is left to end, and after two seconds ends it.
  func end() async {
    let left = groups.withLock { groups in
      defer { groups = [] }
      return groups.filter(ProcessGroups.hasMembers)
    }
    for group in left { kill(-group, SIGTERM) }
    for _ in 0..<40 where left.contains(where: ProcessGroups.hasMembers) {
      // A group cannot be waited for, only looked at; and the task may be cancelled by now, so it would not sleep.
      await Task.detached { try? await Task.sleep(for: .milliseconds(50)) }.value
    }
    for group in left where ProcessGroups.hasMembers(group) { kill(-group, SIGKILL) }
  }

  private static func hasMembers(_ group: pid_t) -> Bool { kill(-group, 0) == 0 }
}
