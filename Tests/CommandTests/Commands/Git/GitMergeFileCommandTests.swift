import TestSupport
import Testing

/// The merge driver as git runs it.
@Suite(.enabled(if: Machine.has("git"), "needs git"), .serialized, .timeLimit(.minutes(3)))
struct GitMergeFileCommandTests {
  private static let base = "name: Ada  # who\nrating: 5\ntags: [a, b]\ncity: Paris\n"

  /// Makes two branches from one commit and merges them. Returns the folder and git's result.
  private func merge(
    _ files: [String: String], _ ours: String, _ theirs: String,
    with command: String = "git merge -q -m merged other"
  ) async throws -> (folder: TemporaryFolder, end: Program.State) {
    let folder = try TemporaryFolder(files)
    try await folder.shell(
      """
      git init -q -b main .; git add -A; git commit -qm base; '\(BuiltProgram.path)' git install . >/dev/null
      git checkout -q -b other; \(theirs); git add -A; git commit -qm theirs; git checkout -q main; \(ours); git add -A; git commit -qm ours
      """)
    return (
      folder,
      try await Program("/bin/sh", ["-c", command], environment: Shell.gitEnvironment, folder: folder.path)
        .end()
    )
  }

  @Test func `a merge combines changes of different fields`() async throws {
    let (folder, end) = try await merge(
      ["a.yaml": GitMergeFileCommandTests.base, ".notes-watch.yaml": "merge: {fields: {tags: set}}\n"],
      "sed -i 's/Paris/Rome/; s/a, b/a, b, d/' a.yaml", "sed -i 's/: 5/: 6/; s/a, b/a, b, c/' a.yaml")
    #expect(end.status == .exited(0), "\(end.outputText)\(end.errorText)")
    #expect(
      try await folder.shell("cat a.yaml") == "name: Ada  # who\nrating: 6\ntags: [a, b, d, c]\ncity: Rome\n")
  }

  /// For a driver that only fails, git leaves our side as a conflict without markers.
  @Test(arguments: [8, 11]) func `a merge needs few descriptors`(limit: Int) async throws {
    let (folder, end) = try await merge(
      ["a.yaml": "a: 1\nb: 1\n"], "sed -i 's/a: 1/a: 2/' a.yaml", "sed -i 's/b: 1/b: 2/' a.yaml",
      with: "ulimit -n \(limit); git merge -q -m merged other")
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(try await folder.shell("cat a.yaml") == "a: 2\nb: 2\n")
  }

  /// A name may look like an option, or be no valid UTF-8.
  @Test func `a merge works with any file name`() async throws {
    let (folder, end) = try await merge(
      ["-x.yaml": GitMergeFileCommandTests.base], "sed -i 's/: 5/: 6/' ./-x.yaml",
      "sed -i 's/: 5/: 7/' ./-x.yaml")
    #expect(end.status == .exited(1), "\(end.errorText)")
    #expect(end.errorText.contains("-x.yaml: both sides changed rating"), "\(end.errorText)")
    #expect(try await folder.shell("cat ./-x.yaml").contains("<<<<<<< "))
    try await folder.shell(
      "sed -i '/^[<=>]/d; /: 7/d' ./-x.yaml; printf 'k: 1\\n' > \"$(printf 'caf\\351.yaml')\"; git add -A; git commit -qm merged"
    )
    try await folder.shell("sed -i 's/: 6/: 8/' ./-x.yaml; printf 'k: 2\\n' > \"$(printf 'caf\\351.yaml')\"")
    let diff = try await folder.shell("git diff 2> errors.tmp")
    #expect(diff.contains("+rating: 8"), "\(diff)")
    #expect(diff.contains("+k: 2"), "\(diff)")
  }

  @Test func `a conflict marks only its field`() async throws {
    let (folder, end) = try await merge(
      ["a.yaml": GitMergeFileCommandTests.base], "sed -i 's/: 5/: 7/; s/Paris/Rome/' a.yaml",
      "sed -i 's/: 5/: 6/' a.yaml")
    #expect(end.status == .exited(1), "\(end.errorText)")
    #expect(end.errorText.contains("a.yaml: both sides changed rating"), "\(end.errorText)")
    let marked =
      "name: Ada  # who\n<<<<<<< ours\nrating: 7\n=======\nrating: 6\n>>>>>>> theirs\ntags: [a, b]\ncity: Rome\n"
    #expect(try await folder.shell("cat a.yaml") == marked)
    #expect(try await folder.shell("git status --porcelain").hasPrefix("UU a.yaml"))
  }

  @Test func `the rules of the nearest data set apply`() async throws {
    let rules = "merge: {fields: {rating: max}}\n"
    let (folder, end) = try await merge(
      [
        "in/deep/a.yaml": "rating: 5\n", "in/.notes-watch.yaml": rules,
        ".notes-watch.yaml": "merge: {fields: {rating: min}}\n",
      ],
      "echo 'rating: 7' > in/deep/a.yaml", "echo 'rating: 6' > in/deep/a.yaml")
    #expect(end.status == .exited(0))
    #expect(try await folder.shell("cat in/deep/a.yaml") == "rating: 7\n")
  }

  @Test func `settings that cannot be read are ignored`() async throws {
    let (_, end) = try await merge(
      ["a.yaml": "rating: 5\n", ".notes-watch.yaml": "merge: {fields: {rating: maxx}}\n"],
      "echo 'rating: 7' > a.yaml",
      "echo 'rating: 6' > a.yaml")
    #expect(end.status == .exited(1))
    #expect(end.errorText.contains("merge rules in the settings are ignored"))
    #expect(end.errorText.contains("maxx"))
  }

  /// git merges such a file by lines, as it does without the driver.
  @Test func `a file that is not an item is merged by lines`() async throws {
    let lines = "a: [\n1\n2\n3\n4\n5\n"
    let (folder, end) = try await merge(
      ["a.yaml": lines, "b.yaml": lines], "sed -i 's/1/one/' *.yaml",
      "sed -i 's/5/five/' a.yaml; sed -i 's/1/uno/' b.yaml")
    #expect(end.status == .exited(1))
    #expect(try await folder.shell("cat a.yaml") == "a: [\none\n2\n3\n4\nfive\n")
    #expect(
      try await folder.shell("cat b.yaml")
        == "a: [\n<<<<<<< ours\none\n=======\nuno\n>>>>>>> theirs\n2\n3\n4\n5\n")
    #expect(try await folder.shell("git diff --name-only --diff-filter=U") == "b.yaml\n")
  }

  @Test func `a binary file stays in conflict`() async throws {
    let (folder, end) = try await merge(
      ["a.yaml": "a\0b"], "printf 'a\\0ours' > a.yaml", "printf 'a\\0theirs' > a.yaml")
    #expect(end.status == .exited(1))
    #expect(try await folder.shell("tr '\\0' 0 < a.yaml; git status --porcelain") == "a0oursUU a.yaml\n")
  }

  @Test func `every git command that merges uses the driver`() async throws {
    let ours = "sed -i 's/Paris/Rome/' a.yaml"
    let theirs = "sed -i 's/: 5/: 6/; s/a, b/a/' a.yaml"
    for command in [
      "git rebase -q other", "git cherry-pick other", "git stash -q; git cherry-pick other",
      "git merge -q --squash other; git commit -qm m",
    ] {
      let (folder, end) = try await merge(
        ["a.yaml": GitMergeFileCommandTests.base], ours, theirs, with: command)
      #expect(end.status == .exited(0), "\(command): \(end.errorText)")
      #expect(try await folder.shell("cat a.yaml") == "name: Ada  # who\nrating: 6\ntags: [a]\ncity: Rome\n")
    }
  }

  @Test(arguments: ["git merge -q -m merged other", "git rebase -q other", "git cherry-pick other"])
  func `a change that alters no value is merged`(command: String) async throws {
    let (folder, end) = try await merge(
      ["a.yaml": "python: 3.1\nrating: 5\nkey: secret\n# old\ncity: Paris\n"],
      "sed -i 's/: 5/: 6/; s/Paris/Rome/' a.yaml",
      "sed -i 's/3.1/3.10/; s/secret/!vault secret/; /# old/d' a.yaml", with: command)
    #expect(end.status == .exited(0), "\(end.outputText)\(end.errorText)")
    #expect(
      try await folder.shell("cat a.yaml") == "python: 3.10\nrating: 6\nkey: !vault secret\ncity: Rome\n")
  }

  @Test func `a revert keeps later changes of the next line`() async throws {
    let (folder, end) = try await merge(
      ["a.yaml": "python: 3.1\nrating: 5\n"],
      "sed -i 's/3.1/3.10/' a.yaml; git commit -qam digits; sed -i 's/: 5/: 6 # up/' a.yaml",
      "echo > other.txt",
      with: "git revert --no-edit HEAD~1")
    #expect(end.status == .exited(0), "\(end.outputText)\(end.errorText)")
    #expect(try await folder.shell("cat a.yaml") == "python: 3.1\nrating: 6 # up\n")
  }

  @Test func `two changes of one number's digits are in conflict`() async throws {
    let (folder, end) = try await merge(
      ["a.yaml": "python: 3.1\r\nrating: 5\r\n", ".gitattributes": "*.yaml conflict-marker-size=10 -text\n"],
      "sed -i 's/3.1/3.10/; s/: 5/: 6/' a.yaml", "sed -i 's/3.1/3.100/' a.yaml")
    #expect(end.status == .exited(1))
    #expect(
      try await folder.shell("cat a.yaml")
        == "<<<<<<<<<< ours\r\npython: 3.10\r\n==========\r\npython: 3.100\r\n>>>>>>>>>> theirs\r\nrating: 6\r\n"
    )
  }

  @Test func `a replaced element does not get a field of the old one`() async throws {
    let (folder, end) = try await merge(
      ["a.yaml": "people:\n- name: Ann\n  city: Oslo\n  phone: 1\n"],
      "sed -i 's/Ann/Bob/; s/phone: 1/phone: 7/' a.yaml",
      "sed -i 's/phone: 1/phone: 2/; s/Oslo/Rome/' a.yaml")
    #expect(end.status == .exited(1))
    #expect(end.errorText.contains("both sides changed people"), "\(end.errorText)")
    let text = try await folder.shell("cat a.yaml")
    for line in ["name: Bob", "phone: 7", "phone: 2", "city: Rome"] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test func `added and renamed items are merged`() async throws {
    let (folder, end) = try await merge(
      ["old.yaml": GitMergeFileCommandTests.base],
      "git mv old.yaml new.yaml; sed -i 's/Paris/Rome/' new.yaml; printf 'a: 1\\nb: 2\\n' > both.yaml",
      "sed -i 's/a, b/a/' old.yaml; printf 'a: 1\\nc: 3\\n' > both.yaml")
    #expect(end.status == .exited(0), "\(end.outputText)")
    #expect(
      try await folder.shell("cat new.yaml both.yaml")
        == "name: Ada  # who\nrating: 5\ntags: [a]\ncity: Rome\na: 1\nb: 2\nc: 3\n")
  }

  @Test func `git stops if the driver has no result`() async throws {
    let folder = try TemporaryFolder(["o": "a: 1\n", "b": "a: 2\n"])
    let end = try await BuiltProgram.run(
      "git", "merge-file", "o", "missing", "b", "7", "a.yaml", in: folder.path)
    #expect(end.status == .exited(129))
    #expect(end.errorText.contains("missing"))
  }

  @Test func `conflict markers have the labels of a newer git`() async throws {
    let folder = try TemporaryFolder(["o": "a: 1\n", "a": "a: 3\n", "b": "a: 2\n"])
    let end = try await BuiltProgram.run(
      "git", "merge-file", "o", "a", "b", "9", "x.yaml", "HEAD", "topic", in: folder.path)
    #expect(end.status == .exited(1))
    #expect(try await folder.shell("cat a") == "<<<<<<<<< HEAD\na: 3\n=========\na: 2\n>>>>>>>>> topic\n")
  }
}
