import Foundation
import Glibc
import TestSupport

/// The contents of a folder, read independently of the program.
struct FolderReading {
  /// All valid files, also those whose id belongs to another file.
  private(set) var entries: [FolderEntry] = []
  /// The printed paths of files with an item's name and no valid item.
  private(set) var broken: Set<ExactText> = []
  /// The paths of files that the harness itself cannot read.
  private(set) var unknown: [ExactText] = []
  /// The paths of the broken files in the file system.
  private(set) var brokenFiles: [ExactText] = []
  let settings: HarnessSettings?
  private let root: ExactText
  private let isOwner: Bool
  let hasIDField: Bool

  /// - Parameter isOwner: whether the program may read files regardless of permissions.
  init(_ root: ExactText, _ view: ListView, isOwner: Bool = true) {
    self.isOwner = isOwner
    self.root = root
    settings = HarnessSettings.of(Disk.read(root + "/" + HarnessSettings.path))
    hasIDField = view.hasIDField || settings?.hasIDField == true
    walk("")
    entries.sort { $0.file < $1.file }
  }

  private mutating func walk(_ folder: ExactText) {
    for name in Disk.names(in: root + "/" + folder) {
      if name.first == UInt8(ascii: ".") { continue }
      let path = ExactText(folder.bytes + name)
      if settings?.isIgnored(path + "/") == true || settings?.isIgnored(path) == true { continue }
      let mode = Disk.mode(root + "/" + path) ?? 0
      if let format = HarnessText.Format(name: name[...]) {
        mode & S_IFMT == S_IFREG && (isOwner || mode & 0o4 != 0) ? read(path, format) : recordBroken(path)
      } else if mode & S_IFMT == S_IFDIR {
        isOwner || mode & 0o5 == 0o5 ? walk(path + "/") : recordBroken(path)
      }
    }
  }

  private mutating func recordBroken(_ path: ExactText) {
    broken.insert(.printing(path.bytes))
    brokenFiles.append(path)
  }

  private mutating func read(_ path: ExactText, _ format: HarnessText.Format) {
    switch HarnessText.read(Disk.read(root + "/" + path) ?? [], as: format) {
    case .broken: recordBroken(path)
    case .unknown: unknown.append(path)
    case .good(let fields):
      let stem = path.bytes[..<(path.bytes.lastIndex(of: UInt8(ascii: ".")) ?? 0)]
      guard let id = hasIDField ? (fields["uid"] as? String).map({ ExactText($0) }) : .printing(Array(stem))
      else {
        return recordBroken(path)
      }
      entries.append(FolderEntry(id: id, path: .printing(path.bytes), file: path, fields: fields))
    }
  }
}
