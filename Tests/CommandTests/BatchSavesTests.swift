import Foundation
import TestSupport
import Testing

/// Many items that the built program adds together: killed at any point, and with calls that fail.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct BatchSavesTests {
  private static let ids = (0..<36).map { "\(["", "d/", "e/f/"][$0 % 3])n\($0)" }
  private static let arguments = ["add", "root"] + ids + ["rating=9"]

  private static func folder() throws -> TemporaryFolder {
    try TemporaryFolder(["root/other.yaml": "k: 1\n"])
  }

  /// The ids of the lines `added PATH`.
  private static func added(_ output: String) -> Set<String> {
    Set(
      output.split(separator: "\n").map { $0.dropFirst("added ".count).dropLast(".yaml".count) }.map(
        String.init))
  }

  /// Returns the ids of the items in the folder, and checks that each is complete.
  private static func present(in folder: TemporaryFolder, _ note: String) throws -> Set<String> {
    let found = ids.filter { FileManager.default.fileExists(atPath: "\(folder.path)/root/\($0).yaml") }
    for id in found {
      #expect(
        try String(contentsOfFile: "\(folder.path)/root/\(id).yaml", encoding: .utf8) == "rating: 9\n",
        "\(id), \(note)")
    }
    return Set(found)
  }

  @Test(.enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"))
  func `a batch that is killed leaves complete items, and reports only durable ones`() async throws {
    let calls = try await SystemCalls.trace(Self.arguments, in: Self.folder()).calls
    let groups = Dictionary(grouping: calls, by: \.name)
    #expect(groups["syncfs"]?.count == 1)
    #expect(groups["fsync"]?.count == 4, "root, d, e and e/f")
    // A stress run tries all calls, other runs one of each kind that changes something.
    let telling = ["write", "mkdirat", "syncfs", "renameat2", "fsync"].compactMap { name in
      groups[name].map { $0[$0.count / 2] }
    }
    #expect(telling.count == 5)
    for call in Randomness.factor > 1 ? calls : telling {
      let folder = try Self.folder()
      let end = try await Self.run("\(call.name):signal=KILL:when=\(call.number)", in: folder)
      #expect(end.status != .exited(0), "\(call.line)")
      let present = try Self.present(in: folder, call.line)
      #expect(Self.added(end.outputText).isSubset(of: present), "\(call.line)")
      // The next saves remove what is left behind, and add the other items.
      let next = try await Program(BuiltProgram.path, Self.arguments, folder: folder.path).end()
      #expect(next.status == .exited(present.isEmpty ? 0 : 73), "\(call.line): \(next.errorText)")
      #expect(Self.added(next.outputText) == Set(Self.ids).subtracting(present), "\(call.line)")
      #expect(try await folder.shell("find root -name '.*'") == "", "\(call.line)")
    }
  }

  @Test(
    .enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"),
    arguments: [
      "syncfs:error=EIO", "syncfs:error=ENOSPC", "fsync:error=EIO:when=1", "fsync:error=EIO:when=4",
      "fsync:error=ENOSPC",
      "renameat2:error=EIO:when=1", "renameat2:error=ENOSPC:when=20+", "mkdirat:error=EACCES:when=2",
      "write:error=EIO:when=5",
    ])
  func `a call that fails in a batch is reported for the items that it concerns`(injection: String)
    async throws
  {
    let folder = try Self.folder()
    let end = try await Self.run(injection, in: folder)
    let present = try Self.present(in: folder, injection)
    let added = Self.added(end.outputText)
    #expect(end.status != .exited(0))
    // Each item is either added or reported as failed.
    let failed = Set(Self.ids.filter { end.errorText.contains("root/\($0).yaml: ") })
    #expect(added.isDisjoint(with: failed))
    #expect(added.union(failed) == Set(Self.ids), "\(end.errorText)")
    // What is there without being durable is said to be there.
    let lines = end.errorText.split(separator: "\n").filter {
      $0.contains("power cut")
    }
    let uncertain = Set(lines.compactMap { line in Self.ids.first { line.contains("root/\($0).yaml: ") } })
    #expect(present == added.union(uncertain), "\(end.errorText)")
    #expect(try await folder.shell("find root -name '.*'") == "")
    if injection.hasPrefix("syncfs") { #expect(try await folder.shell("ls -A root") == "other.yaml\n") }
  }

  private static func run(_ injection: String, in folder: TemporaryFolder) async throws -> Program.State {
    let name = String(injection.prefix { $0 != ":" })
    let strace = ["-f", "-o", "/dev/null", "-e", "trace=\(name)", "-e", "inject=\(injection)"]
    return try await Program(
      SystemCalls.strace, strace + [BuiltProgram.path] + arguments, folder: folder.path
    ).end()
  }
}
