import Files
import TestSupport
import Testing

/// One save by a real program is one batch that names the file and nothing else.
@Suite(.serialized, .timeLimit(.minutes(2))) struct EditorTests {
  private static let saves: [(String, String)] = [
    ("sed -i", "sed -i s/one/two/ a.yaml"),
    ("redirect", "echo 'k: two' > a.yaml"),
    ("append", "echo 'l: two' >> a.yaml"),
    ("cp over", "echo 'k: two' > .other; cp .other a.yaml"),
    ("mv over", "echo 'k: two' > .other; mv .other a.yaml"),
    (
      "safe write (JetBrains)",
      // In one process: on a busy machine, another one takes so long to start that the file counts as removed.
      "echo 'k: two' > a.yaml___jb_tmp___; perl -e 'rename \"a.yaml\", \"a.yaml___jb_old___\"; rename \"a.yaml___jb_tmp___\", \"a.yaml\"; unlink \"a.yaml___jb_old___\"'"
    ),
    (
      "backup, then write (Emacs)",
      "ln -s me@host.1:2 .#a.yaml; mv a.yaml a.yaml~; echo 'k: two' > a.yaml; rm .#a.yaml"
    ),
    (
      "truncate, think, write (VS Code and others)", "exec 3> a.yaml; sleep 0.1; echo 'k: two' >&3; exec 3>&-"
    ),
    ("remove, then write", "rm a.yaml; echo 'k: two' > a.yaml"),
    ("ln -f over", "rm -f .other; echo 'k: two' > .other; ln -f .other a.yaml"),
  ]

  @Test(arguments: saves)
  func `a save is one batch`(name: String, script: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("k: one\n", to: "a.yaml")
    let recorder = try WatchRecorder(folder)
    let updates = try await recorder.updates(after: script)
    #expect(updates == ["a.yaml"])
    // Again, with the temporary files of the first save in place.
    #expect(try await recorder.updates(after: script.replacingTwo) == ["a.yaml"])
  }

  @Test(
    .enabled(if: Machine.has("vim"), "needs vim"), arguments: ["no", "yes", "auto"],
    ["writebackup", "nowritebackup", "backup"])
  func `a save by vim is one batch`(backupcopy: String, backup: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("k: one\n", to: "a.yaml")
    let recorder = try WatchRecorder(folder)
    // In the system's temporary folder vim keeps no backup and writes in place.
    let save =
      "vim -es -u NONE -c 'set backupskip= backupdir=. directory=. swapfile backupcopy=\(backupcopy) \(backup)' -c '%s/one/two/e' -c 'wq!' a.yaml"
    let updates = try await recorder.updates(after: save)
    // If vim sets the mode of the new file after closing it, the file is reported again with the
    // same content.
    #expect(Set(updates) == ["a.yaml"])
    #expect(updates.count <= 2)
    #expect(try folder.shell("cat a.yaml") == "k: two\n")
  }

  private static let acts: [(String, String, [String])] = [
    ("a new file", "echo x > b.yaml", ["b.yaml"]),
    ("a removed file", "rm a.yaml", ["a.yaml"]),
    ("a renamed file", "mv a.yaml b.yaml", ["a.yaml b.yaml"]),
    ("a copy", "cp a.yaml b.yaml", ["b.yaml"]),
    ("a hard link", "ln a.yaml b.yaml", ["b.yaml"]),
    ("a symbolic link", "ln -s a.yaml b.yaml", ["b.yaml"]),
    ("a pipe", "mkfifo b.yaml", ["b.yaml"]),
    ("an empty file", "touch b.yaml", ["b.yaml"]),
    ("a touch", "touch a.yaml", ["a.yaml"]),
    ("a mode", "chmod 600 a.yaml", ["a.yaml"]),
    ("several removed", "rm a.yaml d/e.yaml", ["a.yaml d/e.yaml"]),
    ("a folder made and filled at once", "mkdir -p x/y/z && echo 1 > x/y/z/b.yaml", ["x/y/z/b.yaml"]),
    ("a folder renamed", "mv d f", ["d/ f/"]),
    ("a folder with an item's name", "mkdir b.yaml", ["b.yaml"]),
    ("a folder moved out", "mv d ../$(basename $PWD)-out; rm -r ../$(basename $PWD)-out", ["d/"]),
    (
      "noise",
      "echo x > .b.yaml; echo x > a.yaml~; echo x > 4913; mkdir .hidden; echo x > .hidden/b.yaml; rm 4913", []
    ),
    (
      "a held-open append", "exec 3>> a.yaml; echo x >&3; sleep 0.7; echo y >&3; sleep 0.7",
      ["a.yaml", "a.yaml", "a.yaml"]
    ),
  ]

  @Test(arguments: acts)
  func `an act is one batch`(name: String, script: String, updates: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("k: one\n", to: "a.yaml")
    try folder.write("k: one\n", to: "d/e.yaml")
    let recorder = try WatchRecorder(folder)
    let seen = try await recorder.updates(after: script)
    #expect(seen == updates)
    #expect(recorder.notices == [])
  }
}

extension String {
  fileprivate var replacingTwo: String {
    split(separator: "two", omittingEmptySubsequences: false).joined(separator: "three")
  }
}
