import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct EditCommandTests {
  /// An id has priority over a path, and the editor creates an item whose id is the path.
  @Test func `edit resolves all names before it opens the first item`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    try folder.write("#!/bin/sh\necho 'k: 5' > a.yaml.yaml\nsed -i 's/1/2/' \"$1\"\n", to: "e")
    try await folder.shell("chmod +x e")
    let end = try await BuiltProgram.run(
      "edit", ".", "a.yaml", "a.yaml", environment: ["EDITOR": "./e"], in: folder.path)
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(end.outputText == "changed a.yaml\n")
  }

  private func edit(
    _ folder: TemporaryFolder, _ id: String, _ editor: String, _ options: String...,
    variable: String = "EDITOR"
  )
    async throws
    -> Program.State
  {
    let environment = [variable: editor, "TMPDIR": folder.path + "/tmp"]
    return try await BuiltProgram.start(
      ["edit", folder.path + "/items", id] + options, environment: environment, in: folder.path
    ).end()
  }

  private func folder(_ text: String = "k: 1 # kept\n") throws -> TemporaryFolder {
    try TemporaryFolder(["items/a b.yaml": text, "tmp/.keep": ""])
  }

  @Test(arguments: ["EDITOR", "VISUAL"])
  func `edit saves what the editor left`(variable: String) async throws {
    let folder = try folder()
    let end = try await edit(folder, "a b", "sed -i s/1/2/", variable: variable)
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(end.outputText == "changed a b.yaml\n", "\(end.errorText)")
    #expect(try await folder.shell("cat items/*; ls tmp; ls -A items") == "k: 2 # kept\na b.yaml\n")
    #expect(try await edit(folder, "a b", "true").outputText == "unchanged a b.yaml\n")
    #expect(try await edit(folder, "a b", "touch").outputText == "unchanged a b.yaml\n")
    #expect(try await edit(folder, "a b", "sed -i s/2/3/", "--dry-run").outputText.contains("+k: 3 # kept\n"))
    #expect(try await folder.shell("cat items/*; ls tmp") == "k: 2 # kept\n")
  }

  @Test func `edit keeps a text that is not valid, and the item stays`() async throws {
    let folder = try folder()
    let end = try await edit(folder, "a b", "f() { printf 'k: [1\\n' > \"$1\"; }; f")
    #expect(end.status == .exited(65))
    #expect(end.output.isEmpty)
    #expect(end.errorText.hasPrefix("notes-watch: \(folder.path)/items/a b.yaml:1:4: "), "\(end.errorText)")
    #expect(end.errorText.contains("The text is kept in \(folder.path)/tmp/"))
    #expect(try await folder.shell("cat items/*; cat tmp/*/*") == "k: 1 # kept\nk: [1\n")
  }

  @Test func `edit repairs a broken item`() async throws {
    let folder = try folder("k: [1\n")
    #expect(try await edit(folder, "a b", "sed -i s/1/1]/").outputText == "changed a b.yaml\n")
    #expect(try await folder.shell("cat items/*") == "k: [1]\n")
  }

  @Test func `edit saves nothing if the editor fails`() async throws {
    let folder = try folder()
    let end = try await edit(folder, "a b", "f() { echo 'l: 1' >> \"$1\"; false; }; f")
    #expect(end.status == .exited(1))
    #expect(end.errorText.contains("The editor ended with status 1"))
    #expect(end.errorText.contains("kept in"))
    #expect(try await edit(folder, "a b", "kill -9 $$;").errorText.contains("was ended by signal 9"))
    #expect(try await folder.shell("cat items/*") == "k: 1 # kept\n")
  }

  @Test func `edit resolves a conflict by the merge policy`() async throws {
    let editor = "f() { sed -i s/1/2/ \"$1\"; printf 'k: 1 # kept\\nl: 5\\n' > 'items/a b.yaml'; }; f"
    let folder = try folder()
    let end = try await edit(folder, "a b", editor)
    #expect(end.status == .exited(75), "\(end.errorText)")
    #expect(end.errorText.contains("kept in"), "\(end.errorText)")
    #expect(try await folder.shell("cat items/*; cat tmp/*/*") == "k: 1 # kept\nl: 5\nk: 2 # kept\n")
    for (policy, text) in [
      ("store", "k: 2 # kept\nl: 5\n"), ("object", "k: 2 # kept\nl: 5\n"), ("overwrite", "k: 2 # kept\n"),
      ("rollback", "k: 1 # kept\nl: 5\n"),
    ] {
      try folder.write("k: 1 # kept\n", to: "items/a b.yaml")
      #expect(try await edit(folder, "a b", editor, "--merge-policy", policy).status == .exited(0))
      #expect(try await folder.shell("cat items/*") == text, "\(policy)")
    }
  }

  @Test(arguments: [("rollback", "printf 'k: 5\\n' >"), ("rollback", "rm"), ("store", "rm")])
  func `edit keeps a text that the merge policy discards`(policy: String, act: String) async throws {
    let folder = try folder()
    let end = try await edit(
      folder, "a b", "f() { sed -i s/1/2/ \"$1\"; \(act) 'items/a b.yaml'; }; f", "--merge-policy", policy)
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(end.outputText.hasPrefix("kept a b.yaml"), "\(end.errorText)")
    #expect(end.errorText.contains("The text is kept in \(folder.path)/tmp/"), "\(end.errorText)")
    #expect(try await folder.shell("cat tmp/*/*") == "k: 2 # kept\n")
  }

  @Test func `edit keeps the draft and names the fields that a policy does not save`() async throws {
    let folder = try folder("x: 1\ny: 1\n")
    let editor =
      "f() { printf 'x: 5\\ny: 1\\n# mine\\n' > \"$1\"; printf 'x: 9\\ny: 1\\n' > 'items/a b.yaml'; }; f"
    for (policy, lost) in [("store", ""), ("rollback", ", and comments or formatting that you changed")] {
      try folder.write("x: 1\ny: 1\n", to: "items/a b.yaml")
      let end = try await edit(folder, "a b", editor, "--merge-policy", policy)
      #expect(end.status == .exited(0))
      #expect(end.outputText.hasSuffix("not saved: your value of x\(lost)\n"), "\(end.outputText)")
      #expect(!end.outputText.contains("unchanged"), "\(policy): \(end.outputText)")
      #expect(
        end.errorText.contains("The text is kept in \(folder.path)/tmp/"), "\(policy): \(end.errorText)")
      #expect(try await folder.shell("cat tmp/*/*; rm -r tmp/*") == "x: 5\ny: 1\n# mine\n")
    }
    try folder.write("x: 1\ny: 1\n", to: "items/a b.yaml")
    let end = try await edit(folder, "a b", editor, "--merge-policy", "object")
    #expect(end.outputText == "changed a b.yaml, merged with another program's change\n", "\(end.outputText)")
    #expect(try await folder.shell("cat items/*; ls tmp") == "x: 5\ny: 1\n# mine\n")
  }

  @Test(arguments: [
    ("f() { (sleep 3; echo 'k: 9' > \"$1\") & }; f", "Another process has the text open."),
    (
      "f() { setsid sh -c 'sleep 3; echo k: 9 > \"$0\"' \"$1\" > /dev/null 2>&1 & }; f",
      "Another process has the text open."
    ),
    ("f() { touch \"$(dirname \"$1\")/.a b.yaml.swp\"; }; f", "It left files"),
    ("PATH=.:$PATH code", "call it with --wait"), ("PATH=.:$PATH gvim", "call it with -f"),
  ])
  func `edit keeps the draft of an editor that returns at once and is still open`(
    editor: String, sign: String
  ) async throws {
    let folder = try folder()
    for name in ["code", "gvim"] {
      try await folder.shell("printf '#!/bin/sh\\n' > \(name); chmod +x \(name)")
    }
    let end = try await edit(folder, "a b", editor)
    #expect(end.status == .exited(75), "\(end.errorText)")
    #expect(end.output.isEmpty)
    #expect(end.errorText.contains(sign), "\(end.errorText)")
    #expect(end.errorText.contains("The text is kept in \(folder.path)/tmp/"), "\(end.errorText)")
    #expect(end.errorText.contains("EDITOR='"), "\(end.errorText)")
    #expect(try await folder.shell("cat items/*; ls tmp/*/*.yaml | wc -l") == "k: 1 # kept\n1\n")
  }

  @Test(arguments: ["PATH=.:$PATH code --wait", "PATH=.:$PATH gvim -f", "true"])
  func `edit without a change by an editor that waits leaves nothing`(editor: String) async throws {
    let folder = try folder()
    for name in ["code", "gvim"] {
      try await folder.shell("printf '#!/bin/sh\\n' > \(name); chmod +x \(name)")
    }
    let end = try await edit(folder, "a b", editor)
    #expect(end.outputText == "unchanged a b.yaml\n", "\(end.errorText)")
    #expect(try await folder.shell("ls tmp") == "")
  }

  @Test func `edit saves nothing if the editor removed the file`() async throws {
    let folder = try folder()
    let gone = try await edit(folder, "a b", "rm")
    #expect(gone.status == .exited(73), "\(gone.errorText)")
    #expect(gone.errorText.contains("Nothing was saved."), "\(gone.errorText)")
    #expect(try await folder.shell("ls tmp; cat items/*") == "k: 1 # kept\n")
    let moved = try await edit(folder, "a b", "f() { mv \"$1\" \"$1.new\"; }; f")
    #expect(moved.status == .exited(73), "\(moved.errorText)")
    #expect(moved.errorText.contains("are kept in \(folder.path)/tmp/"), "\(moved.errorText)")
    #expect(try await folder.shell("cat tmp/*/*") == "k: 1 # kept\n")
  }

  /// The printed form of a byte may have four characters.
  @Test func `edit opens an item with a long name of control characters`() async throws {
    let folder = try folder()
    let name = String(repeating: "\u{1}", count: 200)
    try folder.write("k: 1\n", to: "items/\(name).yaml")
    let id = try await BuiltProgram.run("list", folder.path + "/items", "-o", "id").outputText.split(
      separator: "\n"
    ).map(String.init)
    let long = try #require(id.max { $0.count < $1.count })
    let end = try await edit(folder, long, "sed -i s/1/2/")
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(try await folder.shell("cat items/*; ls tmp").contains("k: 2\n"))
  }

  @Test func `edit reports an unknown item and a missing editor`() async throws {
    let folder = try folder()
    let end = try await edit(folder, "nobody", "true")
    #expect(end.status == .exited(66))
    #expect(end.errorText.contains("To add it, run: notes-watch add "), "\(end.errorText)")
    #expect(try await edit(folder, "a b", "").status == .exited(64))
  }

  @Test(.enabled(if: Machine.has("script"), "needs script(1)")) func `edit asks questions on a terminal`()
    async throws
  {
    let folder = try folder()
    try folder.write(
      "#!/bin/sh\ntest -e once && echo 'k: 2' > \"$1\" || echo 'k: [' > \"$1\"\ntouch once\n", to: "editor")
    try await folder.shell("chmod +x editor")
    let environment = ["EDITOR": "\(folder.path)/editor", "TMPDIR": folder.path + "/tmp", "TERM": "xterm"]
    let command = "'\(BuiltProgram.path)' edit items"
    let again = try Program(
      "script", ["-qec", "\(command) 'a b'", "/dev/null"], environment: environment, folder: folder.path,
      hasInput: true)
    try await again.wait(until: "a question") { $0.outputText.contains("Edit it again? [Y/n]") }
    again.write("\n")
    #expect(try await again.end().status == .exited(0))
    #expect(try await folder.shell("cat items/*; ls tmp") == "k: 2\n")
    let new = try Program(
      "script", ["-qec", "\(command) new", "/dev/null"], environment: environment, folder: folder.path,
      hasInput: true)
    try await new.wait(until: "a question") { $0.outputText.contains("Add it? [y/N]") }
    new.write("y\n")
    #expect(try await new.end().outputText.contains("added new.yaml"))
    #expect(try await folder.shell("cat items/new.yaml") == "k: 2\n")
  }
}
