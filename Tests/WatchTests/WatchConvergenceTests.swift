import Files
import Foundation
import TestSupport
import Testing

@testable import Watch

/// After any changes, a reader that reads only the paths of the batches knows everything that is
/// there.
@Suite(.timeLimit(.minutes(10))) struct WatchConvergenceTests {
  @Test(arguments: Randomness.seeds(1)) func `the batches of inotify lead to the state of the disk`(
    seed: UInt64
  ) async throws {
    try await converge(seed, WatchOptions(maxWait: .seconds(1)))
  }

  @Test(arguments: Randomness.seeds(1)) func `the batches of polling lead to the state of the disk`(
    seed: UInt64
  ) async throws {
    try await converge(
      seed, WatchOptions(maxWait: .seconds(1), polling: .always, pollInterval: .milliseconds(20)))
  }

  private func converge(_ seed: UInt64, _ options: WatchOptions) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    try folder.shell(
      "git init -q .; printf '.sentinel\\n' >> .git/info/exclude; mkdir -p root/a root/b outside; echo x > root/a/1.yaml; git add root; git commit -qm x; git branch other"
    )
    let recorder = try WatchRecorder(folder, subfolder: "root", options: options)
    var reader = BatchReader(root: recorder.root)
    reader.read(DirtyPaths(subtrees: [.root]))
    for round in 0..<12 {
      let scripts = (0..<3).map { _ in
        (0..<Int.random(in: 1...12, using: &random)).map { _ in Self.operation(&random) }.joined(
          separator: "\n")
      }
      // Three processes run at once, and failures of their commands are ignored. The pipe ends when
      // all have ended.
      try folder.shell(
        "set +e; { \(scripts.map { "( \($0) ) 2> /dev/null &" }.joined(separator: "\n")) } | cat > /dev/null; mkdir -p root; touch root/.sentinel"
      )
      for batch in try await recorder.batches() { reader.read(batch) }
      let seen = reader.contents, there = try BatchReader.everything(below: recorder.root)
      #expect(seen == there, "\(seedNote(seed)), round \(round): \(scripts)")
      if seen != there { return }
    }
  }

  /// Returns a random shell command. None leaves a file with two names, because a write by one name
  /// is no event of the other.
  private static func operation(_ random: inout SeededGenerator) -> String {
    let folders = ["root", "root/a", "root/b", "root/a/c", "root/d", "root/d/e"]
    let folder = folders.randomElement(using: &random) ?? "root",
      other = folders.randomElement(using: &random) ?? "root"
    let name = "\(Int.random(in: 1...5, using: &random)).yaml",
      number = Int.random(in: 0...999, using: &random)
    let operations = [
      "echo \(number) > \(folder)/\(name)", "echo \(number) >> \(folder)/\(name)", "rm -f \(folder)/\(name)",
      "mv \(folder)/\(name) \(other)/\(name)",
      "mv \(folder) \(other)/x\(number)", "mv \(other)/x* \(folder)/",
      "mkdir -p \(folder)/c && echo \(number) > \(folder)/c/\(name)",
      "rm -rf \(folder)/[a-e]",
      "echo \(number) > .l\(number); ln .l\(number) \(folder)/\(name); rm .l\(number)",
      "sed -i s/1/2/ \(folder)/\(name)",
      "mv \(folder) outside/m\(number)",
      "mv outside/m* \(folder)/",
      "cp -r root/a \(folder)/k\(number % 4)",
      "echo \(number) > .t\(number); mv .t\(number) \(folder)/\(name)", ": > \(folder)/\(name)",
      "mkdir -p \(folder)",
      "git add -A root; git commit -qm \(number)", "git checkout -qf other", "git checkout -qf -",
      "git stash -q; git stash pop -q",
      "git reset -q --hard HEAD^",
      "rm -rf root; mkdir root", "mv root outside/r; mv outside/r root", "ln -s nowhere \(folder)/\(name)",
      "mkdir \(folder)/\(name)",
      "sleep 0.0\(number % 9)",
    ]
    return operations.randomElement(using: &random) ?? "true"
  }
}

/// A reader of batches, as a store is one: it reads the files and remembers their contents.
private struct BatchReader {
  let root: String
  private(set) var contents: [RelativePath: String] = [:]

  init(root: String) {
    self.root = root
  }

  mutating func read(_ batch: DirtyPaths) {
    for subtree in batch.subtrees {
      contents = contents.filter { !$0.key.isBelow(subtree) }
      guard let listing = try? DirectoryScan.scan(root: root, below: subtree, filter: Self.filter) else {
        continue
      }
      for entry in listing.entries { contents[entry.path] = Self.content(of: entry.path, root) }
    }
    for path in batch.files { contents[path] = Self.content(of: path, root) }
  }

  static func everything(below root: String) throws -> [RelativePath: String] {
    let entries = try DirectoryScan.scan(root: root, filter: Self.filter).entries
    return Dictionary(
      uniqueKeysWithValues: entries.compactMap { entry in
        content(of: entry.path, root).map { (entry.path, $0) }
      })
  }

  /// Excludes the recorder's sentinel, whose changes are not in the recorded batches.
  private static let filter = WatchFilter(includesFile: {
    !$0.isHidden && WatchRecorder.filter.includesFile($0)
  })

  private static func content(of path: RelativePath, _ root: String) -> String? {
    guard let status = RootPath(root).status(path) else { return nil }
    if !status.isRegularFile { return "\(EntryKind(mode: status.mode))" }
    return (try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)) ?? nil
  }
}
