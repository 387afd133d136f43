import Glibc
import TestSupport

/// Where the operations of a run are done.
struct Workplace: Sendable {
  /// A folder that is nobody's but the run's.
  let top: ExactText
  /// The folder that is watched, somewhere in it.
  let root: ExactText
  /// Where folders are moved to that leave the root.
  var outside: ExactText { top + "/outside" }
  let watcher: pid_t
}

/// Something that a program does to a folder: made before it is done, so that it can be named and done again.
struct Operation: Sendable, CustomStringConvertible {
  let description: String
  /// A save takes no item away; how many contents its file has on the way, by its path.
  var saved: (path: ExactText, contents: Int)?
  let run: @Sendable (Workplace) -> Void

  init(_ description: String, saved: (path: ExactText, contents: Int)? = nil, _ run: @escaping @Sendable (Workplace) -> Void) {
    self.description = description
    self.saved = saved
    self.run = run
  }
}

/// Makes operations on a part of the names, so that no two writers share a file.
struct OperationMaker {
  var random: SeededGenerator
  /// Below the root.
  let paths: [ExactText]
  /// Whether the settings must have the view `main`, and so must be there.
  let needsView: Bool
  let keepsSettings: Bool
  let burst: Int

  static let folders: [ExactText] = ["", "sub/", "sub/deep/", "moved/", "x y/", "new/", "new/a/b/"]

  /// Names that are easily taken for one another, or for something else.
  static let names: [ExactText] = [
    "a.yaml", "a.json", "b.yaml", "b.md", "c.json", "d.yml", "e.markdown", "i 2.yaml", "i 10.yaml", "\u{FC}.yaml", "u\u{308}.yaml",
    "Case.yaml", "case.yaml", "50%.json", "50%25.json", ExactText([0xFF, 0x2E, 0x6D, 0x64]), "\u{1}\u{7F}.yaml", "\u{202E}.md",
    ExactText(String(repeating: "long", count: 62) + ".yaml"), "-n.yaml", "'\".yaml", "z.YAML",
  ]

  static let paths: [ExactText] = folders.flatMap { folder in names.map { folder + $0 } }

  mutating func path() -> ExactText { random.one(of: paths) }

  /// Mostly a few files, so that they meet.
  mutating func item() -> ExactText { random.oneIn(3) ? path() : paths[random.below(min(6, paths.count))] }

  mutating func folder() -> ExactText { ExactText(random.one(of: Array(OperationMaker.folders.dropFirst())).bytes.dropLast()) }

  mutating func text(for path: ExactText) -> [UInt8] {
    ItemText.random(as: ItemText.Format(name: path.name) ?? .yaml, &random)
  }

  /// Microseconds; around the times that the program waits for.
  mutating func pause() -> UInt32 { random.one(of: [0, 0, 1_000, 20_000, 55_000, 70_000, 150_000, random.oneIn(4) ? 1_200_000 : 0]) }
}

extension ExactText {
  var name: ArraySlice<UInt8> { bytes[((bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...] }

  /// With its slash; empty for what lies in the root.
  var folder: ExactText { ExactText(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)]) }

  /// Another name in the same folder.
  func beside(_ prefix: String, _ suffix: String = "") -> ExactText { folder + ExactText(prefix) + ExactText(name) + ExactText(suffix) }
}

extension Workplace {
  func path(_ path: ExactText) -> ExactText { root + "/" + path }

  /// In place, and with the times that the file had.
  func changeDigit(of file: ExactText, to digit: UInt8) {
    var status = stat()
    guard Disk.kind(file) == S_IFREG, Disk.call(file, { lstat($0, &status) }) == 0, var text = Disk.read(file),
      let place = text.indices.dropFirst(2).first(where: { (48...57).contains(text[$0]) && text[$0 - 1] == 32 && text[$0 - 2] == 58 })
    else { return }
    text[place] = digit
    Disk.write([text], to: file, 0)
    let times = [status.st_atim, status.st_mtim]
    _ = Disk.call(file) { utimensat(AT_FDCWD, $0, times, AT_SYMLINK_NOFOLLOW) }
  }

  func makeFolder(of path: ExactText) { Disk.makeFolders(root + "/" + ExactText(path.folder.bytes.dropLast())) }
}
