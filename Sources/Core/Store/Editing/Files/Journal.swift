import Glibc
import SystemPackage

/// The changes of a save that is made completely or not at all, on the disk until it is over.
///
/// Each change is written here, with the old and the new text of its file, before the file is changed.
/// If the program is killed, nobody holds the lock of the journal any more. The next writer then puts back every
/// file that still has the text that the save gave it, and removes the journal; until then `check` names it.
///
/// The file is `.notes-watch.journal` in the root. It begins with its own inode, so a journal that came with a
/// copy or a clone of the folder changes nothing. After that, each change has a line of properties, lines with
/// its path and the id before a rename, and its two texts. An incomplete last one was not begun.
final class Journal: Sendable {
  static let name: RelativePath = ".notes-watch.journal"

  private let root: SaveFolder
  private let file: Descriptor

  /// - Parameter flags: May create the file.
  private init(in root: SaveFolder, _ flags: CInt = 0) throws(Problem) {
    self.root = root
    file = try root.openOwn(Journal.name, flags)
    guard (try? FileStatus(of: file.raw))?.isRegularFile == true else {
      throw Problem(
        path: Journal.name, message: "This is not a file, but a save that is all or nothing needs its name.",
        advice: "Rename it.")
    }
  }

  /// Begins a journal; nil if an interrupted save left one, which must be taken back first.
  ///
  /// - Parameter patience: The time to wait for another save that has a journal here.
  static func begin(in root: SaveFolder, patience: Duration) throws(Problem) -> Journal? {
    let end = ContinuousClock.now + patience
    while true {
      let journal = try Journal(in: root, O_CREAT)
      switch try SaveFolder.lock(journal.file.raw, patience: end - .now) {
      case .held where journal.isCurrent:
        if try !journal.changes().isEmpty { return nil }
        try journal.start()
        return journal
      case .held where ContinuousClock.now < end:
        // Another save has ended it between the two calls.
        continue
      case .held, .busy: throw Problem("Locking the journal, which another save keeps locked,", EBUSY)
      case .none:
        if journal.file.prefix(1).isEmpty { journal.end() }
        throw Problem("Locking a journal, without which a save cannot be all or nothing,", ENOLCK)
      }
    }
  }

  /// Returns the journal of a save that was interrupted, and its changes; nil if there is none, or if the save
  /// is still at work.
  ///
  /// - Throws: A `Problem` if it cannot be read, or was copied from another folder.
  static func interrupted(in root: SaveFolder) throws(Problem) -> (journal: Journal, changes: [SavedChange])?
  {
    if root.stamp(of: name) == nil { return nil }
    let journal = try Journal(in: root)
    guard try SaveFolder.lock(journal.file.raw) == .held, journal.isCurrent else { return nil }
    return (journal, try journal.changes())
  }

  /// The problem of a journal that an interrupted save left; nil if there is none.
  static func problem(in root: OpenFolder) -> Problem? {
    do throws(Problem) {
      guard let folder = try SaveFolder.open(.root, below: root),
        let (_, changes) = try interrupted(in: folder)
      else { return nil }
      return Problem(
        path: name,
        message: "A save of several files was interrupted. The next save takes back what it has changed: "
          + (changes.isEmpty ? "nothing." : "\(names(changes.map(\.path)))."))
    } catch {
      return Problem(path: name, message: error.message)
    }
  }

  /// True if the journal still has its name: one that was ended may be opened a moment before.
  private var isCurrent: Bool {
    identity != nil && root.stamp(of: Journal.name)?.identity == identity
  }

  private var identity: FileIdentity? { (try? FileStatus(of: file.raw))?.stamp.identity }

  private var header: [UInt8] { Array("notes-watch journal 1 \(identity?.inode ?? 0)\n".utf8) }

  private func start() throws(Problem) {
    try Problem.of("Writing the journal") { () throws(Errno) in
      try systemCall { ftruncate(file.raw, 0) }
      try file.write(all: header)
      try file.sync()
    }
    let code = root.sync()
    if code != 0 { throw Problem("Writing the folder of the journal to the disk", code) }
  }

