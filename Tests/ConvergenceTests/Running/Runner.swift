import Foundation
import TestSupport

/// How the program is started: as this user, or as a user who needs permissions.
struct Runner: Sendable {
  let command: [String]
  /// True if it may read files regardless of permissions.
  let isOwner: Bool

  static let own = Runner(command: [BuiltProgram.path], isOwner: true)

  static let canBeNobody = Machine.isRoot && Machine.has("setpriv")

  /// Runs a copy of the program in `folder` as the user nobody, who gets access to the folder.
  static func nobody(in folder: String) throws -> Runner {
    let copy = "\(folder)/notes-watch"
    try FileManager.default.copyItem(atPath: BuiltProgram.path, toPath: copy)
    _ = try Shell.run("chmod 755 . notes-watch", in: folder)
    return Runner(
      command: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy], isOwner: false)
  }

  /// Returns the runner with a cache in `folder`, which is used for folders of any size.
  func withCache(in folder: String) throws -> Runner {
    _ = try Shell.run("mkdir -m 777 .cache", in: folder)
    return Runner(
      command: ["/usr/bin/env", "XDG_CACHE_HOME=\(folder)/.cache", "NOTES_WATCH_CACHE_FROM=1"] + command,
      isOwner: isOwner)
  }

  private init(command: [String], isOwner: Bool) {
    self.command = command
    self.isOwner = isOwner
  }
}
