package import Files
import Glibc
package import PlainStore

/// Records the files that a command of this program writes while it runs inside of a script, so
/// that the watch that started the script can ignore these changes (`--ignore-own`).
///
/// The watch makes one record file per run. Each entry is the digest of the file's new content, or
/// `-` for a file that is removed, the version that it replaces, or `-` for a new file, and the
/// file's absolute path, each followed by NUL.
package struct OwnWrites: Sendable {
  private let file: String
  private let root: [UInt8]

  /// Makes the recorder of a run.
  ///
  /// - Parameters:
  ///   - root: The folder with the items.
  ///   - environment: The variables `NOTES_WATCH_RUN`, `XDG_STATE_HOME` and `HOME`.
  /// - Returns: Nil outside of a run.
  package init?(root: String, environment: [String: String]) {
    guard let run = environment[RunID.variable].flatMap({ RunID($0) }), let folder = OwnWrites.folder(environment),
      let root = realPath(root)
    else { return nil }
    file = "\(folder)/\(run)"
    self.root = Array(root.utf8)
  }

  /// The folder with the record files; nil if no variable names the folder for states.
  static func folder(_ environment: [String: String]) -> String? { UserFolder.state.path(environment).map { "\($0)/notes-watch/runs" } }

  /// Records a write that is about to happen. Does nothing if the watch keeps no record of the run.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - content: The new content; nil if the file is removed.
  ///   - replaced: The file as it was read before; nil if there was none.
  package func record(_ path: RelativePath, _ content: [UInt8]?, replacing replaced: FileVersion?) {
    guard let file = try? Descriptor.open(file, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK),
      (try? FileStatus(of: file.raw))?.isRegularFile == true
    else { return }
    let entry = OwnWrite(
      path: OwnWrite.path(root, path), digest: content.map { ContentDigest(of: $0) }, replaced: replaced.map(OwnWrite.Version.init))
    // Without the entry the change is not ignored, which is safe.
    try? file.write(all: entry.bytes)
  }
}
