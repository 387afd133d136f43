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

/// What an object holds, read as an item.
enum BlobContent: Sendable {
  case item(PackedValue, size: Int)
  case fault(TextError)
  case missing

  init(_ object: ObjectStream.Object, as format: TextFormat, _ reader: inout TextReader) {
    switch object {
    case .missing: self = .missing
    case .tooLarge(let size): self = reader.limits.sizeError(forFileOf: size).map(BlobContent.fault) ?? .missing
    case .bytes(let bytes):
      do throws(TextError) {
        let fields = try bytes.withUnsafeBufferPointer { bytes throws(TextError) in
          try reader.readItem(UnsafeRawBufferPointer(bytes), as: format)
        }
        self = .item(fields, size: bytes.count)
      } catch {
        self = .fault(error)
      }
    }
  }

  /// What a store finds in a file with this content.
  func finding(at path: RelativePath, _ moment: FileStamp.Moment) -> FileFinding {
    switch self {
    case .item(let fields, let size): return .item(FileStamp(size: UInt64(size), at: moment), fields)
    case .fault(let error):
      return .problem(Problem(path: path, line: error.line, column: error.column, message: error.message))
    case .missing:
      var problem = Problem(path: path, message: "The repository lacks the object of this file (it may be a partial clone).")
      problem.isTransient = true
      return .problem(problem)
    }
  }

  /// Bytes that it keeps.
  var keptSize: Int {
    if case .item(let fields, _) = self { fields.bytes.count } else { 0 }
  }
}

/// Reads the items of revisions straight from git's objects. Equal files are read and parsed once, however many revisions and paths have them.
struct RevisionReader {
  private let repository: GitRepository
  private let limits: ReadLimits
  private var contents: [Blob: BlobContent] = [:]
  /// What is read, and what is kept of it, which aliases can make far larger.
  private var (read, kept) = (RevisionReader.budget, RevisionReader.budget)

  private static let budget = ContentBudget(
    limit: 1 << 30, advice: "Compare a folder with fewer or smaller items, or lower --max-size, so that large files are skipped.")

  /// A text, to be read in one way.
  private struct Blob: Hashable {
    let object: String
    let format: TextFormat
  }

  init(_ repository: GitRepository, limits: ReadLimits) {
    self.repository = repository
    self.limits = limits
  }

  /// The data set's settings at a revision; the defaults where it has none.
  func settings(in entries: [TreeEntry]) throws(GitError) -> Settings {
    guard let entry = entries.first(where: { $0.path == PathRules.settingsPath }) else { return Settings() }
    guard entry.kind == .file else { throw GitError(.badSettings, "\(PathRules.settingsPath) is not a file there.") }
    var settings = Settings()
    let objects = try ObjectReader(repository, limit: limits.maximumSize, budget: RevisionReader.budget, isBulk: true)
    try objects.read([entry.object]) { _, object throws(GitError) in
      guard case .bytes(let bytes) = object else {
        throw GitError(.badSettings, "\(entry.path) cannot be read: it is too large, or missing in the repository.")
      }
      do throws(Problem) {
        settings = try SettingsFile(bytes, limits: limits).settings
      } catch {
        throw GitError(.badSettings, error.description)
      }
    }
    return settings
  }

  /// What a store would know of a folder with these files, at `moment`.
  mutating func findings(
    in entries: [TreeEntry], rules: PathRules, at moment: FileStamp.Moment
  ) throws(GitError) -> [(path: RelativePath, finding: FileFinding)] {
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
    try read(wanted.map(\.blob))
    return findings + wanted.map { ($0.path, (contents[$0.blob] ?? .missing).finding(at: $0.path, moment)) }
  }

  private mutating func read(_ blobs: [Blob]) throws(GitError) {
    var formats: [String: Set<TextFormat>] = [:]
    for blob in blobs where contents[blob] == nil { formats[blob.object, default: []].insert(blob.format) }
    let objects = formats.keys.sorted()
    if objects.isEmpty { return }
    var reader = TextReader(limits: limits)
    var (found, kept): ([Blob: BlobContent], ContentBudget) = ([:], kept)
    let stream = try ObjectReader(repository, limit: limits.maximumSize, budget: read, isBulk: true)
    try stream.read(objects) { index, object throws(GitError) in
      for format in formats[objects[index]] ?? [] {
        let content = BlobContent(object, as: format, &reader)
        try kept.spend(content.keptSize)
        found[Blob(object: objects[index], format: format)] = content
      }
    }
    (read, self.kept) = (stream.budget, kept)
    contents.merge(found) { $1 }
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
