import Glibc
import TestSupport

/// The place where the operations of a run work.
struct Workplace: Sendable {
  /// The folder of the run.
  let top: ExactText
  /// The watched folder, below `top`.
  let root: ExactText
  /// The destination of folders that are moved out of the root.
  var outside: ExactText { top + "/outside" }
  let watcher: pid_t
}

/// A change to a folder. It is created before it runs, so that it can be reported and repeated.
struct Operation: Sendable, CustomStringConvertible {
  let description: String
  /// For a save, the path of the file and the number of contents that it has in turn. A save
  /// removes no item.
  var saved: (path: ExactText, contents: Int)?
  let run: @Sendable (Workplace) -> Void

  init(
    _ description: String, saved: (path: ExactText, contents: Int)? = nil,
    _ run: @escaping @Sendable (Workplace) -> Void
  ) {
    self.description = description
    self.saved = saved
    self.run = run
  }
}

/// Makes operations on some of the names, so that no two writers share a file.
struct OperationMaker {
  var random: SeededGenerator
  /// The paths below the root that it uses.
  let paths: [ExactText]
  /// True if the settings must exist and define the view `main`.
  let needsView: Bool
  let keepsSettings: Bool
  let burst: Int

  static let folders: [ExactText] = ["", "sub/", "sub/deep/", "moved/", "x y/", "new/", "new/a/b/"]

  /// Names that are easily confused with each other or with special files.
  static let names: [ExactText] = [
    "a.yaml", "a.json", "b.yaml", "b.md", "c.json", "d.yml", "e.markdown", "i 2.yaml", "i 10.yaml",
    "\u{FC}.yaml", "u\u{308}.yaml",
    "Case.yaml", "case.yaml", "50%.json", "50%25.json", ExactText([0xFF, 0x2E, 0x6D, 0x64]),
    "\u{1}\u{7F}.yaml", "\u{202E}.md",
    ExactText(String(repeating: "long", count: 62) + ".yaml"), "-n.yaml", "'\".yaml", "z.YAML",
  ]

  static let paths: [ExactText] = folders.flatMap { folder in names.map { folder + $0 } }

  mutating func path() -> ExactText { random.one(of: paths) }

  /// Returns a path, mostly one of a few, so that operations affect the same files.
  mutating func item() -> ExactText { random.oneIn(3) ? path() : paths[random.below(min(6, paths.count))] }

  mutating func folder() -> ExactText {
    ExactText(random.one(of: Array(OperationMaker.folders.dropFirst())).bytes.dropLast())
  }

  mutating func text(for path: ExactText) -> [UInt8] {
    HarnessText.random(as: HarnessText.Format(name: path.name) ?? .yaml, &random)
  }

  /// Returns a pause in microseconds, near the times for which the program waits.
  mutating func pause() -> UInt32 {
    random.one(of: [0, 0, 1_000, 20_000, 55_000, 70_000, 150_000, random.oneIn(4) ? 1_200_000 : 0])
  }
}

extension ExactText {
  var name: ArraySlice<UInt8> { bytes[((bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...] }

  /// The folder with its slash; empty for a file in the root.
  var folder: ExactText { ExactText(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)]) }

  /// Returns another name in the same folder.
  func beside(_ prefix: String, _ suffix: String = "") -> ExactText {
    folder + ExactText(prefix) + ExactText(name) + ExactText(suffix)
  }
}

extension Workplace {
  func path(_ path: ExactText) -> ExactText { root + "/" + path }

  /// Changes a digit of a file in place, and restores the file's times.
  func changeDigit(of file: ExactText, to digit: UInt8) {
    var status = stat()
    guard Disk.kind(file) == S_IFREG, Disk.call(file, { lstat($0, &status) }) == 0,
      var text = Disk.read(file),
      let place = text.indices.dropFirst(2).first(where: {
        (48...57).contains(text[$0]) && text[$0 - 1] == 32 && text[$0 - 2] == 58
      })
    else { return }
    text[place] = digit
    Disk.write([text], to: file, 0)
    let times = [status.st_atim, status.st_mtim]
    _ = Disk.call(file) { utimensat(AT_FDCWD, $0, times, AT_SYMLINK_NOFOLLOW) }
  }

  func makeFolder(of path: ExactText) {
    Disk.makeFolders(root + "/" + ExactText(path.folder.bytes.dropLast()))
  }
}
