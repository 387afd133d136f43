import Dispatch
package import Files
import Query
import Synchronization
package import Values
package import Watch

/// Reads files while git still works, so that they need not be read when its command is over.
///
/// The reading is used only if the watch reports no later change to the file, and the file still
/// has the same stamp. Nothing is published before the command is over.
///
/// One lock guards the state. Files are read outside of it, by one reader thread at a time.
package final class ReadAhead: Sendable {
  /// A file that was read before its batch.
  package struct EarlyFile {
    let stamp: FileStamp
    let fields: PackedValue
    /// The text, if that decides and not the stamp: the file is then read, but not parsed, if it still
    /// has it.
    var bytes: [UInt8]?

    package init(stamp: FileStamp, fields: PackedValue, bytes: [UInt8]? = nil) {
      self.stamp = stamp
      self.fields = fields
      self.bytes = bytes
    }
  }

  private struct State {
    /// The files to read, and for each path the number of its last report.
    var waiting: [(path: RelativePath, number: Int)] = []
    var numbers: [RelativePath: Int] = [:]
    var found: [RelativePath: EarlyFile] = [:]
    var lastNumber = 0
    var isReading = false
  }

  private static let chunkSize = 64
  /// The maximum number of files that are kept. A command that changes more is read when it is over.
  private static let maxFiles = 200_000

  private let root: String
  private let limits: ReadLimits
  /// Lock: guards the files that a git command has completed, and what was read of them.
  private let state = Mutex(State())

  package init(root: String, limits: ReadLimits) {
    self.root = root
    self.limits = limits
  }

  /// Begins to read files, and forgets earlier readings of them.
  package func add(_ files: Set<RelativePath>) {
    let mustStart = state.withLock { state in
      guard state.numbers.count + files.count <= ReadAhead.maxFiles else { return false }
      state.lastNumber += 1
      for file in files {
        state.found[file] = nil
        state.numbers[file] = state.lastNumber
        state.waiting.append((file, state.lastNumber))
      }
      defer { state.isReading = true }
      return !state.isReading
    }
    if mustStart { DispatchGroup().start(1) { [self] in readAll() } }
  }

  /// Returns the files of a batch that need not be read again, and forgets everything if the batch
  /// ends a command.
  package func consume(_ batch: DirtyPaths) -> [RelativePath: EarlyFile] {
    if batch.early.isEmpty, batch.origin != .git, batch.subtrees.isEmpty { return [:] }
    let found = state.withLock { state in
      state.waiting = []
      state.numbers = [:]
      return exchange(&state.found, with: [:])
    }
    // Mostly all are in the batch, and then no other table is made.
    return found.keys.allSatisfy(batch.early.contains) ? found : found.filter { batch.early.contains($0.key) }
  }

  var isIdle: Bool { state.withLock { !$0.isReading } }

  private func readAll() {
    var reader = FileReader(limits: limits)
    while let files = nextFiles() {
      guard let folder = try? OpenFolder(root) else { continue }
      let found = files.map { file in (file, finding: read(file.path, &reader, in: folder)) }
      state.withLock { state in
        // A file that was reported again in the meantime is read again.
        for (file, finding) in found where state.numbers[file.path] == file.number {
          state.found[file.path] = finding
        }
      }
    }
  }

  private func nextFiles() -> ArraySlice<(path: RelativePath, number: Int)>? {
    state.withLock { state in
      let files = state.waiting.suffix(ReadAhead.chunkSize)
      state.waiting.removeLast(files.count)
      state.isReading = !files.isEmpty
      return files.isEmpty ? nil : files
    }
  }

  /// Reads a file; nil unless it is an ordinary item. All other files are read with the batch,
  /// which also has the budget of aliases.
  private func read(_ path: RelativePath, _ reader: inout FileReader, in folder: OpenFolder) -> EarlyFile? {
    guard let format = TextFormat(pathExtension: PseudoField.split(path.name).ext) else { return nil }
    let request = ReadRequest(path: path, format: format)
    guard case .item(let stamp, let fields) = reader.read(request, below: folder, mayExpand: false) else {
      return nil
    }
    return ExpansionBudget.size(of: fields, fileSize: stamp.size) == 0
      ? EarlyFile(stamp: stamp, fields: fields) : nil
  }
}