  /// Writes changes that are about to be made to the disk.
  func append(_ changes: [SavedChange]) throws(Problem) {
    let changes = changes.filter { $0.old != $0.new?.bytes || $0.oldID != nil }
    if changes.isEmpty { return }
    let bytes = changes.flatMap(\.journaled)
    try Problem.of("Writing the journal") { () throws(Errno) in
      try file.write(all: bytes)
      try file.sync()
    }
  }

  /// Writes that of all changes so far only these are still to be taken back.
  func keep(_ rest: [SavedChange]) throws(Problem) {
    let records = rest.flatMap(\.journaled)
    let end = try contents().end
    try Problem.of("Writing the journal") { () throws(Errno) in
      // An incomplete last change would take what follows for its texts.
      try systemCall { ftruncate(file.raw, off_t(end)) }
      try file.write(all: Array("rest \(records.count)\n".utf8) + records)
      try file.sync()
    }
  }

  /// Ends the save: the files stay as they are now.
  func end() {
    if !isCurrent || root.unlink(Journal.name) == 0 && root.sync() == 0 { return }
    // It must not come back: the next writer would take back what was saved.
    _ = ftruncate(file.raw, 0)
    _ = fsync(file.raw)
  }

  static func names(_ paths: [RelativePath]) -> String {
    paths.prefix(3).map(\.description).joined(separator: ", ")
      + (paths.count > 3 ? " and \(paths.count - 3) more" : "")
  }

  private func changes() throws(Problem) -> [SavedChange] { try contents().changes }

  /// Returns the changes, and the position behind the last complete one.
  private func contents() throws(Problem) -> (changes: [SavedChange], end: Int) {
    let header = header
    let begin = file.prefix(header.count)
    // A save that was killed while it wrote the header has changed nothing.
    if begin.count < header.count, header.starts(with: begin) { return ([], 0) }
    if begin != header {
      throw Problem(
        path: Journal.name,
        message: "This journal of a save was copied from another folder, or changed, so it is not used.",
        advice: "Delete it.")
    }
    let bytes = try Problem.of("Reading the journal") { () throws(Errno) in
      try FileDescriptor(rawValue: file.raw).contents()
    }
    var rest = bytes.dropFirst(begin.count)
    var changes: [SavedChange] = []
    while !rest.isEmpty {
      var next = rest
      if let words = next.line()?.split(separator: " "), words.count == 2, words[0] == "rest",
        let count = Int(words[1]), count <= next.count
      {
        changes = []
        rest = next
      } else if let change = SavedChange(journaled: &rest) {
        changes.append(change)
      } else {
        break
      }
    }
    return (changes, rest.startIndex)
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func line() -> String? {
    guard let end = firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { self = self[(end + 1)...] }
    return String(validating: self[..<end], as: UTF8.self)
  }
}

extension SavedChange {
  fileprivate var journaled: [UInt8] {
    func count(_ text: [UInt8]?) -> String { text.map { "\($0.count)" } ?? "-" }
    let line = "change \(format.rawValue) \(mode ?? 0) \(count(old)) \(count(new?.bytes))\n"
    let names = "\(path)\n\(oldID?.description ?? "")\n"
    return Array((line + names).utf8) + (old ?? []) + (new?.bytes ?? []) + Array("\n".utf8)
  }

  /// Reads the next change; nil if it is incomplete. Its ids are those of the paths.
  fileprivate init?(journaled rest: inout ArraySlice<UInt8>) {
    var bytes = rest
    func text(_ word: Substring) -> [UInt8]?? {
      if word == "-" { return .some(nil) }
      guard let count = Int(word), count >= 0, count <= bytes.count else { return nil }
      defer { bytes = bytes.dropFirst(count) }
      return Array(bytes.prefix(count))
    }
    guard let words = bytes.line()?.split(separator: " "), words.count == 5, words[0] == "change",
      let format = TextFormat(rawValue: String(words[1])), let mode = mode_t(words[2]),
      let path = bytes.line().flatMap({ RelativePath(printed: $0) }), let oldID = bytes.line(),
      let old = text(words[3]), let new = text(words[4]), bytes.line() == ""
    else { return nil }
    rest = bytes
    self.init(
      id: Item.ID(path: path), path: path, format: format, old: old,
      new: new.map { ItemText($0, as: format) }, mode: mode == 0 ? nil : mode,
      oldID: oldID.isEmpty ? nil : Item.ID(printed: oldID))
  }
}
