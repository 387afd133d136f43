import CLinux
import Files
import Glibc

/// The processes of git that change work trees, as far as this process can see them. It finds the processes
/// of its own user, or all of them if it runs as root. It finds no processes in other containers.
///
/// A marker does not prove that a command runs: a rebase that stopped at a conflict and a lock that
/// a crash left behind have the markers of a running command. A running process is proof. If none
/// is visible, the times of ``SettleTiming`` decide.
struct GitProcesses {
  private final class ProcessHandle {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  /// The processes at work, by work tree. Empty on kernels before 5.3, which have no process
  /// descriptors and so do not report when a process ends.
  private var processes: [RelativePath: [ProcessHandle]] = [:]

  var descriptors: [Int32] { processes.values.flatMap { $0.map { $0.descriptor.raw } } }

  /// Returns true if git is at work in the tree whose top folder is `top`. Reads the list of
  /// processes unless a process is known. With `isFollowing`, the processes found are known from
  /// now on, so that ``removeEnded()`` reports their end.
  mutating func isAtWork(in tree: RelativePath, top: String, isFollowing: Bool) -> Bool {
    if processes[tree]?.contains(where: { !Self.hasEnded($0) }) == true { return true }
    let found = Self.processes(in: top)
    if isFollowing {
      let known = found.compactMap(Self.process)
      processes[tree] = known.isEmpty ? nil : known
    }
    return !found.isEmpty
  }

  /// Removes the processes that have ended, and returns the trees in which none is left.
  mutating func removeEnded() -> [RelativePath] {
    for (tree, known) in processes { processes[tree] = known.filter { !Self.hasEnded($0) } }
    let ended = processes.filter(\.value.isEmpty).map(\.key)
    for tree in ended { processes[tree] = nil }
    return ended
  }

  private static func process(_ process: pid_t) -> ProcessHandle? {
    let raw = clinux_process_descriptor(process)
    return raw < 0 ? nil : ProcessHandle(Descriptor(owning: raw))
  }

  private static func hasEnded(_ process: ProcessHandle) -> Bool {
    var process = pollfd(fd: process.descriptor.raw, events: Int16(POLLIN), revents: 0)
    return poll(&process, 1, 0) > 0
  }

  // MARK: The list of processes

  /// The commands that change a work tree. git runs them from its top folder.
  private static let commands: Set<String> = [
    "am", "apply", "bisect", "checkout", "checkout-index", "cherry-pick", "clone", "filter-branch", "merge",
    "pull", "read-tree", "rebase",
    "reset", "restore", "revert", "rm", "sparse-checkout", "stash", "submodule", "switch", "worktree",
  ]

  private static let optionsWithValue: Set<String> = [
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix",
  ]

  private static func processes(in top: String) -> [pid_t] {
    guard let place = RootPath(top).identity, let list = opendir("/proc") else { return [] }
    defer { closedir(list) }
    var found: [pid_t] = []
    while let entry = readdir(list) {
      guard let process = pid_t(String(decoding: DirectoryScan.bytes(ofNameIn: entry), as: UTF8.self)) else {
        continue
      }
      let folder = "/proc/\(process)"
      guard read("\(folder)/comm").starts(with: "git".utf8),
        let command = command(in: read("\(folder)/cmdline"))
      else { continue }
      if commands.contains(command),
        (try? FileStatus(in: AT_FDCWD, "\(folder)/cwd/."))?.stamp.identity == place
      {
        found.append(process)
      }
    }
    return found
  }

  /// Returns git's command from the arguments of a process, each ended by a NUL; `nil` if it is not git.
  static func command(in arguments: some Sequence<UInt8>) -> String? {
    var words = Array(arguments).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }[...]
    guard let name = words.popFirst()?.split(separator: "/").last else { return nil }
    if name.hasPrefix("git-") { return String(name.dropFirst(4)) }
    guard name == "git" else { return nil }
    while let word = words.popFirst() {
      if !word.hasPrefix("-") { return word }
      if optionsWithValue.contains(word) { words = words.dropFirst() }
    }
    return nil
  }

  /// Returns the beginning of a file below `/proc`. It is long enough for the command.
  private static func read(_ path: String) -> ArraySlice<UInt8> {
    let raw = retryOnInterrupt { open(path, O_RDONLY | O_CLOEXEC) }
    guard raw >= 0 else { return [] }
    let file = Descriptor(owning: raw)
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(file.raw, &bytes, bytes.count)
    return bytes.prefix(max(0, count))
  }
}

extension RootPath {
  /// `nil` if there is no work tree. `.root` means the tree around the root.
  func topOfWorkTree(_ tree: RelativePath) -> String? {
    if tree == .root { return resolved.flatMap(GitFolder.top) }
    return String(validating: tree.bytes, as: UTF8.self).map { RootPath.join(absolute, $0) }
  }
}
