import Files
import Printing
import TestSupport
import Testing
import Values

@testable import notes_watch

/// The table of `status`.
@Suite struct StatusTableTests {
  private static let status: Fields = [
    "pid": 4711, "version": "0.14.0", "started": "2026-11-22T19:00:12Z",
    "config": "/home/ada/.config/notes-watch/config.yaml",
    "socket": "/run/user/1000/notes-watch/daemon.sock", "memory": 48_300_000, "clients": 3,
    "folders": [
      [
        "path": "/home/ada/notes", "state": "open", "items": 1204, "problems": 2, "clients": 1,
        "counters": ["watches": 12, "overflows": 0],
        "sinks": [
          [
            "name": "site", "kind": "run", "state": "parked", "seq": 17, "lag": 3,
            "since": "2026-11-22T18:58:00Z",
            "lastRun": "2026-11-22T18:59:01Z", "lastExit": 1, "failures": 20,
            "message": "The run failed 20 times.",
            "output": ["one", "two", "three", "four"],
          ],
          ["name": "log", "kind": "file", "state": "idle", "seq": 41, "lag": 0, "output": []],
        ],
      ],
      [
        "path": "/home/ada/later", "state": "waiting", "reason": "The folder does not exist.", "items": 0,
        "problems": 0, "clients": 0,
      ],
    ],
  ]

  private func text(_ status: Fields, width: Int? = nil, usesColor: Bool = false, isDetailed: Bool = false)
    -> String
  {
    let options = TextOptions(width: width, usesColor: usesColor, isTerminal: width != nil)
    return String(decoding: StatusTable(status, options, isDetailed: isDetailed).bytes, as: UTF8.self)
  }

  @Test func `the table has the daemon, its folders and their sinks`() {
    #expect(
      text(Self.status) == """
        Daemon 0.14.0, process 4711, since 2026-11-22T19:00:12Z, 48 MB, 3 clients
        Configuration: /home/ada/.config/notes-watch/config.yaml
        Socket: /run/user/1000/notes-watch/daemon.sock

        /home/ada/notes
          open, 1204 items, 2 problems, 1 client
          sink  kind  state   seq  lag  last run              exit
          site  run   parked   17    3  2026-11-22T18:59:01Z  1
            waiting since 2026-11-22T18:58:00Z
            The run failed 20 times.
            | two
            | three
            | four
          log   file  idle     41    0

        /home/ada/later
          waiting, 0 items, 0 problems, 0 clients
            The folder does not exist.

        """)
  }

  @Test func `the table of one folder has counters and all output lines`() {
    let text = text(Self.status, isDetailed: true)
    #expect(text.contains("\n  counters: watches 12, overflows 0\n"))
    #expect(text.contains("    | one\n    | two\n"))
  }

  @Test func `sentences continue on the next line of a narrow terminal`() {
    let message =
      "`sh` failed with exit code 3. The sink stops. Continue with `notes-watch retry /home/ada/notes site` or SIGHUP."
    let sinks: Value = [["name": "s", "message": .string(message)]]
    let folder: Value = [
      "path": "/n", "state": "open", "counters": ["watches": 12, "overflows": 0], "sinks": sinks,
    ]
    let status: Fields = ["folders": [folder]]
    let lines = text(status, width: 30, isDetailed: true).split(separator: "\n").map(String.init)
    #expect(lines.contains("  counters: watches 12,"))
    #expect(lines.contains("  overflows 0"))
    #expect(lines.filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }.joined(separator: " ") == message)
  }

  @Test func `a long name of a sink is cut on a terminal only`() {
    let name = String(repeating: "x", count: 64)
    let status: Fields = [
      "folders": [
        ["path": "/n", "sinks": [["name": .string(name), "kind": "file", "state": "idle", "lastExit": 3]]]
      ]
    ]
    #expect(text(status).contains("  \(name)  file  idle"))
    let row = text(status, width: 80).split(separator: "\n").last.map(String.init) ?? ""
    #expect(row.hasPrefix("  \(String(repeating: "x", count: 19))…  file"))
    #expect(row.hasSuffix("  3"))
  }

  @Test func `a long word of a sentence is cut, and so is an endless sentence`() {
    let word = String(repeating: "x", count: 100)
    for text in ["\(word) and more", String(repeating: "ab ", count: 5_000), word] {
      let status: Fields = ["folders": [["path": "/n", "state": "waiting", "reason": .string(text)]]]
      let lines = self.text(status, width: 40).split(separator: "\n").dropFirst(3)
      #expect(lines.contains { $0.contains("…") })
      #expect(lines.count <= 12)
    }
  }

  @Test func `an empty answer has an empty table`() {
    #expect(text([:]) == "Daemon\n")
  }

  @Test func `no answer controls the terminal or is wider than it`() {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let hostile = Self.hostile(.map(Self.status), &random).fields ?? [:]
      let width = 20 + random.below(100)
      let text = text(hostile, width: width, usesColor: random.oneIn(2), isDetailed: random.oneIn(2))
      #expect(TerminalSafety.offenders(in: text).isEmpty, "\(seedNote(seed))")
      let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      let widest = plain.split(separator: "\n").map { DisplayText.width(of: String($0)) }.max() ?? 0
      #expect(widest <= width, "\(seedNote(seed))")
    }
  }

  /// Returns a value with random parts replaced by strings that try to control a terminal, or by
  /// values of other kinds.
  private static func hostile(_ value: Value, _ random: inout SeededGenerator) -> Value {
    if random.oneIn(12) {
      return random.one(of: [
        "\u{1B}[31m\u{9B}2J", "a\nb\r\tc", "\u{202E}back", .null, 5, .number(.literal("1e999")), [], [:],
        .bool(true),
        .string(String(repeating: "日本", count: 40)),
      ])
    }
    switch value {
    case .list(let elements): return .list(elements.map { hostile($0, &random) })
    case .map(let fields):
      var changed: Fields = [:]
      for (key, value) in fields { changed[key] = hostile(value, &random) }
      return .map(changed)
    default: return value
    }
  }
}
