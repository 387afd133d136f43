import Foundation
import TestSupport
import Testing

/// Signals to a running daemon: reloads and ends.
@Suite(.serialized, .timeLimit(.minutes(4))) struct DaemonReloadTests {
  private let notes: TemporaryFolder
  private let other: TemporaryFolder

  init() throws {
    notes = try TemporaryFolder(["a.yaml": "n: 1\n"])
    other = try TemporaryFolder(["b.yaml": "n: 2\n"])
  }

  /// A command that prints its number, and then reads for ever.
  private func persistent(_ name: String, _ label: String = "x") -> String {
    "{name: \(name), run: [sh, -c, 'echo pid $$; while read l; do :; done', \(label)], persistent: true}"
  }

  private func configuration(_ sinks: String..., folders: String = "") -> String {
    "folders:\n  - path: \(notes.path)\n    sinks:\n" + sinks.map { "      - \($0)\n" }.joined() + folders
  }

  private func output(of name: String, in status: JSON) -> String? {
    status.folders[0].sinks.list.first { $0.name == .string(name) }?.output[0].string
  }

  @Test func `a reload keeps what did not change, and replaces what did`() async throws {
    let daemon = try RunningDaemon(
      configuration(persistent("kept"), persistent("changed"), persistent("gone")))
    let names = ["kept", "changed", "gone"]
    let before = try await daemon.waitUntilStatus("all commands run") { status in
      names.allSatisfy { output(of: $0, in: status) != nil }
    }
    let client = try daemon.connect()
    client.send(line: "{\"v\":1,\"folder\":\"\(notes.path)\"}")
    _ = try client.nextJSON()
    try daemon.write(
      configuration: configuration(
        persistent("kept"), persistent("changed", "y"), persistent("new"),
        folders: "  - path: \(other.path)\n"))
    daemon.signal(SIGHUP)
    let after = try await daemon.waitUntilStatus("the new configuration is in effect") { status in
      status.folders[1].state == "open" && output(of: "new", in: status) != nil
        && output(of: "changed", in: status) != nil
        && output(of: "gone", in: status) == nil
    }
    #expect(output(of: "kept", in: before) == output(of: "kept", in: after))
    #expect(output(of: "changed", in: before) != output(of: "changed", in: after))
    // The client of the folder that stayed is still served.
    try await notes.shell("echo 'n: 5' >c.yaml")
    var type: String?
    while type != "update" { type = try client.nextJSON().type.string }
    for name in ["changed", "gone"] {
      let process = output(of: name, in: before)?.split(separator: " ").last.flatMap { pid_t($0) } ?? 0
      #expect(process > 1)
      #expect(kill(process, 0) != 0, "\(name)")
    }
  }

  @Test func `a folder that is removed ends its clients and its sinks`() async throws {
    let daemon = try RunningDaemon(configuration(persistent("one"), folders: "  - path: \(other.path)\n"))
    try await daemon.waitUntilStatus("the command runs") {
      output(of: "one", in: $0) != nil && $0.folders[1].state == "open"
    }
    let client = try daemon.connect()
    client.send(line: "{\"v\":1,\"folder\":\"\(notes.path)\"}")
    _ = try client.nextJSON()
    try daemon.write(configuration: "folders: [{path: \(other.path)}]\n")
    daemon.signal(SIGHUP)
    try await daemon.waitUntilStatus("one folder is left") { $0.folders.list.count == 1 }
    while (try? client.nextJSON()) != nil {}
    try await daemon.wait(until: "no child is left") {
      try Shell.run("cat /proc/\(daemon.process)/task/*/children 2> /dev/null || true", in: "/")
        .allSatisfy(\.isWhitespace)
    }
  }

  @Test func `a file with mistakes changes nothing, and is reported`() async throws {
    let daemon = try RunningDaemon(configuration(persistent("kept")))
    let before = try await daemon.waitUntilStatus("the command runs") { output(of: "kept", in: $0) != nil }
    try daemon.write(configuration: "folders:\n  - {path: \(other.path), sinks: 3}\n")
    daemon.signal(SIGHUP)
    try await daemon.wait(until: "the mistake is logged") {
      daemon.log.contains("config.yaml:2:") && daemon.log.contains("old one")
    }
    let after = try daemon.status()
    #expect(after.folders.list.count == 1)
    #expect(output(of: "kept", in: before) == output(of: "kept", in: after))
  }

  @Test func `other options of a folder open it again`() async throws {
    let daemon = try RunningDaemon("folders:\n  - path: \(notes.path)\n")
    try await daemon.waitUntilOpen()
    try notes.write("n: 1\nuid: one\n", to: "a.yaml")
    try daemon.write(configuration: "folders:\n  - {path: \(notes.path), id-field: uid}\n")
    daemon.signal(SIGHUP)
    try await daemon.wait(until: "the id is the field") {
      let client = try daemon.connect()
      client.send(line: "{\"v\":1,\"folder\":\"\(notes.path)\",\"id-field\":\"uid\"}")
      _ = try client.nextJSON()
      return (try? client.nextJSON().sections[0].items[0].id) == "one"
    }
  }

  @Test func `SIGTERM ends the commands, and a second one ends the daemon at once`() async throws {
    let stubborn =
      "{name: s, run: [sh, -c, 'trap \"\" TERM; echo pid $$; while :; do sleep 0.05; done'], initial: true}"
    for isSecond in [false, true] {
      let daemon = try RunningDaemon(configuration(stubborn))
      let status = try await daemon.waitUntilStatus("the command runs") { output(of: "s", in: $0) != nil }
      let process = output(of: "s", in: status)?.split(separator: " ").last.flatMap { pid_t($0) } ?? 0
      daemon.signal(SIGTERM)
      if isSecond {
        try await daemon.wait(until: "it ends") { daemon.log.contains("The daemon ends") }
        daemon.signal(SIGINT)
      }
      #expect(try await daemon.end() == 128 + (isSecond ? SIGINT : SIGTERM))
      #expect(process > 1)
      try await notes.shell(
        "for i in $(seq 100); do kill -0 \(process) 2>/dev/null || exit 0; sleep 0.05; done; exit 1")
      #expect(access(daemon.socket, F_OK) != 0 || isSecond)
    }
  }

  @Test func `SIGTERM waits for the commands of a folder that was just removed`() async throws {
    let home = try TemporaryFolder()
    let end = "sleep 0.5; : >\"\(home.path)/done\"; exit 0"
    let slow =
      "{name: s, run: [sh, -c, 'trap \"$0\" TERM; echo pid $$; while :; do sleep 0.05; done', '\(end)'], initial: true}"
    let daemon = try RunningDaemon(configuration(slow, folders: "  - path: \(other.path)\n"))
    try await daemon.waitUntilStatus("the command runs") { output(of: "s", in: $0) != nil }
    try daemon.write(configuration: "folders: [{path: \(other.path)}]\n")
    daemon.signal(SIGHUP)
    try await daemon.wait(until: "it is reloaded") { daemon.log.contains("The configuration is reloaded") }
    daemon.signal(SIGTERM)
    #expect(try await daemon.end() == 128 + SIGTERM)
    #expect(access("\(home.path)/done", F_OK) == 0)
  }

  @Test func `reloads leave one wait for a missing folder`() async throws {
    let few = "folders:\n  - path: \(notes.path)\n  - path: \(notes.path)/missing\n"
    let daemon = try RunningDaemon(few)
    try await daemon.waitUntilStatus("it waits") {
      $0.folders[0].state == "open" && $0.folders[1].state == "waiting"
    }
    func watches() throws -> Int {
      let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.process)/fd").compactMap
      {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(daemon.process)/fd/\($0)")
      }
      return links.count { $0.contains("inotify") }
    }
    // One for the open folder, one for the wait.
    try await daemon.wait(until: "both are watched") { try watches() == 2 }
    for _ in 0..<5 {
      try daemon.write(configuration: few + "  - path: \(other.path)\n")
      daemon.signal(SIGHUP)
      try await daemon.waitUntilStatus("it is added") { $0.folders[2].state == "open" }
      try daemon.write(configuration: few)
      daemon.signal(SIGHUP)
      try await daemon.waitUntilStatus("it is removed") { $0.folders.list.count == 2 }
    }
    try await daemon.wait(until: "as many are left as at the start") { try watches() == 2 }
  }

  @Test func `the last acknowledgement is written before the end`() async throws {
    let home = try TemporaryFolder()
    try notes.write(
      "#!/bin/sh\nwhile read -r l; do echo \"$l\" >>'\(home.path)/got'; "
        + "echo \"$l\" | sed 's/.*\"seq\":\\([0-9]*\\).*/\\1/'; done\n",
      to: "ack.sh")
    chmod("\(notes.path)/ack.sh", 0o755)
    let text = configuration("{name: s, run: [./ack.sh], persistent: true}")
    var daemon = try RunningDaemon(text, home: home)
    try await daemon.waitUntilOpen()
    try await notes.shell("echo 'n: 5' >c.yaml")
    try await daemon.waitUntilStatus("the line is acknowledged") {
      ($0.folders[0].sinks[0].seq.int ?? 0) == 2
    }
    try await daemon.stop()
    daemon = try RunningDaemon(text, home: home)
    let sink = try await daemon.waitUntilStatus("it is open again") { $0.folders[0].sinks[0].seq.int == 2 }
      .folders[0].sinks[0]
    #expect(sink.lag.int == 0)
    #expect(try home.bytes(of: "got").split(separator: UInt8(ascii: "\n")).count == 1)
  }

  @Test func `SIGUSR1 logs the counters`() async throws {
    let daemon = try await RunningDaemon(folders: [notes.path])
    daemon.signal(SIGUSR1)
    try await daemon.wait(until: "the counters are logged") {
      daemon.log.contains("\(notes.path): {\"items\":1,")
    }
  }
}
