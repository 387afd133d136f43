import Glibc
import Synchronization

/// The process groups of commands that are over but left something running, so that it can be ended with us.
///
/// While a group has a member its number is given to nobody else; groups that are found empty are forgotten.
final class ProcessGroups: Sendable {
  private let groups = Mutex<Set<pid_t>>([])

  /// Takes in the group of a command that just ended.
  func note(_ group: pid_t) {
    groups.withLock { groups in
      groups = groups.union([group]).filter { kill(-$0, 0) == 0 }
    }
  }

  func terminate() {
    groups.withLock { groups in
      for group in groups { kill(-group, SIGTERM) }
      groups = []
    }
  }
}
