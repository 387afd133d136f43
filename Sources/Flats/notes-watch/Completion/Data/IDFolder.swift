import CLinux
import Files
import Glibc
import PlainStore
import Values

/// The ids in one folder of a data set whose ids are paths, from its listing alone: it opens no
/// file. The ids of folders below it begin with the names of these folders.
struct IDFolder {
  /// The ids, and the folders below this one.
  private(set) var candidates: [Candidate] = []

  /// Lists a folder.
  ///
  /// - Parameter typed: The start of an id. Its last slash ends the folder that is listed.
  init(_ root: String, _ rules: PathRules, typed: String) {
    let folder = typed.lastIndex(of: "/").map { String(typed[..<$0]) } ?? ""
    let name = RelativePath.decode(folder.utf8)
    let parent = folder.isEmpty ? RelativePath.root : RelativePath(bytes: name)
    guard !name.contains(0), rules.reachesFolder(parent), let entries = IDFolder.open(name, below: root)
    else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let path = parent.appending(name: name)
      if rules.format(of: path) != nil {
        candidates.append(Candidate(text: Item.ID(path: path).description))
      } else if entry.pointee.d_type == DT_DIR, rules.includesFolder(path) {
        candidates.append(Candidate(text: "\(path)/", isPartial: true))
      }
    }
    candidates.sort { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  /// Opens a folder below the root for listing. A symbolic link is not followed, and nothing outside
  /// is opened.
  private static func open(_ folder: [UInt8], below root: String) -> OpaquePointer? {
    let descriptor = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if folder.isEmpty { return fdopendir(descriptor) }
    defer { close(descriptor) }
    let inner = clinux_open_beneath(
      descriptor, folder.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return inner >= 0 ? fdopendir(inner) : nil
  }
}
