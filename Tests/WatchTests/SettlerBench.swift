import Files
import Testing

@testable import Watch

/// A settler with times in milliseconds. The timing is the default: settle 60, open 240, emptied
/// 480, git's gap 150, switch 30, stop 1,000, maxWait 5,000, lock grace 1,000.
struct SettlerBench {
  private(set) var settler: Settler
  /// The work trees in which a process of git runs.
  var working: Set<String> = []
  private let start = SuspendingClock.now

  init(timing: SettleTiming = SettleTiming()) {
    settler = Settler(timing: timing)
  }

  private func moment(_ time: Int) -> SuspendingClock.Instant { start + .milliseconds(time) }

  mutating func record(_ change: SourceEvent.Change, _ path: String, at time: Int) {
    let isFolder = path.hasSuffix("/")
    let path = RelativePath(bytes: isFolder ? path.dropLast().utf8 : path.utf8[...])
    settler.apply(.change(change, of: isFolder ? .subtree(path) : .entry(path)), at: moment(time))
  }

  /// Writes a file in git's way: it removes the file and creates it again.
  mutating func rewrite(_ path: String, at time: Int) {
    let changes: [SourceEvent.Change] = [
      .vanished(cookie: 0), .created(isEmpty: true), .changed(isEmpty: false), .completed(isEmpty: false),
    ]
    for change in changes { record(change, path, at: time) }
  }

  /// Records an event in the repository of a work tree.
  mutating func git(_ event: GitEvent, in tree: String = "", at time: Int) {
    settler.apply(.git(event, in: RelativePath(bytes: tree.utf8)), at: moment(time))
  }

  private static func marker(_ name: String) -> GitMarker {
    guard let marker = GitMarker(name: name.utf8) else { preconditionFailure("\(name) is not a marker") }
    return marker
  }

  mutating func marker(_ name: String, _ isThere: Bool, in tree: String = "", at time: Int) {
    let marker = Self.marker(name)
    git(isThere ? .appeared(marker) : .disappeared(marker, isUsed: true), in: tree, at: time)
  }

  /// Removes a lock that was not renamed to the file it was for.
  mutating func drop(_ name: String, in tree: String = "", at time: Int) {
    git(.disappeared(Self.marker(name), isUsed: false), in: tree, at: time)
  }

  mutating func found(_ names: [String], at time: Int) {
    git(.found(Set(names.map(Self.marker)), isAtWork: false), at: time)
  }

  mutating func recovered(_ names: [String], at time: Int) {
    git(.recovered(Set(names.map(Self.marker))), at: time)
  }

  mutating func activity(at time: Int) { git(.activity, at: time) }
  mutating func headReplaced(in tree: String = "", at time: Int) { git(.headReplaced, in: tree, at: time) }

  mutating func addTree(_ tree: String, submoduleOf superproject: String? = nil) {
    let superproject = superproject.map { RelativePath(bytes: $0.utf8) }
    settler.apply(.workTree(RelativePath(bytes: tree.utf8), superproject: superproject), at: moment(0))
  }

  mutating func overflowed(at time: Int) { settler.apply(.overflow, at: moment(time)) }
  mutating func rescanned(at time: Int) { settler.rescanned(at: moment(time)) }
  func needsRescan(at time: Int) -> Bool { settler.needsRescan(at: moment(time)) }

  /// Returns true if git changes this path.
  func isGitChanging(_ path: String) -> Bool {
    let name = RelativePath(bytes: path.hasSuffix("/") ? path.dropLast().utf8 : path.utf8[...])
    return settler.isGitChanging(
      path.hasSuffix("/") ? DirtyPaths(subtrees: [name]) : DirtyPaths(files: [name]))
  }

  /// Returns the due batches as text: files, then folders with a slash; `git: ` precedes a batch of
  /// git.
  mutating func due(at time: Int) -> [String] {
    let workingTrees = Set(
      settler.treesToVerify(at: moment(time)).filter { working.contains($0.description) })
    return settler.removeDue(at: moment(time), workingTrees: workingTrees).map { batch in
      let names = batch.files.sorted().map(\.description) + batch.subtrees.sorted().map { "\($0)/" }
      return (batch.origin == .git ? "git: " : "") + names.joined(separator: " ")
    }
  }

  /// Returns the due files that are marked as gone.
  mutating func gone(at time: Int) -> [String] {
    settler.removeDue(at: moment(time)).flatMap { $0.gone.sorted().map(\.description) }
  }

  /// Returns the files that are reported before their batch.
  mutating func reportEarly() -> [String] { settler.reportEarlyFiles().sorted().map(\.description) }

  /// Returns the due files that were reported before and have not changed since.
  mutating func early(at time: Int) -> [String] {
    settler.removeDue(at: moment(time)).flatMap { $0.early.sorted().map(\.description) }
  }

  /// Follows the deadlines up to a time.
  mutating func run(until end: Int) -> [(time: Int, text: String)] {
    var batches: [(time: Int, text: String)] = []
    for _ in 0..<1000 {
      guard let deadline = settler.deadline,
        case let time = Int(start.duration(to: deadline) / .milliseconds(1)), time <= end
      else {
        break
      }
      batches += due(at: time).map { (time, $0) }
    }
    return batches
  }

  /// Follows the deadlines to the end, and returns each batch with its time. Sleeping until the
  /// deadline must be enough.
  mutating func run() -> [String] {
    var batches: [String] = []
    var rounds = 0
    while let deadline = settler.deadline, rounds < 1000 {
      let time = Int(start.duration(to: deadline) / .milliseconds(1))
      if needsRescan(at: time) { rescanned(at: time) }
      batches += due(at: time).map { "\(time) \($0)" }
      rounds += 1
    }
    return batches
  }
}

extension SourceEvent.Change: CustomTestStringConvertible {
  public var testDescription: String { "\(self)" }
}
