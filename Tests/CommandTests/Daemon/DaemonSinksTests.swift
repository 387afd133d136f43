import Glibc
import TestSupport
import Testing

/// The sinks of a running daemon.
@Suite(.serialized, .timeLimit(.minutes(4))) struct DaemonSinksTests {
  private let notes: TemporaryFolder

  init() throws {
    notes = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
  }

  private func configuration(_ sinks: String...) -> String {
    "folders:\n  - path: \(notes.path)\n    sinks:\n" + sinks.map { "      - \($0)\n" }.joined()
  }

  private func sink(_ name: String, in status: JSON) -> JSON {
    status.folders[0].sinks.list.first { $0.name == .string(name) } ?? .null
  }

  @discardableResult
  private func wait(for name: String, _ daemon: RunningDaemon, _ condition: @escaping (JSON) -> Bool)
    async throws -> JSON
  {
    sink(
      name, in: try await daemon.waitUntilStatus("\(name) is as expected") { condition(sink(name, in: $0)) })
  }

  @Test func `a command runs in its folder, and the status has its last lines and its position`() async throws
  {
    try notes.write("#!/bin/sh\npwd\ncat\necho seen >&2\nexit 0\n", to: "run.sh")
    chmod("\(notes.path)/run.sh", 0o755)
    let daemon = try RunningDaemon(configuration("{name: site, run: [./run.sh], stdin: ids, initial: true}"))
    let sink = try await wait(for: "site", daemon) { $0.state == "idle" && $0.seq.int == 1 }
    #expect(sink.output.list.first?.string == notes.path)
    #expect(Set(sink.output.list.compactMap(\.string)).isSuperset(of: ["a", "b", "seen"]))
    #expect(sink.lastExit.int == 0)
    #expect(sink.lag.int == 0)
    #expect(sink.since == .null)
    #expect(daemon.log.contains("[site] seen"))
    let folder = try daemon.status().folders[0]
    #expect(folder.items.int == 2)
    #expect(folder.counters.keys.isSuperset(of: ["items", "watches", "updates", "latency", "polling"]))
  }

  @Test func `commands of several sinks run at the same time, and none loses its end`() async throws {
    let count = 8
    let sinks = (0..<count).map {
      "{name: s\($0), run: [sh, -c, 'sleep 0.0\($0 % 3); (sleep 0.1 &) ; exit 0'], on-error: stop, initial: true}"
    }
    try await notes.shell("git init -q . && git add . && git commit -qm one")
    let daemon = try RunningDaemon(
      "folders:\n  - path: \(notes.path)\n    sinks:\n" + sinks.map { "      - \($0)\n" }.joined())
    try await daemon.waitUntilOpen()
    for round in 0..<12 {
      try await notes.replace("c.yaml", with: "n: \(round)")
      // It starts git in the daemon, whose end must not be lost either.
      let client = try daemon.connect()
      let token = "n1.x.0.1.-.-.\(String(repeating: "a", count: 40))"
      client.send(line: "{\"v\":1,\"folder\":\"\(notes.path)\",\"since\":\"\(token)\"}")
      _ = try? client.nextJSON()
    }
    let status = try await daemon.waitUntilStatus("all sinks have everything") { status in
      status.folders[0].sinks.list.count == count
        && status.folders[0].sinks.list.allSatisfy {
          $0.state == "idle" && $0.lag.int == 0 && ($0.seq.int ?? 0) > 1
        }
    }
    #expect(status.folders[0].sinks.list.allSatisfy { $0.failures.int == 0 })
    #expect(status.folders[0].sinks.list.allSatisfy { $0.lastExit.int == 0 })
    // What the commands left behind is reaped.
    try await daemon.wait(until: "no child is left") {
      try Shell.run("cat /proc/\(daemon.process)/task/*/children 2> /dev/null || true", in: "/")
        .allSatisfy(\.isWhitespace)
    }
  }

  @Test func `a change that failed too often waits for retry`() async throws {
    let daemon = try RunningDaemon(
      configuration("{name: site, run: [test, -e, ok], on-error: retry, max-failures: 1}"))
    try await daemon.waitUntilOpen()
    try await notes.replace("a.yaml", with: "n: 3")
    let parked = try await wait(for: "site", daemon) { $0.state == "parked" }
    #expect(parked.lag.int == 1)
    #expect(parked.lastExit.int == 1)
    #expect(parked.since.string != nil)
    #expect(parked.message.string?.contains("notes-watch retry") == true)
    try await notes.shell("touch ok")
    let end = try await BuiltProgram.run("retry", notes.path, "site", environment: daemon.environment)
    #expect(end.status == .exited(0), "\(end.errorText)")
    try await wait(for: "site", daemon) { $0.state == "idle" && $0.lag.int == 0 }
  }

  @Test func `what changes while the daemon is down is in the next update`() async throws {
    let home = try TemporaryFolder()
    let configuration = configuration("{name: site, run: [sh, -c, 'cat >>\(home.path)/got'], stdin: ids}")
    var daemon = try RunningDaemon(configuration, home: home)
    try await daemon.waitUntilOpen()
    try await notes.replace("a.yaml", with: "n: 3")
    try await daemon.wait(until: "the first change came") {
      (try? home.bytes(of: "got")) == Array("a\n".utf8)
    }
    try await wait(for: "site", daemon) { $0.state == "idle" && $0.lag.int == 0 }
    #expect(try await daemon.stop() == 128 + SIGTERM)
    try await notes.shell("rm b.yaml; echo 'n: 9' >c.yaml")
    daemon = try RunningDaemon(configuration, home: home)
    try await daemon.wait(until: "the other changes came") {
      (try? home.bytes(of: "got")) == Array("a\nb\nc\n".utf8)
    }
  }

  @Test func `a position that another process uses is waited for`() async throws {
    let home = try TemporaryFolder()
    try home.makeFolder("state")
    let watch = try BuiltProgram.start(
      [notes.path, "--state", "site", "-o", "jsonl"],
      environment: ["XDG_STATE_HOME": "\(home.path)/state", "HOME": home.path], in: "/")
    _ = try await watch.wait(until: "a snapshot") { $0.outputText.contains("snapshot") }
    let daemon = try RunningDaemon(configuration("{name: site, run: ['true']}"), home: home)
    let failed = try await wait(for: "site", daemon) { $0.state == "failed" }
    #expect(failed.message.string?.contains("uses the state `site` now") == true)
    watch.signal(SIGTERM)
    try await wait(for: "site", daemon) { $0.state == "idle" }
  }

  @Test func `a key of an earlier version fails its sink, and no other one`() async throws {
    let daemon = try RunningDaemon(
      configuration("{name: old, run: ['true'], ignore-own: true}", "{name: site, run: ['true']}"))
    let failed = try await wait(for: "old", daemon) { $0.state == "failed" }
    #expect(failed.message.string?.hasPrefix("There is no key `ignore-own`.") == true)
    try await wait(for: "site", daemon) { $0.state == "idle" }
  }

  @Test func `a sink whose view does not exist waits for the settings`() async throws {
    let daemon = try RunningDaemon(
      configuration("{name: site, run: ['true'], view: published, initial: true}"))
    let failed = try await wait(for: "site", daemon) { $0.state == "failed" }
    #expect(failed.message.string?.contains("There is no view `published`") == true)
    try notes.write("views: {published: {limit: 1}}\n", to: ".notes-watch.yaml")
    try await wait(for: "site", daemon) { $0.state == "idle" && $0.seq.int == 1 }
  }

  /// Six commands get their changes in six ways, and fail in the middle of their work. What they have
  /// made outside of the folder is the list at the end.
  @Test func `six commands end exact, whatever they fail at and whatever kills the daemon`() async throws {
    for seed in Randomness.seeds(1) {
      var random = SeededGenerator(seed: seed)
      let published = try PublishedFolder()
      let home = try TemporaryFolder()
      let sinks = PublishedFolder.ways.map { way in
        let options = way.options.joined(separator: " ").split(separator: "--").map { option in
          let words = option.split(separator: " ")
          return "\(words[0]): \(words.count > 1 ? String(words[1]) : "true")"
        }
        let words = published.command(way.name, notes.path).joined(separator: ", ")
        return "{name: \(way.name), run: [\(words)], initial: true" + options.map { ", \($0)" }.joined() + "}"
      }
      let text = "folders:\n  - path: \(notes.path)\n    sinks:\n" + sinks.map { "      - \($0)\n" }.joined()
      for _ in 0..<4 {
        let daemon = try RunningDaemon(text, home: home)
        try await daemon.waitUntilOpen()
        for _ in 0..<(2 + random.below(8)) {
          let name = "x\(random.below(4)).yaml"
          if random.oneIn(3) {
            try await notes.shell("rm -f \(name)")
          } else {
            try await notes.replace(name, with: "n: \(random.below(3))")
          }
          try await Task.sleep(for: .milliseconds(random.below(300)))
        }
        daemon.signal(SIGKILL)
        _ = try await daemon.end()
        try await published.waitForOrphans()
        if random.oneIn(2) { try await notes.shell("rm -f x\(random.below(4)).yaml") }
      }
      try published.home.write("", to: "good")
      let daemon = try RunningDaemon(text, home: home)
      try await daemon.waitUntilOpen()
      try await notes.replace("last.yaml", with: "n: 9")
      let items = try await BuiltProgram.json("list", notes.path, "-o", "json")
      let truth = Dictionary(
        uniqueKeysWithValues: items.list.map { ($0.id.string ?? "", "\($0.value.n.int ?? -1)") })
      #expect(truth.count > 2)
      // A sink that has not heard of the last change yet is idle, too.
      for way in PublishedFolder.ways {
        try await daemon.wait(until: "\(way.name) has the list, \(seedNote(seed))") {
          (try? published.values(way.name)) == truth
        }
        try await wait(for: way.name, daemon) { $0.state == "idle" && $0.lag.int == 0 }
        #expect(try published.values(way.name) == truth, "\(way.name), \(seedNote(seed))")
      }
    }
  }

  @Test func `a file gets every change, whatever kills the daemon`() async throws {
    var random = SeededGenerator(seed: Randomness.seeds(1)[0])
    let home = try TemporaryFolder()
    let text = configuration("{name: log, file: \(home.path)/log.jsonl, view: {sort: [-n]}, rotate: 4K}")
    for round in 0..<4 {
      let daemon = try RunningDaemon(text, home: home)
      for number in 0..<4 {
        try await notes.replace("x\(random.below(4)).yaml", with: "n: \(round * 10 + number)")
      }
      if round < 3 {
        try await daemon.wait(until: "the file exists") {
          (try? home.bytes(of: "log.jsonl").isEmpty) == false
        }
        daemon.signal(random.oneIn(3) ? SIGTERM : SIGKILL)
        _ = try await daemon.end()
        let bytes = try home.bytes(of: "log.jsonl")
        let torn = #"{"v":1,"type":"up"#.utf8.prefix(random.below(16))
        if bytes.last == UInt8(ascii: "\n") { try home.write(bytes + Array(torn), to: "log.jsonl") }
        continue
      }
      try await wait(for: "log", daemon) { $0.state == "idle" && $0.lag.int == 0 }
      let list = try await BuiltProgram.json("list", notes.path, "-o", "json", "--sort=-n")
      let ids = list.list.compactMap { $0.id.string.map { ExactText($0) } }
      do {
        // The last line may be incomplete now.
        try await daemon.wait(until: "the file has the list") {
          (try? StreamReader(folding: home.bytes(of: "log.jsonl")))?.ids == ids
        }
      } catch {
        let lines = try await home.shell("cat log.jsonl* | cut -c1-300")
        #expect(try StreamReader(folding: home.bytes(of: "log.jsonl")).ids == ids, "\(lines)")
        throw error
      }
    }
  }
}
