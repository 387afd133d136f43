import Files
import Git
import Store
import TestSupport
import Testing
import Values

@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .timeLimit(.minutes(3)))
struct ItemHistoryTests {
  private static let ada = "name: Ada\nrating: 5\ncity: Paris\nbio: a long enough text\n"

  /// Returns the history as `subject: changes`, newest first.
  private func history(_ repository: Repository, _ id: String, in name: String = "", fields: [String] = [])
    async throws -> [String]
  {
    let folder = name.isEmpty ? repository.path : "\(repository.path)/\(name)"
    let paths = fields.map { FieldPath(keys: [$0]) }
    return try await ItemHistory.entries(of: id, in: folder, showing: paths).map { entry in
      let what = entry.new == nil ? "gone" : entry.changes?.pointers.joined(separator: " ") ?? "new"
      return "\(entry.commit.subject): \(what)\(entry.problem == nil ? "" : " !")"
    }
  }

  @Test func `each commit is listed with the fields it changed`() async throws {
    let repository = try Repository(["c/ada.yaml": ItemHistoryTests.ada, "c/bob.yaml": "n: 1\n"])
    for (script, subject) in [
      ("sed -i 's/5/6/' c/ada.yaml", "rating"), ("echo 'n: 2' > c/bob.yaml", "bob"),
      ("sed -i '1i # comment' c/ada.yaml", "comment"),
      ("sed -i '/city/d; s/6/7/' c/ada.yaml", "both"), ("rm c/ada.yaml", "removed"),
      ("echo 'name: Ada' > c/ada.json", "broken at once"),
      ("echo '{\"name\":\"Ada\"}' > c/ada.json", "back"),
    ] {
      try repository.folder.shell(script)
      try repository.commit(subject)
    }
    #expect(
      try await history(repository, "ada", in: "c")
        == [
          "back: new", "broken at once: gone !", "removed: gone", "both: /rating /city", "rating: /rating",
          "first: new",
        ])
    #expect(try await history(repository, "ada", in: "c", fields: ["city"]) == ["both: /city", "first: new"])
    #expect(try await history(repository, "nobody", in: "c") == [])
    #expect(try await history(repository, "c/bob") == ["bob: /n", "first: new"])
    try repository.folder.shell("git rm -rq c; git commit -qm gone")
    #expect(try await history(repository, "bob", in: "c") == ["gone: gone", "bob: /n", "first: new"])
  }

  /// In a list, the file whose path comes first has the id.
  @Test func `a second file with an id is no addition of the item`() async throws {
    let repository = try Repository(["c/a.yaml": "n: 1\n"])
    for (script, subject) in [
      ("echo 'n: 7' > c/a.yml", "second"), ("echo 'n: 8' > c/a.yml", "second changed"),
      ("echo 'n: 2' > c/a.yaml", "changed"),
      ("rm c/a.yml", "second removed"), ("echo 'n: 3' > c/a.yaml", "again"),
      ("echo '{\"n\":9}' > c/a.json", "takes the id"),
      ("echo 'n: 4' > c/a.yaml", "has no id"),
    ] {
      try repository.folder.shell(script)
      try repository.commit(subject)
    }
    let entries = ["takes the id: /n /@path", "again: /n", "changed: /n", "first: new"]
    #expect(try await history(repository, "a", in: "c") == entries)
    try repository.folder.shell("rm c/a.json")
    try repository.commit("gives it back")
    #expect(try await history(repository, "a", in: "c") == ["gives it back: /n /@path"] + entries)
  }

  @Test func `a second file with the id's field is no addition of the item`() async throws {
    let repository = try Repository([
      "b.yaml": "id: x\nn: 1\n", "z.yaml": "id: y\n", ".notes-watch.yaml": "id-field: id\n",
    ])
    for (script, subject) in [
      ("printf 'id: x\nn: 7\n' > c.yaml", "second"), ("printf 'id: x\nn: 2\n' > b.yaml", "changed"),
      ("rm c.yaml", "second removed"),
      ("printf 'id: x\nn: 9\n' > a.yaml", "takes the id"),
    ] {
      try repository.folder.shell(script)
      try repository.commit(subject)
    }
    let entries = ["takes the id: /n /@path", "changed: /n", "first: new"]
    #expect(try await history(repository, "x") == entries)
    for (script, subject) in [
      ("printf 'id: x\nn: 4\n' > b.yaml", "has no id"), ("rm a.yaml", "gives it back"),
    ] {
      try repository.folder.shell(script)
      try repository.commit(subject)
    }
    #expect(try await history(repository, "x") == ["gives it back: /n /@path"] + entries)
  }

  @Test func `fields select the commits that change one of them`() async throws {
    let repository = try Repository(["a.yaml": "name: Ada\nbio: a long enough text\n"])
    for (script, subject) in [
      ("echo 'rating: 5' >> a.yaml", "rated"), ("sed -i 's/Ada/Eva/' a.yaml", "named"),
      ("git mv a.yaml b.yaml", "moved"),
      ("sed -i 's/5/6/' b.yaml", "raised"), ("sed -i '/rating/d' b.yaml", "unrated"),
      ("echo 'n: [' > b.yaml", "broken"),
      ("echo 'n: [[' > b.yaml", "still broken"), ("echo 'name: Eva' > b.yaml", "repaired"),
      ("git rm -q b.yaml", "removed"),
      ("printf 'name: Eva\nrating: 1\n' > b.yaml", "back"), ("git rm -q b.yaml", "gone"),
    ] {
      try repository.folder.shell(script)
      try repository.commit(subject)
    }
    let ratings = ["gone: gone", "back: new", "unrated: /rating", "raised: /rating", "rated: /rating"]
    #expect(try await history(repository, "b", fields: ["rating"]) == ratings)
    #expect(try await history(repository, "b", fields: ["@path"]).contains("moved: /@path"))
    #expect(try await history(repository, "b", fields: ["typo"]) == [])
  }

  @Test func `fields that no version has are reported`() async throws {
    let repository = try Repository(["a.yaml": "name: Ada\n"])
    try repository.folder.write("name: Eva\nrating: 1\n", to: "a.yaml")
    try repository.commit("second")
    let fields: [FieldPath] = ["raiting", "rating", "name", "tags.@count"]
    var history = try ItemHistory(of: Item.ID(printed: "a"), in: repository.path, showing: fields)
    #expect(history.unseenFields == fields)
    while try history.next() != nil {}
    #expect(history.unseenFields == [fields[0], fields[3]])
    #expect(history.nearestField(to: fields[0]) == fields[1])
    #expect(history.hasItem)
  }

  @Test func `renames are followed on each branch separately`() async throws {
    let repository = try Repository(["a.yaml": ItemHistoryTests.ada])
    try repository.folder.shell(
      """
      git checkout -q -b topic; git mv a.yaml b.yaml; git commit -qm 'renamed'; sed -i 's/long enough/rather long/' b.yaml; git commit -qam 'moved'
      git checkout -q main; sed -i 's/Ada/Eva/' a.yaml; git commit -qam 'raised'; git merge -q -m merged topic; git mv b.yaml c.yaml; git commit -qm 'again'
      """)
    let found = try await history(repository, "c")
    #expect(
      found.sorted() == ["again: /@path", "first: new", "moved: /bio", "raised: /name", "renamed: /@path"])
    #expect(found.first == "again: /@path")
    #expect(found.last == "first: new")
    // Under its older name the item ends with the rename.
    #expect(try await history(repository, "b").first == "again: gone")
  }

  @Test func `a merge is listed only if it differs from both parents`() async throws {
    let base = "rating: 5\nx: 1\ny: 1\ncity: Paris\n"
    let repository = try Repository(["a.yaml": base])
    try repository.folder.shell(
      """
      git checkout -q -b topic; sed -i 's/Paris/Rome/' a.yaml; git commit -qam 'theirs'
      git checkout -q main; sed -i 's/5/6/' a.yaml; git commit -qam 'ours'; git merge -q -m 'plain' topic
      git checkout -q -b other; sed -i 's/: 6/: 7/' a.yaml; git commit -qam 'seven'
      git checkout -q main; sed -i 's/: 6/: 8/' a.yaml; git commit -qam 'eight'; git merge -q other || true
      printf 'rating: 9\\nx: 1\\ny: 1\\ncity: Rome\\n' > a.yaml; git commit -qam 'decided'
      """)
    let found = try await history(repository, "a")
    #expect(found.first == "decided: /rating")
    #expect(
      found.sorted() == [
        "decided: /rating", "eight: /rating", "first: new", "ours: /rating", "seven: /rating",
        "theirs: /city",
      ])
  }

  @Test func `an item whose id is made of fields is followed through its files`() async throws {
    let repository = try Repository([
      ".notes-watch.yaml": "id-field: uuid\n", "a.yaml": "uuid: 7\nn: 1\n", "b.yaml": "uuid: 8\nn: 1\n",
    ])
    for (script, subject) in [
      ("git mv a.yaml x.yaml; printf 'uuid: 7\\nn: 2\\n' > x.yaml", "renamed"),
      ("printf 'uuid: 8\\nn: 3\\n' > b.yaml", "eight"),
      ("printf 'uuid: 9\\nn: 2\\n' > x.yaml", "another id"), ("printf 'uuid: [\\n' > b.yaml", "broken"),
    ] {
      try repository.folder.shell(script)
      try repository.commit(subject)
    }
    #expect(try await history(repository, "7") == ["another id: gone", "renamed: /n /@path", "first: new"])
    #expect(try await history(repository, "9") == ["another id: new"])
    #expect(try await history(repository, "8") == ["broken: gone !", "eight: /n", "first: new"])
  }

  @Test func `names with special characters are found`() async throws {
    let repository = try Repository(["two words/é 50%\t\"q.yaml": "n: 1\n", "two words/*.yaml": "n: 1\n"])
    try repository.folder.write("n: 2\n", to: "two words/é 50%\t\"q.yaml")
    try repository.commit("second\u{1B}[31m")
    let found = try await history(repository, "é 50%25%09\"q", in: "two words")
    #expect(found == ["second\u{1B}[31m: /n", "first: new"])
    #expect(try await history(repository, "*", in: "two words") == ["first: new"])
  }

  @Test func `a repository without commits is an error`() async throws {
    let repository = try Repository()
    await #expect { try await history(repository, "a") } throws: { ($0 as? GitError)?.code == .noRepository }
  }

  @Test func `an earlier file with an older name is another item`() async throws {
    let repository = try Repository(["b.yaml": "old: item\nthat: has nothing to do with it\n"])
    try repository.folder.shell("git rm -q b.yaml; git commit -qm 'removed'")
    try repository.folder.write(ItemHistoryTests.ada, to: "b.yaml")
    try repository.commit("made")
    try repository.folder.shell(
      "git mv b.yaml c.yaml; git commit -qm 'renamed'; sed -i 's/Paris/Rome/' c.yaml; git commit -qam 'moved'"
    )
    #expect(try await history(repository, "c") == ["moved: /city", "renamed: /@path", "made: new"])
    #expect(
      try await history(repository, "b") == ["renamed: gone", "made: new", "removed: gone", "first: new"])
  }

  @Test func `other branches are read to their end after a rename`() async throws {
    let repository = try Repository(["a.yaml": ItemHistoryTests.ada, "z.yaml": "n: 1\n"])
    try repository.folder.shell(
      """
      at() { GIT_AUTHOR_DATE="$1 +0000" GIT_COMMITTER_DATE="$1 +0000" git commit -qam "$2"; }
      git checkout -q -b side; sed -i 's/Paris/Rome/' a.yaml; at 1700000100 'early on the side'
      git checkout -q main; sed -i 's/Ada/Eva/' a.yaml; at 1700000200 'named'; git mv a.yaml b.yaml; at 1700000300 'renamed'
      git checkout -q side; sed -i 's/long enough/rather long/' a.yaml; at 1700000400 'late on the side'
      git checkout -q main; GIT_COMMITTER_DATE='1700000500 +0000' git merge -q -m merged side
      """)
    #expect(
      try await history(repository, "b")
        == [
          "late on the side: /bio", "renamed: /@path", "named: /name", "early on the side: /city",
          "first: new",
        ])
  }

  /// The older commits are missing from the repository.
  @Test func `only the requested entries are read`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    for number in 2...6 {
      try repository.folder.write("n: \(number)\n", to: "a.yaml")
      try repository.commit("\(number)", time: 1_700_000_000 + number)
    }
    try repository.folder.shell(
      "tree=$(git rev-parse HEAD~4^{tree}); rm -f .git/objects/$(echo $tree | cut -c1-2)/$(echo $tree | cut -c3-)"
    )
    var history = try ItemHistory(of: Item.ID(printed: "a"), in: repository.path)
    #expect(try history.next()?.commit.subject == "6")
    #expect(try history.next()?.commit.subject == "5")
    #expect(throws: GitError.self) { while try history.next() != nil {} }
  }

  @Test func `a shallow clone is reported`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell(
      "echo 'n: 2' > a.yaml; git commit -qam second; git clone -q --depth 1 \"file://$PWD\" shallow")
    #expect(try ItemHistory(of: Item.ID(printed: "a"), in: repository.path).isShallow == false)
    #expect(try ItemHistory(of: Item.ID(printed: "a"), in: "\(repository.path)/shallow").isShallow)
    #expect(try await history(repository, "a", in: "shallow") == ["second: new"])
  }
}

extension ItemHistory {
  /// All entries of an item's history.
  static func entries(of id: String, in folder: String, showing fields: [FieldPath] = []) async throws
    -> [Entry]
  {
    var history = try ItemHistory(of: Item.ID(printed: id), in: folder, showing: fields)
    var entries: [Entry] = []
    while let entry = try history.next() { entries.append(entry) }
    return entries
  }
}
