import CLinux
import Files
import Glibc
import SystemPackage

/// The systemd of this user, asked by `systemctl --user`.
package struct UserManager: Sendable {
  private let runtimeFolder: String

  /// Finds the manager; nil if none runs for this user, as in a container or after `su`.
  ///
  /// - Parameter environment: The variable `XDG_RUNTIME_DIR`.
  package init?(_ environment: [String: String]) {
    let folder = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
    guard folder.hasPrefix("/"), UserManager.answers(in: folder) else { return nil }
    runtimeFolder = folder
  }

  /// Runs `systemctl --user` and waits for its end.
  ///
  /// - Returns: What it printed on standard output.
  /// - Throws: `ServiceError` with the command and its messages if it fails.
  @discardableResult
  package func control(_ words: String...) throws(ServiceError) -> String { try control(words) }

  /// Runs `systemctl --user` and waits for its end.
  @discardableResult
  func control(_ words: [String]) throws(ServiceError) -> String {
    let command = ["systemctl", "--user"] + words
    let environment = ["XDG_RUNTIME_DIR": runtimeFolder, "LC_ALL": "C.UTF-8", "SYSTEMD_PAGER": ""]
    let run: FinishedProcess
    do throws(Errno) {
      run = try FinishedProcess(command, adding: environment)
    } catch {
      throw ServiceError(.manager, "`\(command.joined(separator: " "))` cannot be started: \(error.reason).")
    }
    guard run.status == 0 else {
      let lines = run.output.split(separator: "\n").joined(separator: " ")
      throw ServiceError(.manager, "`\(command.joined(separator: " "))` ended with status \(run.status). \(lines)")
    }
    return run.output
  }

  /// Returns the properties of a unit, as `systemctl show` prints them.
  package func properties(of name: ServiceUnit.Name, _ keys: [String]) throws(ServiceError) -> [String: String] {
    let output = try control("show", "--property=\(keys.joined(separator: ","))", name.rawValue)
    var properties: [String: String] = [:]
    for line in output.split(separator: "\n") {
      guard let end = line.firstIndex(of: "=") else { continue }
      properties[String(line[..<end])] = String(line[line.index(after: end)...])
    }
    return properties
  }

  /// True if the manager of this user runs from the start of the machine on, and after the last
  /// logout; nil if the name of the user is not known.
  package static var lingers: Bool? {
    guard let name = userName else { return nil }
    return access("/var/lib/systemd/linger/\(name)", F_OK) == 0
  }

  private static var userName: String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(getuid(), &entry, &room, room.count, &found) == 0, found != nil, let name = entry.pw_name else { return nil }
    return String(cString: name)
  }

  /// Returns true if a manager accepts connections. Its socket stays when it is gone.
  private static func answers(in folder: String) -> Bool {
    let raw = clinux_unix_socket(0)
    if raw < 0 { return false }
    let socket = Descriptor(owning: raw)
    return retryOnInterrupt { clinux_unix_connect(socket.raw, "\(folder)/systemd/private") } == 0
  }
}
