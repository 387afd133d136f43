import TestSupport
import Testing

/// One git command is one update.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Machine.has("git"), "needs git"))
struct WatchCommandGitTests {
  /// A repository whose branch `other` changes 40 of 60 items, removes 10 and adds 10.
  private static func repository() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try await folder.shell(
      """
      git init -q -b main .
      for i in $(seq 10 69); do echo "n: $i" > $i.yaml; done
      git add . && git commit -qm one
      git checkout -q -b other
      for i in $(seq 10 49); do echo "n: changed" > $i.yaml; done
      for i in $(seq 50 59); do rm $i.yaml; done
      mkdir new; for i in $(seq 70 79); do echo "n: $i" > new/$i.yaml; done
      git add -A . && git commit -qm two
      git checkout -q main
      """)
    return folder
  }

  @Test func `a checkout is one update`() async throws {
    let stream = try WatchRun(try await WatchCommandGitTests.repository())
    try await stream.begin()
    let there = try await stream.update(after: "git checkout -q other")
    #expect(there.origin == "git")
    #expect(there.count == 60)
    #expect(there.operations == ["delete": 10, "insert": 10, "update": 40])
    let back = try await stream.update(after: "git checkout -q -f main")
    #expect(back.origin == "git")
    #expect(back.operations == ["delete": 10, "insert": 10, "update": 40])
  }

  @Test(arguments: [
    "git merge -q other", "git reset -q --hard other", "git rebase -q other", "git cherry-pick other",
    "git restore -q -s other .",
  ])
  func `a command that brings in the other branch is one update`(command: String) async throws {
    let stream = try WatchRun(try await WatchCommandGitTests.repository())
    try await stream.begin()
    let update = try await stream.update(after: "\(command) >&2")
    #expect(update.origin == "git")
    #expect(update.operations["update"] == 40)
    #expect(update.operations["insert"] == 10)
  }

  @Test func `a stash is one update, and so is its pop`() async throws {
    let stream = try WatchRun(try await WatchCommandGitTests.repository())
    try await stream.begin()
    #expect(try await stream.update(after: "sed -i s/n:/m:/ 10.yaml").origin == "files")
    let stash = try await stream.update(after: "git stash -q")
    #expect(stash.origin == "git")
    #expect(stash.operations == ["update": 1])
    let pop = try await stream.update(after: "git stash pop -q")
    #expect(pop.origin == "git")
    #expect(pop.operations == ["update": 1])
  }

  /// The merges of this rebase take longer than the maximum wait, and it stops at a conflict. While
  /// git computes a merge it writes nothing.
  @Test func `a slow rebase that stops has origin git, and saves after it have origin files`() async throws {
    let folder = try TemporaryFolder()
    try await folder.shell(
      """
      git init -q -b main .; git config merge.slow.name slow
      git config merge.slow.driver 'sleep 0.1; git merge-file -L a -L b -L c %A %O %B'
      for i in $(seq 10 29); do printf 'a: 1\\nb: 1\\nc: 1\\nd: 1\\n' > $i.yaml; done; echo 'n: 0' > x.yaml; echo 'n: 0' > y.yaml
      echo '[1-9]*.yaml merge=slow' > .gitattributes; git add .; git commit -qm base
      git checkout -q -b topic; echo 'n: 1' > y.yaml; git commit -qam first
      sed -i 's/a: 1/a: topic/' [1-9]*.yaml; echo 'n: topic' > x.yaml; git commit -qam all
      git checkout -q main; sed -i 's/d: 1/d: main/' [1-9]*.yaml; echo 'n: main' > x.yaml; git commit -qam main
      git checkout -q topic
      """)
    let stream = try WatchRun(folder, ["--max-wait", "1s", "--no-audit"])
    try await stream.begin()
    try await folder.shell("git rebase -q main > .log 2>&1 || true")
    try await stream.program.wait(until: "the conflict") {
      $0.outputText.contains(#""path":"x.yaml","line""#)
    }
    func updates() async throws -> [JSON] {
      try await stream.program.wait(until: "an update") { $0.lineCount > 0 }.outputText.split(separator: "\n")
        .map { try JSON(Array($0.utf8)) }.filter { $0.type == "update" }
    }
    // The conflict may be printed before git ends, and a save at its very end counts as git's.
    var number = 1
    repeat {
      number += 1
      try await folder.shell("echo 'n: \(number)' > y.yaml")
      try await stream.program.wait(until: "an edit by hand") { [number] in
        $0.outputText.contains("\"n\":\(number)")
      }
    } while try await updates().last?.origin == "git" && number < 9
    try await folder.shell("echo 'n: new' > new.yaml")
    let state = try await stream.program.wait(until: "an edit by hand") {
      $0.outputText.contains(#""n":"new""#)
    }
    let all = try await updates()
    let gits = all.prefix { $0.origin == "git" }
    // Merging takes about 2 s, with at most one update per second.
    #expect((1...6 + number).contains(gits.count), "\(gits.map(\.changes.list.count))")
    #expect(Set(gits.flatMap { $0.changes.list.map(\.id) }).count >= 20)
    let byHand = all.dropFirst(gits.count)
    #expect(byHand.allSatisfy { $0.origin == "files" }, "\(state.outputText.suffix(4_000))")
    #expect(byHand.flatMap { $0.changes.list.map(\.id) } == ["y", "new"])
  }

  @Test func `git status delays no update`() async throws {
    let stream = try WatchRun(try await WatchCommandGitTests.repository())
    try await stream.begin()
    let update = try await stream.update(
      after: "git status > .status; echo 'n: x' > 10.yaml; git status > .status")
    #expect(update.operations == ["update": 1])
  }
}

extension JSON {
  /// The number of changes of each kind in an update.
  fileprivate var operations: [String: Int] {
    self.changes.list.reduce(into: [:]) { counts, change in counts[change.op.string ?? "", default: 0] += 1 }
  }
}
