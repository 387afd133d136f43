import Glibc
import TestSupport
import Testing

/// Folders and files that the program may not read, for a while.
@Suite(.serialized, .timeLimit(.minutes(3))) struct PermissionTests {
  /// Runs as a user who is not root and does not own the folders.
  @Test(
    .enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"),
    arguments: ["root/d", "root", ".", "root/d/b.yaml"])
  func `items stay while permissions are missing`(path: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n", "root/d/b.yaml": "k: 1\n"])
    try await folder.shell("chmod 755 .")
    let program = try Program(
      "/bin/sh",
      [
        "-c",
        "exec 3< \(BuiltProgram.path); exec setpriv --reuid=65534 --regid=65534 --clear-groups /proc/self/fd/3 root -o jsonl",
      ],
      folder: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await folder.shell("chmod 000 \(path); touch root/a.yaml")
    if path != "." { try await program.wait(until: "a problem") { try !$0.stream().problems.isEmpty } }
    #expect(try program.state.stream().items().keys.sorted() == ["a", "d/b"])
    try await folder.shell("echo 'k: 2' > root/a.yaml; echo 'k: 2' > root/d/b.yaml; chmod 755 \(path)")
    let state = try await program.wait(until: "what is there") { state in
      let stream = try state.stream()
      return try stream.problems.isEmpty && stream.items().values.allSatisfy { $0 == ["k": 2] }
    }
    #expect(try state.stream().deleted == [])
  }

  /// The folder is listed at the start, and again with the first change, then by another name of
  /// the root.
  @Test(
    .enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"),
    arguments: ["root", "./root/", "."])
  func `a folder that cannot be read is reported once`(root: String) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n", "root/d/b.yaml": "k: 1\n"])
    try await folder.shell("chmod 755 .; chmod 000 root/d")
    let place = root == "." ? "root" : "."
    let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    let script = "exec 3< \(BuiltProgram.path); cd \(place); exec \(nobody) /proc/self/fd/3 \(root) -o jsonl"
    let program = try Program("/bin/sh", ["-c", script], folder: folder.path)
    try await program.wait(until: "a problem") { $0.outputText.contains("raised") }
    // A failed read is repeated after 250 ms and then less often. Each time the reported problem is
    // compared with the known one.
    for number in 2...4 {
      try await folder.shell("touch root; kill -HUP \(program.process); echo 'k: \(number)' > root/a.yaml")
      try await program.wait(until: "an update") { $0.outputText.contains(#""value":{"k":\#(number)}"#) }
    }
    let problems = try program.state.outputText.split(separator: "\n").map { try JSON(Array($0.utf8)) }.filter
    { $0.type == "problem" }
    #expect(problems.count == 1, "\(problems)")
  }
}
