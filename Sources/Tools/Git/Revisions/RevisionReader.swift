import Glibc
import Store

/// The content of an object, parsed as an item.
enum BlobContent {
  case item(PackedValue, size: Int)
  case fault(TextError)
  case missing

  init(_ object: ObjectStream.Object, as format: TextFormat, _ reader: inout TextReader) {
    switch object {
    case .missing: self = .missing
    case .tooLarge(let size):
      self = reader.limits.sizeError(forFileOf: size).map(BlobContent.fault) ?? .missing
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

  func finding(at path: RelativePath, _ moment: FileTime) -> FileFinding {
    switch self {
    case .item(let fields, let size): return .item(FileStamp(size: UInt64(size), at: moment), fields)
    case .fault(let error):
      return .problem(Problem(path: path, line: error.line, column: error.column, message: error.message))
    case .missing:
      var problem = Problem(
        path: path, message: "The repository lacks the object of this file. It may be a partial clone.")
      problem.isTransient = true
      return .problem(problem)
    }
  }

  var keptSize: Int {
    if case .item(let fields, _) = self { fields.bytes.count } else { 0 }
  }
}

/// Reads the items of revisions from git's objects. Equal files are read and parsed once, however
/// many revisions and paths have them.
struct RevisionReader {
  private let repository: GitRepository
  private let limits: ReadLimits
  private var contents: [Blob: BlobContent] = [:]
  /// The budgets for bytes read and for bytes kept: aliases can make the second much larger.
  private var (read, kept) = (RevisionReader.budget, RevisionReader.budget)

  private static let budget = ContentBudget(
    limit: 1 << 30,
    advice: "Compare a folder with fewer or smaller items, or skip large files with a lower --max-size.")

  private struct Blob: Hashable {
    let object: String
    let format: TextFormat
  }

  init(_ repository: GitRepository, limits: ReadLimits) {
    self.repository = repository
    self.limits = limits
  }

  /// Returns the settings of the data set at a revision, or the defaults if it has none.
  func settings(in entries: [TreeEntry]) throws(GitError) -> Settings {
    guard let entry = entries.first(where: { $0.path == PathRules.settingsPath }) else { return Settings() }
    guard entry.kind == .file else {
      throw GitError(.badSettings, "\(PathRules.settingsPath) is not a regular file in this revision.")
    }
    var settings = Settings()
    let objects = try ObjectReader(
      repository, limit: limits.maxSize, budget: RevisionReader.budget, isBulk: true)
    try objects.read([entry.object]) { _, object throws(GitError) in
      guard case .bytes(let bytes) = object else {
        throw GitError(
          .badSettings, "\(entry.path) cannot be read: it is too large or missing from the repository.")
      }
      do throws(Problem) {
        settings = try SettingsFile(bytes, limits: limits).settings
      } catch {
        throw GitError(.badSettings, error.description)
      }
    }
    return settings
  }

  /// Returns the findings of a store for a folder with these files, all with the time `moment`.
  mutating func findings(
    in entries: [TreeEntry], rules: PathRules, at moment: FileTime
  ) throws(GitError) -> [(path: RelativePath, finding: FileFinding)] {
    var classifier = PathClassifier(rules)
    var findings: [(path: RelativePath, finding: FileFinding)] = []
    var wanted: [(path: RelativePath, blob: Blob)] = []
    for entry in entries {
      switch (classifier.pathClass(of: entry.path), entry.kind) {
      case (.ignored, _), (.item, .submodule): break
      case (.inside(let folder), _):
        findings.append((folder, .problem(Problem(path: folder, isNoFileBut: S_IFDIR))))
      case (.item(let format), .file): wanted.append((entry.path, Blob(object: entry.object, format: format)))
      case (.item, .link):
        findings.append((entry.path, .problem(Problem(path: entry.path, isNoFileBut: S_IFLNK))))
      case (.item, .unmerged):
        let message =
          "The index has several versions of this file from a merge conflict. Resolve the conflict, then run `git add`."
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
    let stream = try ObjectReader(repository, limit: limits.maxSize, budget: read, isBulk: true)
    try stream.read(objects) { index, object throws(GitError) in
      for format in formats[objects[index]] ?? [] {
        let content = BlobContent(object, as: format, &reader)
        try kept.spend(content.keptSize)
        found[Blob(object: objects[index], format: format)] = content
      }
    }
    read = stream.budget
    self.kept = kept
    contents.merge(found) { $1 }
  }
}

/// Classifies the paths of a tree as a scan of a real folder would. Caches the folders it has seen.
private struct PathClassifier {
  enum PathClass {
    case ignored
    case item(TextFormat)
    /// Inside a folder whose name has an item's extension.
    case inside(RelativePath)
  }

  private let rules: PathRules
  /// The folders whose files are not items, and the open ones whose files may be.
  private var obstacles: [RelativePath: PathClass] = [:]
  private var open: Set<RelativePath> = [.root]

  init(_ rules: PathRules) {
    self.rules = rules
  }

  mutating func pathClass(of path: RelativePath) -> PathClass {
    if let folder = path.parent, let obstacle = obstacle(at: folder) { return obstacle }
    return rules.format(of: path).map(PathClass.item) ?? .ignored
  }

  /// Returns the class of all paths in a folder, or nil if they are classified one by one.
  private mutating func obstacle(at folder: RelativePath) -> PathClass? {
    if open.contains(folder) { return nil }
    if let known = obstacles[folder] { return known }
    var obstacle = folder.parent.flatMap { self.obstacle(at: $0) }
    if obstacle == nil, !rules.includesFolder(folder) {
      obstacle = rules.format(of: folder) == nil ? .ignored : .inside(folder)
    }
    if let obstacle { obstacles[folder] = obstacle } else { open.insert(folder) }
    return obstacle
  }
}
