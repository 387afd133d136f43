import Testing

/// One git command is one update.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Machine.has("git"))) struct WatchCommandGitTests {
  /// Two branches: on `other` 40 of 60 items differ, 10 are gone and 10 more are there.
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

  @Test func aCheckoutIsOneUpdate() async throws {
    let stream = try WatchedStream(try await WatchCommandGitTests.repository())
    try await stream.begin()
    let there = try await stream.update(after: "git checkout -q other")
    #expect(there.origin == "git" && there.count == 60)
    #expect(there.operations == ["delete": 10, "insert": 10, "update": 40])
    let back = try await stream.update(after: "git checkout -q -f main")
    #expect(back.origin == "git" && back.operations == ["delete": 10, "insert": 10, "update": 40])
  }

  @Test(arguments: [
    "git merge -q other", "git reset -q --hard other", "git rebase -q other", "git cherry-pick other", "git restore -q -s other .",
  ])
  func aCommandThatBringsTheOtherBranchIsOneUpdate(command: String) async throws {
    let stream = try WatchedStream(try await WatchCommandGitTests.repository())
    try await stream.begin()
    let update = try await stream.update(after: "\(command) >&2")
    #expect(update.origin == "git" && update.operations["update"] == 40 && update.operations["insert"] == 10)
  }

  @Test func aStashIsOneUpdateAndSoIsItsPop() async throws {
    let stream = try WatchedStream(try await WatchCommandGitTests.repository())
    try await stream.begin()
    #expect(try await stream.update(after: "sed -i s/n:/m:/ 10.yaml").origin == "files")
    let stash = try await stream.update(after: "git stash -q")
    #expect(stash.origin == "git" && stash.operations == ["update": 1])
    let pop = try await stream.update(after: "git stash pop -q")
    #expect(pop.origin == "git" && pop.operations == ["update": 1])
  }

  @Test func statusDelaysNothing() async throws {
    let stream = try WatchedStream(try await WatchCommandGitTests.repository())
    try await stream.begin()
    let update = try await stream.update(after: "git status > .status; echo 'n: x' > 10.yaml; git status > .status")
    #expect(update.operations == ["update": 1])
  }
}

extension JSON {
  /// How many changes of each kind an update has.
  fileprivate var operations: [String: Int] {
    self.changes.list.reduce(into: [:]) { counts, change in counts[change.op.string ?? "", default: 0] += 1 }
  }
}
