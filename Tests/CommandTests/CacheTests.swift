import Foundation
import TestSupport
import Testing

/// The cache of the built program. Its folder is the sample data, which is older than any test.
@Suite struct CacheTests {
  private static let root = "\(BuiltProgram.samples)/contacts"
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  private var environment: [String: String] {
    ["XDG_CACHE_HOME": "\(home.path)/cache", "NOTES_WATCH_CACHE_FROM": "1"]
  }

  private func files() throws -> [String] {
    try home.shell("find . -name '*.cache'").split(separator: "\n").map(String.init)
  }

  @Test func `the second start opens no file that has not changed`() async throws {
    let first = try await BuiltProgram.run("list", Self.root, "-o", "jsonl", environment: environment)
    #expect(try files().count == 1)
    let second = try await BuiltProgram.run("list", Self.root, "-o", "jsonl", environment: environment)
    #expect(second.output == first.output)
    let watch = try BuiltProgram.start(["watch", Self.root, "-o", "jsonl"], environment: environment)
    try await watch.wait(until: "the list") { $0.outputText.contains("snapshot") }
    let counters = try await watch.counters()
    #expect(counters.hits == counters.items)
    #expect(counters.misses == 0)
  }

  @Test(arguments: ["list", "get", "check"]) func `--no-cache keeps nothing`(_ command: String) async throws {
    let ids = command == "get" ? ["amelia-okafor"] : []
    for (option, count) in [(["--no-cache"], 0), ([], 1)] {
      let end = try await BuiltProgram.start([command, Self.root] + ids + option, environment: environment)
        .end()
      #expect(end.errorText == "")
      #expect(try files().count == count, "\(option)")
    }
  }

  @Test func `a cache that cannot be written gives no message`() async throws {
    for path in ["/proc/nowhere", "relative", ""] {
      let environment = ["XDG_CACHE_HOME": path, "HOME": "", "NOTES_WATCH_CACHE_FROM": "1"]
      let end = try await BuiltProgram.run(
        "list", Self.root, "-o", "id", environment: environment, in: home.path)
      #expect(end.status == .exited(0), "\(path)")
      #expect(end.errorText == "", "\(path)")
      #expect(end.outputText.split(separator: "\n").count > 1, "\(path)")
    }
    #expect(try await home.shell("ls -A") == "")
  }

  @Test func `a small folder has no cache`() async throws {
    _ = try await BuiltProgram.run("list", Self.root, environment: ["XDG_CACHE_HOME": "\(home.path)/cache"])
    #expect(try files() == [])
  }

  @Test func `a limit of the size of files ends no program`() async throws {
    let script = "ulimit -f 0; exec '\(BuiltProgram.path)' list '\(Self.root)' -o id | wc -l"
    let end = try await Program("/bin/bash", ["-c", script], environment: environment, folder: home.path)
      .end()
    #expect(end.status == .exited(0))
    #expect(Int(end.outputText.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 1)
    #expect(try files() == [])
  }

  @Test(arguments: [[], ["--no-cache"]]) func `each start with a state prints all problems`(
    _ options: [String]
  ) async throws {
    try await home.shell("mkdir d; echo 'a: 1' > d/a.yaml; echo '[' > d/b.yaml")
    var environment = environment
    environment["XDG_STATE_HOME"] = "\(home.path)/state"
    for start in 1...3 {
      let arguments = ["watch", "d", "--once", "--state", "s", "-o", "jsonl"] + options
      let end = try await BuiltProgram.start(arguments, environment: environment, in: home.path).end()
      #expect(end.outputText.contains(#""path":"b.yaml""#), "start \(start)")
    }
  }
}
