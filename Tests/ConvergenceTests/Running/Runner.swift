import Foundation
import TestSupport

/// How the program is started: as ourselves, or as somebody whom permissions keep out.
struct Runner: Sendable {
  let command: [String]
  /// Whether it may read whatever is there.
  let isOwner: Bool

  static let own = Runner(command: [BuiltProgram.path], isOwner: true)

  static let canBeNobody = Machine.isRoot && Machine.has("setpriv")

  /// As nobody, from a copy in `folder`, which nobody can enter then.
  static func nobody(in folder: String) throws -> Runner {
    let copy = "\(folder)/notes-watch"
    try FileManager.default.copyItem(atPath: BuiltProgram.path, toPath: copy)
    _ = try Shell.run("chmod 755 . notes-watch", in: folder)
    return Runner(command: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy], isOwner: false)
  }

  private init(command: [String], isOwner: Bool) {
    self.command = command
    self.isOwner = isOwner
  }
}
