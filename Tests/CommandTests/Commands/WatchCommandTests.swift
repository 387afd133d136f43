import TestSupport
import Testing

/// The stream of one folder while other programs change it: one save is one update, with all its
/// details.
@Suite(.serialized, .timeLimit(.minutes(3))) struct WatchCommandTests {
  private static func folder() throws -> TemporaryFolder {
    try TemporaryFolder([
      "ada.yaml": "name: Ada\nrating: 8\n", "bob.yaml": "name: Bob\nrating: 5\n",
      "cleo.json": "{\"name\": \"Cleo\", \"rating\": 1}",
    ])
  }

  @Test func `the stream begins with the view and the snapshot`() async throws {
    let stream = try WatchRun(try WatchCommandTests.folder(), ["--sort", "-rating", "--section", "name"])
    let hello = try await stream.next()
    #expect(
      hello == [
        "v": 1, "type": "hello", "root": .string(stream.folder.path),
        "view": ["sort": ["-rating"], "section": "name"],
      ])
    let snapshot = try await stream.next()
    #expect(snapshot.keys == ["v", "type", "seq", "token", "count", "sections"])
    #expect(snapshot.seq == 1)
    #expect(snapshot.count == 3)
    #expect(snapshot.token.string?.isEmpty == false)
    #expect(snapshot.sections.list.map(\.id) == ["Ada", "Bob", "Cleo"])
    #expect(
      snapshot.sections[0] == [
        "id": "Ada", "items": [["id": "ada", "path": "ada.yaml", "value": ["name": "Ada", "rating": 8]]],
      ])
  }

  @Test func `a warning about quotes is printed when it begins to hold, and is an error of --once`()
    async throws
  {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram.start([".", "--where", "status = done"], in: folder.path)
    try await program.wait(until: "the list") { $0.outputText.contains("Watching") }
    #expect(program.state.error.isEmpty)
    try folder.write("status: open\n", to: "a.yaml")
    let state = try await program.wait(until: "the warning") { $0.errorText.hasSuffix("\n") }
    #expect(
      state.errorText.hasPrefix("notes-watch: warning: no item has the field `done`"), "\(state.errorText)")
    #expect(state.errorText.contains("did you mean `status = \"done\"`?"))
    let once = try await BuiltProgram.start(
      [".", "--once", "--state", "s", "--where", "status = done", "--", "touch", "ran"],
      environment: ["XDG_STATE_HOME": "\(folder.path)/.state"], in: folder.path
    ).end()
    #expect(once.status == .exited(65))
    #expect(once.output.isEmpty)
    #expect((try? folder.bytes(of: "ran")) == nil)
  }

  /// The time of a comparison depends on the number of values, not on their nesting.
  @Test func `an edit of a deeply nested value is one update`() async throws {
    func nested(_ value: Int) -> String {
      String(repeating: "{\"a\":", count: 60) + "\(value)" + String(repeating: "}", count: 60)
    }
    let folder = try WatchCommandTests.folder()
    try folder.write(nested(1), to: "deep.json")
    let stream = try WatchRun(folder, WatchCommandTests.patience)
    try await stream.begin()
    let update = try await stream.update(after: "echo '\(nested(2))' > .new; mv .new deep.json")
    #expect(update.changes.list.count == 1)
    #expect(update.changes[0].id == "deep")
    #expect(update.changes[0].fields == [.string(String(repeating: "/a", count: 60))])
  }

  private static let saves: [(String, String)] = [
    ("sed -i", "sed -i 's/rating: 5/rating: 9/' bob.yaml"),
    ("a redirect", "printf 'name: Bob\\nrating: 9\\n' > bob.yaml"),
    ("cp", "printf 'name: Bob\\nrating: 9\\n' > .other; cp .other bob.yaml"),
    ("mv over", "printf 'name: Bob\\nrating: 9\\n' > .other; mv .other bob.yaml"),
    ("ln -f over", "printf 'name: Bob\\nrating: 9\\n' > .other; ln -f .other bob.yaml"),
    ("rm, then a redirect", "rm bob.yaml; printf 'name: Bob\\nrating: 9\\n' > bob.yaml"),
    (
      "a program that writes in steps",
      "exec 3> bob.yaml; printf 'name: Bob\\n' >&3; printf 'rating: 9\\n' >&3; exec 3>&-"
    ),
  ]

  @Test(arguments: saves)
  func `a save is one update with its place and its old and new values`(name: String, script: String)
    async throws
  {
    try await expectOneUpdateOfBob(script)
  }

  /// Some saves remove the file for a moment, which may be long on a busy machine.
  private static let patience = ["--settle", "1s"]

  private func expectOneUpdateOfBob(_ script: String) async throws {
    let stream = try WatchRun(try WatchCommandTests.folder(), WatchCommandTests.patience)
    let snapshot = try await stream.begin()
    let update = try await stream.update(after: script)
    let place: JSON = ["section": "", "index": 1]
    #expect(
      update.keys == ["v", "type", "seq", "since", "token", "time", "origin", "cause", "count", "changes"])
    #expect(update.seq == 2)
    #expect(update.since == snapshot.token)
    #expect(update.token != snapshot.token)
    #expect(update.origin == "files")
    #expect(update.count == 3)
    #expect(update.time.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)
    #expect(
      update.changes == [
        [
          "op": "update", "id": "bob", "from": place, "to": place, "path": "bob.yaml", "fields": ["/rating"],
          "value": ["name": "Bob", "rating": 9],
          "before": ["rating": 5],
        ]
      ])
  }

  @Test func `added, removed and renamed files are inserts and deletes`() async throws {
    let stream = try WatchRun(try WatchCommandTests.folder(), WatchCommandTests.patience)
    try await stream.begin()
    let added = try await stream.update(after: "echo 'name: Al' > al.yaml")
    #expect(
      added.changes == [
        [
          "op": "insert", "id": "al", "to": ["section": "", "index": 1], "path": "al.yaml",
          "value": ["name": "Al"],
        ]
      ])
    let removed = try await stream.update(after: "rm bob.yaml")
    #expect(
      removed.changes == [
        ["op": "delete", "id": "bob", "from": ["section": "", "index": 2], "reason": "removed"]
      ])
    let renamed = try await stream.update(after: "mv al.yaml zoe.yaml")
    #expect(renamed.changes.list.map(\.op) == ["delete", "insert"])
    #expect(renamed.changes[0].id == "al")
    #expect(renamed.changes[1].id == "zoe")
    let linked = try await stream.update(after: "ln zoe.yaml yan.yaml")
    #expect(linked.changes.list.map(\.op) == ["insert"])
    #expect(linked.changes[0].id == "yan")
    let copied = try await stream.update(after: "cp zoe.yaml xia.yaml")
    #expect(copied.changes.list.map(\.op) == ["insert"])
    #expect(copied.changes[0].value == ["name": "Al"])
    let several = try await stream.update(after: "rm xia.yaml yan.yaml zoe.yaml")
    #expect(several.changes.list.map(\.op) == ["delete", "delete", "delete"])
    #expect(several.changes.list.map(\.id) == ["zoe", "yan", "xia"])
  }

  @Test func `a folder that is added, moved or removed changes the items in it`() async throws {
    let stream = try WatchRun(try WatchCommandTests.folder())
    try await stream.begin()
    let made = try await stream.update(after: "mkdir -p x/y/z && echo 'name: Deep' > x/y/z/deep.yaml")
    #expect(made.changes.list.map(\.op) == ["insert"])
    #expect(made.changes[0].id == "x/y/z/deep")
    #expect(made.changes[0].path == "x/y/z/deep.yaml")
    let moved = try await stream.update(after: "mv x w")
    #expect(moved.changes.list.map(\.op) == ["delete", "insert"])
    #expect(moved.changes[1].id == "w/y/z/deep")
    let inside = try await stream.update(after: "echo 'name: Deeper' > w/y/z/deep.yaml")
    #expect(inside.changes[0].op == "update")
    #expect(inside.changes[0].before == ["name": "Deep"])
    let removed = try await stream.update(after: "rm -r w")
    #expect(removed.changes.list.map(\.op) == ["delete"])
    #expect(removed.changes[0].id == "w/y/z/deep")
  }

  @Test func `an edit of a field outside the view is no update`() async throws {
    let stream = try WatchRun(try WatchCommandTests.folder(), ["--fields", "name"])
    try await stream.begin()
    #expect(try await stream.lines(0, after: "sed -i 's/rating: 5/rating: 9/' bob.yaml") == [])
  }

  @Test func `an edit moves an item, or takes it into or out of the view`() async throws {
    let folder = try WatchCommandTests.folder()
    let stream = try WatchRun(folder, ["--sort", "-rating", "--where", "rating > 2 OR sentinel > 0"])
    #expect(try await stream.begin().sections[0].items.list.map(\.id) == ["ada", "bob"])
    let moved = try await stream.update(after: "sed -i 's/5/9/' bob.yaml")
    #expect(moved.changes.list.map(\.op) == ["move"])
    #expect(moved.changes[0].from.index == 1)
    #expect(moved.changes[0].to.index == 0)
    #expect(moved.changes[0].before == ["rating": 5])
    let left = try await stream.update(after: "sed -i 's/8/2/' ada.yaml")
    #expect(
      left.changes == [
        ["op": "delete", "id": "ada", "from": ["section": "", "index": 1], "reason": "filtered"]
      ])
    let entered = try await stream.update(after: "sed -i 's/1/3/' cleo.json")
    #expect(entered.changes.list.map(\.op) == ["insert"])
    #expect(entered.changes[0].id == "cleo")
    #expect(entered.changes[0].to.index == 1)
  }

  @Test func `a new section is inserted before its first item`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "group: friends\n", "bob.yaml": "group: work\n"])
    let stream = try WatchRun(
      folder,
      ["--section", "group", "--section-order", "work", "--where", "NOT group = nil OR sentinel > 90"])
    #expect(try await stream.begin().sections.list.map(\.id) == ["work", "friends"])
    try await folder.shell("sed -i s/work/family/ bob.yaml")
    let update = try await stream.next()
    #expect(update.sections == [["op": "insert", "id": "family", "to": 1]])
    #expect(update.changes.list.map(\.op) == ["move"])
    #expect(update.changes[0].from == ["section": "work", "index": 0])
    #expect(update.changes[0].to == ["section": "family", "index": 0])
  }

  @Test func `a file that cannot be parsed keeps its last good item`() async throws {
    let stream = try WatchRun(try WatchCommandTests.folder())
    try await stream.begin()
    let raised = try await stream.lines(1, after: "printf 'name: Bob\\nrating: [\\n' > bob.yaml")[0]
    #expect(raised.keys == ["v", "type", "state", "path", "line", "column", "message"])
    #expect(raised.type == "problem")
    #expect(raised.state == "raised")
    #expect(raised.path == "bob.yaml")
    #expect((raised.line.int ?? 0) >= 2)
    // A newer problem replaces it; the old one is not cleared in between.
    let other = try await stream.lines(1, after: "printf 'name: Bob\\nname: Bob\\n' > bob.yaml")[0]
    #expect(other.type == "problem")
    #expect(other.state == "raised")
    #expect(other.line == 2)
    let good = try await stream.lines(2, after: "printf 'name: Bob\\nrating: 6\\n' > bob.yaml")
    #expect(good[0].type == "update")
    #expect(good[0].changes[0].before == ["rating": 5])
    #expect(good[0].changes[0].value.rating == 6)
    #expect(good[1] == ["v": 1, "type": "problem", "state": "cleared", "path": "bob.yaml"])
    let back = try await stream.lines(1, after: "echo '{' > cleo.json")[0]
    #expect(back.path == "cleo.json")
    let gone = try await stream.lines(2, after: "rm cleo.json")
    #expect(gone[0].changes[0].op == "delete")
    #expect(gone[1].state == "cleared")
  }

  @Test func `an edit of the settings is one update of the view`() async throws {
    let folder = try WatchCommandTests.folder()
    try folder.write("views: {best: {sort: -rating}}\n", to: ".notes-watch.yaml")
    let stream = try WatchRun(folder, ["--view", "best"])
    #expect(try await stream.begin().sections[0].items.list.map(\.id) == ["ada", "bob", "cleo"])
    try await folder.replace(".notes-watch.yaml", with: "views: {best: {sort: rating}}")
    let update = try await stream.next()
    #expect(update.type == "update")
    #expect(update.origin == "view")
    #expect(update.changes.list.allSatisfy { $0.op == "move" })
    #expect(update.changes.list.count == 2)
    try await folder.replace(".notes-watch.yaml", with: "views: {best: {sort: rating")
    let problem = try await stream.next()
    #expect(problem.state == "raised")
    #expect(problem.path == ".notes-watch.yaml")
    // Settings without the view in use are a problem, too.
    try await folder.replace(".notes-watch.yaml", with: "views: {}")
    let missing = try await stream.next()
    #expect(missing.state == "raised", "\(missing)")
    #expect(missing.message.string?.contains("best") == true, "\(missing)")
    try await folder.replace(".notes-watch.yaml", with: "views: {best: {sort: rating, limit: 1}}")
    let limited = try await stream.next()
    #expect(limited.origin == "view", "\(limited)")
    #expect(limited.changes.list.map(\.op) == ["delete", "delete"], "\(limited)")
    #expect(limited.changes[0].reason == "filtered", "\(limited)")
    #expect(try await stream.next().state == "cleared")
  }

  @Test func `new settings ignore other files and make other ids`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\nuuid: x\n", "drafts/b.yaml": "k: 2\n"])
    let stream = try WatchRun(folder)
    try await stream.begin()
    try await folder.replace(".notes-watch.yaml", with: "ignore: [drafts/]")
    let left = try await stream.next()
    #expect(left.origin == "view")
    #expect(left.changes.list.map(\.id) == ["drafts/b"])
    #expect(left.changes[0].reason == "removed")
    try await folder.replace(".notes-watch.yaml", with: "ignore: []")
    let back = try await stream.next()
    #expect(back.changes.list.map(\.op) == ["insert"])
    #expect(back.changes[0].id == "drafts/b")
    // The folder is watched again, too.
    let edit = try await stream.update(after: "echo 'k: 3' > .new; mv .new drafts/b.yaml")
    #expect(edit.origin == "files")
    #expect(edit.changes[0].before == ["k": 2])
    try await folder.shell("rm *sentinel*")
    #expect(try await stream.next().changes.list.map(\.op) == ["delete"])
    try await folder.replace(".notes-watch.yaml", with: "id-field: uuid")
    let renamed = try await stream.next()
    #expect(renamed.changes.list.map(\.id) == ["drafts/b", "a", "x"])
    #expect(renamed.changes.list.map(\.op) == ["delete", "delete", "insert"])
    #expect(try await stream.next().path == "drafts/b.yaml")
    // A file without the old id field is read again for the new one.
    try await folder.replace(".notes-watch.yaml", with: "id-field: k")
    let again = try await stream.next()
    #expect(again.changes.list.map(\.id) == ["x", "1", "3"])
    #expect(again.changes.list.map(\.op) == ["delete", "insert", "insert"])
    #expect(try await stream.next().state == "cleared")
  }

  @Test func `an unknown token is an error, and the complete list follows`() async throws {
    let stream = try WatchRun(try WatchCommandTests.folder(), ["--since", "-any"])
    #expect(try await stream.next().type == "hello")
    let error = try await stream.next()
    #expect(error.keys == ["v", "type", "code", "why", "message"])
    #expect(error.type == "error")
    #expect(error.code == "gone")
    let snapshot = try await stream.next()
    #expect(snapshot.type == "snapshot")
    #expect(snapshot.count == 3)
  }

  @Test(arguments: [0, 4])
  func `the output beside a command of --once is complete, and the status is that of the command`(status: Int)
    async throws
  {
    let folder = try TemporaryFolder(["notes/a.yaml": "k: 1\n"])
    let end = try await BuiltProgram.run(
      "\(folder.path)/notes", "--state", "\(folder.path)/s.sqlite", "--once", "--initial", "-o", "jsonl",
      "--", "sh", "-c", "exit \(status)"
    )
    #expect(end.status == .exited(CInt(status)))
    #expect(end.outputText.split(separator: "\n").count == 2)
    #expect(end.outputText.contains(#""type":"snapshot""#))
  }

  @Test func `a large snapshot comes in parts`() async throws {
    let folder = try TemporaryFolder()
    try await folder.shell(
      "i=0; while [ $i -lt 1500 ]; do echo \"n: $i\" > $i.yaml; i=$((i+1)); done; echo 'k: [' > bad.yaml")
    let stream = try WatchRun(folder, ["--sort", "n"])
    #expect(try await stream.next().type == "hello")
    var ids: [JSON] = []
    for part in 1... {
      let line = try await stream.next()
      #expect(line.type == "snapshot")
      #expect(line.part == .number(Double(part)))
      ids += line.sections[0].items.list.map(\.id)
      if line.last == true {
        #expect(line.seq == 1)
        #expect(line.count == 1_500)
        #expect(line.token.string != nil)
        break
      }
      #expect(line.keys == ["v", "type", "part", "sections"])
    }
    #expect(ids == (0..<1_500).map { .string("\($0)") })
    // All problems follow the snapshot.
    #expect(try await stream.next().path == "bad.yaml")
  }

  @Test func `a root that is removed and created again is watched again`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let program = try BuiltProgram.start(["root", "-o", "jsonl"], in: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount == 2 }
    try await folder.shell("rm -r root")
    try await program.wait(until: "the state of the folder") {
      $0.outputText.contains(#""message":"There is no folder `root`.","missing":true}"#)
    }
    #expect(!program.state.outputText.contains(#""op""#))
    try await folder.shell("mkdir new; echo 'k: 2' > new/b.yaml; mv new root")
    let end = try await program.wait(until: "the difference") {
      $0.outputText.contains(#""state":"cleared","path":"""#)
    }
    #expect(end.outputText.contains(#""op":"delete","id":"a""#))
    #expect(end.outputText.contains(#""op":"insert","id":"b""#))
  }
}
