import CLinux
import Files
import Glibc
import SystemPackage
import Values

/// The folder of a user's systemd units.
package struct UnitFolder: Sendable, Hashable {
  /// The absolute path.
  package let path: String
  private static let maxSize = 1 << 20

  /// Uses a folder.
  package init(path: String) {
    self.path = path
  }

  /// Finds the folder of this user: `systemd/user` in `XDG_CONFIG_HOME` or in `~/.config`.
  ///
  /// - Parameter environment: The variables `XDG_CONFIG_HOME` and `HOME`.
  package init(_ environment: [String: String]) throws(ServiceError) {
    guard let home = UserFolder.configuration.path(environment) else {
      throw ServiceError(.badPath, "There is no folder for units: neither XDG_CONFIG_HOME nor HOME is an absolute path. Set HOME.")
    }
    path = "\(home)/systemd/user"
  }

  /// The state of a unit file.
  package enum State: Sendable, Hashable {
    /// There is no such file.
    case absent
    /// Written by `service install`, and not changed since. The text is that of the unit.
    case installed(String)
    /// Written by `service install` and changed since, or not written by it.
    case edited
  }

  /// Returns the path of a unit file.
  package func path(of name: ServiceUnit.Name) -> String { "\(path)/\(name.rawValue)" }

  /// Returns the state of a unit file.
  package func state(of name: ServiceUnit.Name) throws(ServiceError) -> State {
    do throws(Errno) {
      // A link is somebody's decision: `systemctl mask` makes one, and so do dotfile managers.
      let file = try Descriptor.open(path(of: name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
      guard try FileStatus(of: file.raw).isRegularFile, let bytes = try file.readAll(upTo: UnitFolder.maxSize) else { return .edited }
      let text = String(decoding: bytes, as: UTF8.self)
      return UnitFile.origin(of: text) == .installed ? .installed(text) : .edited
    } catch {
      switch error {
      case .noSuchFileOrDirectory: return .absent
      case .tooManySymbolicLinkLevels: return .edited
      default: throw failure("read", name, error)
      }
    }
  }

  /// Writes the units of a service, and removes those that it does not have.
  ///
  /// - Parameters:
  ///   - unit: The service.
  ///   - isForced: True to replace files that were edited by hand.
  /// - Returns: The names of the files that changed.
  /// - Throws: `ServiceError`. If a file was edited by hand, no file was changed.
  package func install(_ unit: ServiceUnit, isForced: Bool) throws(ServiceError) -> [ServiceUnit.Name] {
    try refuseEdited(isForced)
    var changed: [ServiceUnit.Name] = []
    for name in ServiceUnit.Name.allCases {
      let text = unit.names.contains(name) ? UnitFile.signed(unit.text(of: name)) : nil
      let state = try state(of: name)
      if let text {
        if state == .installed(text) { continue }
        try write(text, to: name)
      } else {
        if state == .absent { continue }
        try remove(name)
      }
      changed.append(name)
    }
    return changed
  }

  /// Removes the units, with the links by which systemd starts them.
  ///
  /// - Parameter isForced: True to remove files that were edited by hand.
  /// - Returns: The names of the files that were removed.
  /// - Throws: `ServiceError`. If a file was edited by hand, no file was removed.
  package func uninstall(isForced: Bool) throws(ServiceError) -> [ServiceUnit.Name] {
    try refuseEdited(isForced)
    var removed: [ServiceUnit.Name] = []
    for name in ServiceUnit.Name.allCases {
      if try state(of: name) == .absent { continue }
      try remove(name)
      removed.append(name)
    }
    return removed
  }

  /// Throws if a unit file was edited by hand.
  ///
  /// - Parameter isForced: True to accept it.
  func refuseEdited(_ isForced: Bool) throws(ServiceError) {
    if isForced { return }
    for name in ServiceUnit.Name.allCases {
      guard try state(of: name) == .edited else { continue }
      throw ServiceError(
        .edited,
        "\(path(of: name)) was edited by hand, or is not the work of `service install`. Nothing was changed. "
          + "Give --force to replace it, or move your changes to a drop-in: systemctl --user edit \(name.rawValue)")
    }
  }

  private func remove(_ name: ServiceUnit.Name) throws(ServiceError) {
    // Without these links, `systemctl disable` finds nothing that refers to the missing file.
    let wants = name == .service ? "default.target.wants" : "sockets.target.wants"
    unlink("\(path)/\(wants)/\(name.rawValue)")
    rmdir("\(path)/\(wants)")
    do throws(Errno) { try systemCall { unlink(path(of: name)) } } catch { throw failure("removed", name, error) }
  }

  /// Replaces a file, so that the manager never reads a half of it.
  private func write(_ text: String, to name: ServiceUnit.Name) throws(ServiceError) {
    let temporary = "\(path)/.\(name.rawValue).\(getpid())"
    do throws(Errno) {
      try makeFolder()
      unlink(temporary)
      do throws(Errno) {
        let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
        try file.write(all: Array(text.utf8))
        try file.sync()
        try systemCall { rename(temporary, path(of: name)) }
      } catch {
        unlink(temporary)
        throw error
      }
    } catch {
      throw failure("written", name, error)
    }
  }

  /// Makes the folder, and those above it.
  private func makeFolder() throws(Errno) {
    var folder = ""
    for part in path.split(separator: "/") {
      folder += "/\(part)"
      if mkdir(folder, 0o755) != 0, errno != EEXIST { throw .current }
    }
  }

  private func failure(_ act: String, _ name: ServiceUnit.Name, _ error: Errno) -> ServiceError {
    ServiceError(.file, "\(path(of: name)) cannot be \(act): \(error.reason).")
  }
}
