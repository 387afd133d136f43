import Glibc
import TestSupport
import Testing

/// `daemon --check`: the mistakes of a configuration, and what it would run.
@Suite(.timeLimit(.minutes(2))) struct DaemonCheckTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func check(_ configuration: String? = nil, mode: mode_t = 0o644) async throws -> Program.State {
    if let configuration {
      try folder.write(configuration, to: "config.yaml")
      chmod("\(folder.path)/config.yaml", mode)
    }
    return try await BuiltProgram.start(
      ["daemon", "--check", "--config", "config.yaml"], environment: ["HOME": folder.path], in: folder.path
    ).end()
  }

  @Test func `a configuration is shown with absolute paths`() async throws {
    let end = try await check(
      """
      folders:
        - path: ~/notes
          id-field: [uuid, lang]
          settle: 80ms
          max-wait: 1.5s
          audit: 120
          max-size: 3M
          sinks:
            - {name: site, run: [./build.sh, --fast], view: published, stdin: changes, on-error: retry, timeout: 2m}
            - {name: log, file: log.jsonl, view: {sort: [-rating]}, rotate: 10M}
        - {path: other, no-audit: true, poll: false}

      """)
    #expect(end.errorText == "")
    #expect(end.status == .exited(0))
    let home = folder.path
    #expect(end.outputText.contains("2 folders, 2 sinks"))
    let options = "id-field uuid,lang, max-size 3M, settle 80ms, max-wait 1500ms, audit 2m"
    #expect(end.outputText.contains("\(home)/notes, \(options) (does not exist yet"))
    #expect(
      end.outputText.contains("site: runs `./build.sh --fast` in \(home)/notes, for the view `published`"))
    #expect(
      end.outputText.contains(
        "log: appends to \(home)/log.jsonl, for {\"sort\":[\"-rating\"]}; a new file after 10M, 5"))
    #expect(end.outputText.contains("\(home)/other, no-audit (does"))
  }

  /// A configuration with mistakes in each part.
  private static let wrong = """
    folders:
      - path: ~/notes
        id-feld: [uuid]
        max-size: 3X
        settle: [1, 2]
        sinks:
          - {name: site, run: [./build.sh], on-eror: retry}
          - {name: site, file: ~/notes/x.json, view: {srt: [-a], limit: -3}, rotate: 10Q}
          - {name: "a b", run: ./x --y, keep: 3, view: [1]}
          - {name: c, run: [x], null: true}
          - {name: d, run: [x], each: 3, max-failures: 4}
          - {name: e, file: ~/y.jsonl, run: [1]}
          - {run: [""]}
      - {path: ~root, sinks: 3}
      - path: notes
        sinks:
          - {name: s, file: ~/x.jsonl, keep: 0}
          - {name: t, file: x.jsonl, each: true}
          - {name: u, run: [x], max-failures: 3}
          - {name: v, file: config.yaml}
    brows: {}

    """

  /// The places and the beginnings of its messages, in their order.
  private static func mistakes(in folder: String) -> [String] {
    [
      "3:5: There is no setting `id-feld` here. Did you mean `id-field`?",
      "4:15: Expected a size such as 65536, 64K or 10M, found `3X`.",
      "5:13: Expected a time such as 250ms, 2s or 10m, found `1,2`.",
      "7:41: There is no setting `on-eror` here. Did you mean `on-error`?",
      "8:16: There is another sink `site`",
      "8:28: The file would be an item",
      "8:51: There is no setting `srt` here. Did you mean `sort`?",
      "8:69: The number must not be negative",
      "8:82: Expected a size",
      "9:16: `a b` is not a name",
      "9:28: Expected a list of words",
      "9:37: `keep` belongs to a `file` sink",
      "9:52: Expected the name of a view",
      "10:35: null needs stdin ids",
      "11:35: Expected true or false",
      "12:19: `run` and `file` cannot be combined",
      "13:9: `name` is missing",
      "13:15: The command is empty",
      "14:12: Only `~/` is expanded",
      "14:26: Expected a list",
      "15:11: The folder is listed twice",
      "17:36: `keep` needs `rotate`",
      "17:42: Expected an integer from 1",
      "18:25: \(folder)/x.jsonl is the file of the sink `s`",
      "18:34: `each` belongs to a `run` sink",
      "19:43: max-failures needs on-error retry",
      "20:25: \(folder)/config.yaml is the configuration",
      "21:1: There is no setting `brows` here. Did you mean `browse`? The settings are folders, browse, listen.",
    ]
  }

  @Test func `each mistake is reported with its place and a remedy`() async throws {
    let end = try await check(Self.wrong)
    #expect(end.status == .exited(78))
    let expected = Self.mistakes(in: folder.path)
    let lines = end.errorText.split(separator: "\n").map(String.init)
    for sentence in expected {
      #expect(
        lines.contains { $0.hasPrefix("notes-watch: \(folder.path)/config.yaml:\(sentence)") }, "\(sentence)")
    }
    #expect(lines.count == expected.count, "\(end.errorText)")
  }

  @Test func `the mistakes of all values of a sink are reported at once`() async throws {
    let sink = "{name: a, run: [cat], each: maybe, stdin: lines, eech: 1, timeout: soon}"
    let end = try await check("folders: [{path: notes, sinks: [\(sink)]}]\n")
    let lines = end.errorText.split(separator: "\n")
    #expect(lines.count == 4, "\(end.errorText)")
    for part in [
      "Expected true or false, found `maybe`.", "Expected update, changes, ids or none, found `lines`.",
      "no setting `eech`", "found `soon`",
    ] {
      #expect(lines.contains { $0.contains(part) }, "\(part)")
    }
  }

  @Test func `a view that the folder does not have is shown`() async throws {
    try folder.write("views: {best: {sort: -rating}}\n", to: "notes/.notes-watch.yaml")
    let sinks = "[{name: a, run: [cat], view: bets}, {name: b, run: [cat], view: best}]"
    let end = try await check("folders: [{path: notes, sinks: \(sinks)}]\n")
    #expect(end.status == .exited(0))
    #expect(end.outputText.contains("for the view `bets`. There is no view `bets`. Did you mean `best`?"))
    #expect(end.outputText.hasSuffix("for the view `best`\n"))
  }

  @Test func `a path that is not a folder is shown`() async throws {
    try folder.write("", to: "file")
    let end = try await check("folders: [{path: file}]\n")
    #expect(end.status == .exited(0))
    #expect(end.outputText.hasSuffix("\(folder.path)/file (is not a folder, and cannot be served)\n"))
  }

  @Test(arguments: [
    ("folders: [", "1:10: "), ("", "1:1: `folders` is missing"), ("folders: []", "1:10: The list is empty"),
    ("- a", "1:1: Expected a map"),
    ("folders: {a: 1}", "1:10: Expected a list"),
    ("folders: [~/a]", "1:11: Expected a map, found a string. Write `path: ~/a`."),
    ("folders: [[]]", "1:11: Expected a map"),
    ("folders: [{sinks: []}]", "1:11: `path` is missing"),
  ])
  func `a file of another form is refused`(text: String, start: String) async throws {
    let end = try await check(text)
    #expect(end.status == .exited(78))
    #expect(end.errorText.hasPrefix("notes-watch: \(folder.path)/config.yaml:\(start)"), "\(end.errorText)")
  }

  @Test func `one folder cannot be listed twice, also not by a link`() async throws {
    try folder.makeFolder("notes/inner")
    try folder.link("link", to: "notes")
    let end = try await check("folders: [{path: notes}, {path: link}, {path: notes/inner}]\n")
    #expect(end.status == .exited(78))
    #expect(end.errorText.split(separator: "\n").count == 1)
    #expect(
      end.errorText.contains(
        "1:33: The folder is listed twice: entry 1 of `folders` has it as \(folder.path)/notes."))
  }

  @Test func `a file that others can write is refused, because it runs commands`() async throws {
    for mode in [0o666, 0o664, 0o622] as [mode_t] {
      let end = try await check("folders: [{path: notes}]\n", mode: mode)
      #expect(end.status == .exited(77))
      #expect(end.errorText.contains("chmod go-w"))
    }
    #expect(try await check("folders: [{path: notes}]\n", mode: 0o600).status == .exited(0))
    chmod(folder.path, 0o777)
    let end = try await check()
    #expect(end.status == .exited(77))
    #expect(end.errorText.contains("Its folder") || end.errorText.contains("its folder"))
  }

  @Test(.enabled(if: Machine.isRoot, "Only root can change the owner of a file."))
  func `a file of another user is refused`() async throws {
    _ = try await check("folders: [{path: notes}]\n")
    chown("\(folder.path)/config.yaml", 65534, 65534)
    let end = try await check()
    #expect(end.status == .exited(77))
    #expect(end.errorText.contains("another user"))
  }

  @Test func `a missing file, a folder and a pipe are refused without waiting`() async throws {
    #expect(try await check().status == .exited(66))
    try folder.makeFIFO("config.yaml")
    let end = try await check()
    #expect(end.status == .exited(77))
    #expect(end.errorText.contains("not a regular file"))
    try folder.remove("config.yaml")
    try folder.makeFolder("config.yaml")
    #expect(try await check().status == .exited(77))
  }

  @Test func `control characters of a configuration do not reach the terminal`() async throws {
    let end = try await check("folders: [{path: notes, \"a\\e[31m\\u009b\": 1}]\n")
    #expect(end.status == .exited(78))
    #expect(end.errorText.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
    #expect(!end.errorText.unicodeScalars.contains("\u{9B}"))
  }
}
