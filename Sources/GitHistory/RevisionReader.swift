import DirectoryWatch
import Glibc
import PlainStore
import PlainText

/// What a file held once.
struct FileVersion: Sendable, Hashable {
  let path: RelativePath
  /// The object's id.
  let object: String
}

/// Reads the items of revisions straight from git's objects. Equal files are read and parsed once, however many revisions and paths have them.
struct RevisionReader {
  private let repository: GitRepository
  private let limits: ReadLimits
  private var contents: [Blob: Content] = [:]

  /// A text, to be read in one way.
  private struct Blob: Hashable {
    let object: String
    let format: TextFormat
  }

  private enum Content {
    case item(PackedValue, size: Int)
    case fault(TextError)
    case missing
  }

  init(_ repository: GitRepository, limits: ReadLimits) {
    self.repository = repository
    self.limits = limits
  }

  /// The data set's settings there; the defaults where it has none.
  func settings(in entries: [TreeEntry]) async throws(GitError) -> Settings {
    guard let entry = entries.first(where: { $0.path == PathRules.settingsPath }) else { return Settings() }
    guard entry.kind == .file else { throw GitError(.badSettings, "\(PathRules.settingsPath) is no file there.") }
    var found: Result<Settings, Problem>?
    try await repository.read([entry.object], limit: limits.maximumSize) { _, object in
      found = Result { () throws(Problem) in
        guard case .bytes(let bytes) = object else {
          throw Problem(path: entry.path, message: "The settings cannot be read: they are too large, or missing in the repository.")
        }
        return try SettingsFile(bytes, limits: limits).settings
      }
    }
    do {
      return try found?.get() ?? Settings()
    } catch {
      throw GitError(.badSettings, error.description)
    }
  }

  /// What a store would know of a folder with these files, at `moment`.
  mutating func findings(
    in entries: [TreeEntry], rules: PathRules, at moment: FileStamp.Moment
  ) async throws(GitError) -> [(path: RelativePath, finding: FileFinding)] {
    var places = ItemPlaces(rules)
    var findings: [(path: RelativePath, finding: FileFinding)] = []
    var wanted: [(path: RelativePath, blob: Blob)] = []
    for entry in entries {
      switch (places.place(of: entry.path), entry.kind) {
      case (.nowhere, _), (.item, .submodule): break
      case (.behind(let folder), _): findings.append((folder, .problem(Problem(path: folder, isNoFileBut: S_IFDIR))))
      case (.item(let format), .file): wanted.append((entry.path, Blob(object: entry.object, format: format)))
      case (.item, .link): findings.append((entry.path, .problem(Problem(path: entry.path, isNoFileBut: S_IFLNK))))
      case (.item, .unmerged):
        let message = "The file is in conflict: the index has several versions of it. Resolve it, then `git add` it."
        findings.append((entry.path, .problem(Problem(path: entry.path, message: message))))
      }
    }
    try await read(wanted.map(\.blob))
    return findings + wanted.map { ($0.path, finding(at: $0.path, contents[$0.blob] ?? .missing, moment)) }
  }

  /// What single versions of files hold. Those whose paths are no items' are left out.
  mutating func items(of versions: Set<FileVersion>, idFields: [FieldPath]) async throws(GitError) -> [FileVersion: Result<Item, Problem>] {
    var blobs: [FileVersion: Blob] = [:]
    for version in versions {
      guard let format = TextFormat(pathExtension: version.path.description.fileExtension) else { continue }
      blobs[version] = Blob(object: version.object, format: format)
    }
    try await read(Array(blobs.values))
    return blobs.reduce(into: [:]) { items, entry in
      let (path, content) = (entry.key.path, contents[entry.value] ?? .missing)
      let state = StoreState(
        [(path, finding(at: path, content, FileStamp.Moment(seconds: 0, nanoseconds: 0)))], settings: Settings(), idFields: idFields)
      items[entry.key] = state.items.first.map { .success($0.value) } ?? state.problems.first.map { .failure($0.value) }
    }
  }

  private func finding(at path: RelativePath, _ content: Content, _ moment: FileStamp.Moment) -> FileFinding {
    switch content {
    case .item(let fields, let size): .item(FileStamp(size: UInt64(size), at: moment), fields)
    case .fault(let error): .problem(Problem(path: path, line: error.line, column: error.column, message: error.message))
    case .missing: .problem(Problem(path: path, message: "The repository lacks the object of this file (it may be a partial clone)."))
    }
  }

  private mutating func read(_ blobs: [Blob]) async throws(GitError) {
    var formats: [String: Set<TextFormat>] = [:]
    for blob in blobs where contents[blob] == nil { formats[blob.object, default: []].insert(blob.format) }
    let objects = formats.keys.sorted()
    var found: [Blob: Content] = [:]
    var reader = TextReader(limits: limits)
    try await repository.read(objects, limit: limits.maximumSize) { index, object in
      for format in formats[objects[index]] ?? [] {
        found[Blob(object: objects[index], format: format)] = RevisionReader.content(of: object, as: format, &reader)
      }
    }
    contents.merge(found) { $1 }
  }

  private static func content(of object: ObjectStream.Object, as format: TextFormat, _ reader: inout TextReader) -> Content {
    switch object {
    case .missing: return .missing
    case .tooLarge(let size):
      return reader.limits.sizeError(forFileOf: size).map(Content.fault) ?? .missing
    case .bytes(let bytes):
      do throws(TextError) {
        let fields = try bytes.withUnsafeBufferPointer { bytes throws(TextError) in
          try reader.readItem(UnsafeRawBufferPointer(bytes), as: format)
        }
        return .item(fields, size: bytes.count)
      } catch {
        return .fault(error)
      }
    }
  }
}

/// Which files of a tree are items, as a walk through it in a folder would find. Remembers the folders.
private struct ItemPlaces {
  enum Place {
    case nowhere
    case item(TextFormat)
    /// Below a folder that has an item's extension.
    case behind(RelativePath)
  }

  private let rules: PathRules
  /// Folders whose files are not looked at, and those whose are.
  private var obstacles: [RelativePath: Place] = [:]
  private var open: Set<RelativePath> = [.root]

  init(_ rules: PathRules) {
    self.rules = rules
  }

  mutating func place(of path: RelativePath) -> Place {
    if let folder = path.parent, let obstacle = obstacle(at: folder) { return obstacle }
    return rules.format(of: path).map(Place.item) ?? .nowhere
  }

  /// Nil for a folder whose files are looked at.
  private mutating func obstacle(at folder: RelativePath) -> Place? {
    if open.contains(folder) { return nil }
    if let known = obstacles[folder] { return known }
    var obstacle = folder.parent.flatMap { self.obstacle(at: $0) }
    if obstacle == nil, !rules.includesFolder(folder) { obstacle = rules.format(of: folder) == nil ? .nowhere : .behind(folder) }
    if let obstacle { obstacles[folder] = obstacle } else { open.insert(folder) }
    return obstacle
  }
}
