import Foundation
import Synchronization
import TestSupport
import Testing

/// Saves by the built program: killed at any point, in the right order, and many at the same time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SaveTests {
  private static let old = "# mine\nname: Ada  # kept\nrating: 8\n"

  private struct SaveCase: Sendable {
    let arguments: [String]
    /// The item's file, and its content before and after; nil if the file does not exist.
    let path: String
    let before: String?
    let after: String?

    static let all = [
      SaveCase(
        arguments: ["set", "root", "ada", "rating=9"], path: "ada.yaml", before: old,
        after: old.replacing("8", with: "9")),
      SaveCase(
        arguments: ["add", "root", "d/new", "rating=9"], path: "d/new.yaml", before: nil, after: "rating: 9\n"
      ),
      SaveCase(arguments: ["rm", "root", "ada"], path: "ada.yaml", before: old, after: nil),
    ]
  }

  private static func folder() throws -> TemporaryFolder {
    try TemporaryFolder(["root/ada.yaml": old, "root/other.yaml": "k: 1\n"])
  }

  private static func text(of name: String, in folder: TemporaryFolder) -> String? {
    try? String(contentsOfFile: "\(folder.path)/root/\(name)", encoding: .utf8)
  }

  @Test(
    .enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"),
    arguments: 0..<SaveCase.all.count)
  func `a save that is killed at any system call leaves the old file or the new one`(number: Int) async throws
  {
    let act = SaveCase.all[number]
    let calls = try await SystemCalls.trace(act.arguments, in: Self.folder()).calls
    #expect(calls.contains { $0.name.hasPrefix("renameat") }, "\(calls.map(\.line))")
    #expect(calls.contains { $0.name == "fsync" }, "\(calls.map(\.line))")
    // A stress run tries all calls, other runs only the calls that change something.
    let telling: Set = ["write", "fchmod", "fsync", "renameat", "renameat2", "unlinkat", "mkdirat", "flock"]
    let tried = Randomness.factor > 1 ? calls : calls.filter { telling.contains($0.name) }
    let killed = Mutex(0)
    try await concurrently(tried) { call in
      let folder = try Self.folder()
      if try await SystemCalls.kill(at: call, act.arguments, in: folder) { killed.withLock { $0 += 1 } }
      let found = Self.text(of: act.path, in: folder)
      #expect([act.before, act.after].contains(found), "killed at \(call.line)")
      #expect(Self.text(of: "other.yaml", in: folder) == "k: 1\n")
      // No list shows the file that is left behind, and the next save removes it.
      let list = try await BuiltProgram.run("list", "root", "-o", "id", in: folder.path)
      #expect(list.status == .exited(0), "\(call.line): \(list.errorText)")
      #expect(list.errorText.isEmpty, "\(call.line): \(list.errorText)")
      let next = try await BuiltProgram.run("set", "root", "other", "k=2", in: folder.path)
      #expect(next.status == .exited(0), "\(call.line): \(next.errorText)")
      #expect(try await folder.shell("ls -A root | grep '^\\.' || true") == "", "\(call.line)")
    }
    let count = killed.withLock { $0 }
    #expect(count >= tried.count - 1, "\(count) of \(tried.count)")
  }

  @Test(.enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"))
  func `a save syncs the text before it renames the file`() async throws {
    let calls = try await SystemCalls.trace(SaveCase.all[0].arguments, in: Self.folder()).calls
    let order = calls.compactMap { call -> String? in
      switch call.name {
      case "fsync", "unlinkat", "write": call.name
      case "renameat": "rename"
      case "renameat2": call.line.contains("RENAME_EXCHANGE") ? "exchange" : "rename"
      default: nil
      }
    }
    #expect(order.prefix(6) == ["write", "fsync", "rename", "exchange", "unlinkat", "fsync"], "\(order)")
    let created = try await SystemCalls.trace(SaveCase.all[1].arguments, in: Self.folder()).calls
    let names = created.map(\.name).filter { ["write", "fsync", "renameat2"].contains($0) }
    #expect(names.prefix(4) == ["write", "fsync", "renameat2", "fsync"], "\(names)")
    #expect(created.contains { $0.line.contains("RENAME_NOREPLACE") })
  }

  @Test func `twelve processes that save one item lose no change`() async throws {
    let folder = try Self.folder()
    let rounds = 4 * Randomness.factor
    try await folder.shell(
      """
      for writer in 1 2 3 4 5 6 7 8 9 10 11 12; do
        (for round in $(seq \(rounds)); do '\(BuiltProgram.path)' set root ada "k$writer=$round" "list+=$writer" >> log 2>&1 || echo failed >> log; done) &
      done
      wait
      """)
    #expect(
      try await folder.shell(
        "grep -v -e '^changed ada.yaml$' -e '^notes-watch: warning: no other item has the field ' log || true"
      ) == "")
    let item = try await BuiltProgram.run("get", "root", "ada", in: folder.path).outputText
    for writer in 1...12 { #expect(item.contains("\"k\(writer)\":\(rounds)"), "\(item)") }
    #expect(try await folder.shell("grep -c '^  - ' root/ada.yaml") == "\(12 * rounds)\n")
    #expect(try await folder.shell("ls -A root") == "ada.yaml\nother.yaml\n")
  }
}
