import Scripts
import TestSupport
import Testing

@testable import Daemon

@Suite struct ConfigurationReaderTests {
  /// Knows all actions but `fly`, all keys but `bad`, and all addresses but `bad`.
  private static let checks = ConfigurationChecks(keys: keyMistakes) { listen in
    listen.address == "bad" ? ("address", "The address is bad.") : nil
  }

  @Sendable private static func keyMistakes(_ bindings: [(action: String, keys: [String])])
    -> [(action: String, key: Int?, message: String)]
  {
    bindings.flatMap { action, keys -> [(action: String, key: Int?, message: String)] in
      if action == "fly" { return [("fly", nil, "There is no action `fly`.")] }
      return keys.indices.filter { keys[$0] == "bad" }.map { (action, $0, "There is no key `bad`.") }
    }
  }

  private static let text = """
    folders:
      - path: ~/notes
        id-field: [uuid, lang]
        poll: true
        sinks: &sinks
          - {name: site, run: [./build.sh, --fast], view: published, timeout: 2m, prefix: true}
          - {name: log, file: log.jsonl, view: {sort: [-rating], where: "n > 3"}, rotate: 10M, keep: 2}
      - {path: /srv//other/./notes/, sinks: []}

    """

  private func read(_ text: some Sequence<UInt8>) throws(ConfigurationFailure) -> DaemonConfiguration {
    var reader = try ConfigurationReader(
      Array(text), file: "/etc/nw/config.yaml", home: "/home/ada", checks: Self.checks)
    return try reader.daemon()
  }

  @Test func `listen is an address, or a map with what belongs to it`() throws {
    let folders = "folders: [{path: /a}]\n"
    #expect(try read(folders.utf8).listen == nil)
    #expect(try read("\(folders)listen: 7747\n".utf8).listen?.address == "7747")
    let text = """
      listen:
        address: "[::1]:80"
        origin: [https://a.example, https://b.example]
        token-file: ~/token
        read-only: true

      """
    var expected = ListenConfiguration()
    expected.address = "[::1]:80"
    expected.origins = ["https://a.example", "https://b.example"]
    expected.tokenFile = "/home/ada/token"
    expected.isReadOnly = true
    #expect(try read("\(folders)\(text)".utf8).listen == expected)
  }

  @Test(arguments: [
    ("listen: bad", "2:9: The address is bad."), ("listen: {address: bad}", "2:19: The address is bad."),
    ("listen: [1]", "2:9: Expected a map, found a list."), ("listen: {}", "2:9: `address` is missing."),
    ("listen: {address: a, read-only: 1}", "2:33: Expected true or false"),
    ("listen: {address: a, orign: b}", "2:22: "),
    ("listen: {address: a, origin: {}}", "2:30: Expected a list"),
  ])
  func `a mistake in listen has its place`(line: String, message: String) throws {
    let error = #expect(throws: ConfigurationFailure.self) {
      try read("folders: [{path: /a}]\n\(line)\n".utf8)
    }
    let found = error?.errors.first?.description ?? ""
    #expect(found.hasPrefix("/etc/nw/config.yaml:\(message)"), "\(found)")
  }

  @Test func `paths are absolute, and options have the values of the command line`() throws {
    let configuration = try read(Self.text.utf8)
    #expect(configuration.folders.map(\.path) == ["/home/ada/notes", "/srv/other/notes"])
    let folder = configuration.folders[0]
    #expect(folder.settings.idField == "uuid,lang")
    #expect(folder.settings.polls)
    var options = CommandSettings()
    options.timeout = .seconds(120)
    #expect(
      folder.sinks[0].kind
        == .run(
          SinkCommand(
            words: ["./build.sh", "--fast"], options: options.options(runsOnce: false), label: "build.sh",
            directory: "/home/ada/notes"
          )))
    #expect(folder.sinks[0].view == .named("published"))
    #expect(folder.sinks[1].kind == .file(SinkFile(path: "/etc/nw/log.jsonl", rotate: 10 << 20, keep: 2)))
  }

  @Test func `options that exclude each other are a mistake at one of them`() {
    func mistake(_ sink: String) -> String? {
      do throws(ConfigurationFailure) {
        _ = try read("folders:\n- path: /srv\n  sinks: [{name: a, run: [cat], \(sink)}]\n".utf8)
      } catch {
        return error.errors.count == 1 ? error.errors[0].description : nil
      }
      return nil
    }
    let place = "/etc/nw/config.yaml:3:"
    #expect(
      mistake("timeout: 1s, null: true")
        == "\(place)52: null needs stdin ids, because only ids can end with NUL.")
    #expect(mistake("timeout: 0, null: true") == "\(place)42: timeout must be more than 0.")
    #expect(mistake("each: true, split-on-error: true")?.hasPrefix("\(place)39: split-on-error has") == true)
    #expect(mistake("on-error: retry, max-failures: 3") == nil)
  }

  private func readBrowse(_ text: String) throws(ConfigurationFailure) -> [(
    action: String, keys: [String]
  )] {
    var reader = try ConfigurationReader(Array(text.utf8), file: "/etc/nw/config.yaml", checks: Self.checks)
    return try reader.browseKeys()
  }

  /// Returns the mistakes of a text as `LINE:COLUMN: message`.
  private func mistakes(in text: String) -> [String] {
    do throws(ConfigurationFailure) { _ = try readBrowse(text) } catch {
      return error.errors.map { String($0.description.dropFirst("/etc/nw/config.yaml:".count)) }
    }
    return []
  }

  @Test func `the keys of the full-screen list are a key or a list of keys`() throws {
    let keys = try readBrowse("browse:\n  keys: {delete: [d, delete], search: ctrl-f, first: 1, undo: []}\n")
    #expect(keys.map(\.action) == ["delete", "search", "first", "undo"])
    #expect(keys.map(\.keys) == [["d", "delete"], ["ctrl-f"], ["1"], []])
  }

  @Test(arguments: ["", "folders: 7\n", "folders: [{path: [], poll: 9}]\n", "browse: {}\n"])
  func `the full-screen list does not depend on the folders of the daemon`(text: String) throws {
    #expect(try readBrowse(text).isEmpty)
  }

  @Test func `a mistake in the keys of the full-screen list has its place`() {
    #expect(mistakes(in: "browse:\n  keys:\n    fly: x\n") == ["3:5: There is no action `fly`."])
    #expect(mistakes(in: "browse:\n  keys:\n    undo: [u, bad]\n") == ["3:15: There is no key `bad`."])
    #expect(mistakes(in: "browse:\n  keys:\n    undo: bad\n") == ["3:11: There is no key `bad`."])
    #expect(mistakes(in: "browse: {keys: {undo: ~}}\n").first?.contains("in quotes") == true)
    #expect(mistakes(in: "browse: {kays: {}}\n").first?.contains("`keys`") == true)
    #expect(mistakes(in: "browze: {}\n").first?.contains("`browse`") == true)
    #expect(mistakes(in: "browse: 7\n").first?.contains("Expected a map") == true)
    #expect(mistakes(in: "browse: {keys: {undo: {a: b}}}\n").first?.contains("Expected a list") == true)
  }

  @Test func `the daemon checks the keys of the full-screen list and does not depend on them`() throws {
    let keys = "browse: {keys: {undo: u}}\n"
    #expect(try read((Self.text + keys).utf8) == read(Self.text.utf8))
    let failure = #expect(throws: ConfigurationFailure.self) {
      try read((Self.text + "browse: {keys: {fly: u}}\n").utf8)
    }
    #expect(failure?.errors.map(\.message) == ["There is no action `fly`."])
  }

  @Test func `a key of an earlier version is refused by its sink, not by the configuration`() throws {
    func refusal(_ keys: String) throws -> String? {
      let text = "folders: [{path: /srv, sinks: [{name: a, run: [cat]\(keys)}]}]\n"
      guard case .run(let command)? = try read(text.utf8).folders.first?.sinks.first?.kind else { return nil }
      return command.refusal
    }
    #expect(
      try refusal(", ignore-own: true")?.hasPrefix("There is no key `ignore-own`. Let the command write only")
        == true)
    #expect(try refusal("") == nil)
  }

  @Test func `equal texts are equal configurations, and a change is one`() throws {
    #expect(try read(Self.text.utf8) == read(("# a comment\n" + Self.text).utf8))
    #expect(
      try read(Self.text.utf8)
        != read(Self.text.replacing("2m", with: "3m").replacing("--fast", with: "--slow").utf8))
  }

  @Test func `an earlier file of a sink cannot replace a file of another one`() {
    func first(_ sinks: String) -> String? {
      do throws(ConfigurationFailure) {
        _ = try read("folders: [{path: /srv, sinks: [\(sinks)]}]\n".utf8)
      } catch {
        return error.errors.first?.message
      }
      return nil
    }
    let other = "{name: b, file: /var/x.jsonl.2}"
    #expect(
      first("{name: a, file: /var/x.jsonl, rotate: 1K, keep: 2}, \(other)")?.contains(
        "replaced by the sink `a`") == true)
    #expect(
      first("\(other), {name: a, file: /var/x.jsonl, rotate: 1K}")?.contains("replaced by the sink `a`")
        == true)
    #expect(first("{name: a, file: /var/x.jsonl, rotate: 1K, keep: 1}, \(other)") == nil)
    #expect(first("{name: a, file: /var/x.jsonl}, \(other)") == nil)
  }

  @Test func `a path that is longer than the system allows is a mistake`() {
    let path = String(repeating: "/a", count: 200_000)
    let failure = #expect(throws: ConfigurationFailure.self) { try read("folders: [{path: \(path)}]\n".utf8) }
    #expect(failure?.errors.first?.message.contains("limit of the system") == true)
  }

  @Test(.timeLimit(.minutes(1)))
  func `no text makes the reader fail in another way than by mistakes with places`() {
    let pieces = [
      "folders", "browse", "keys", ":", "[", "]", "{", "}", "- ", "\n", "  ", "*sinks", "<<: ", "&a", "null",
      "~", "\"", "9e999", "\0",
    ]
    for seed in Randomness.seeds(400) {
      var random = SeededGenerator(seed: seed)
      var bytes = Array(Self.text.utf8)
      for _ in 0...random.below(6) {
        let start = random.below(bytes.count + 1)
        switch random.below(3) {
        case 0: bytes.removeSubrange(start..<min(bytes.count, start + random.below(12)))
        case 1: bytes.insert(contentsOf: random.one(of: pieces).utf8, at: start)
        default: bytes.insert(UInt8(random.below(256)), at: start)
        }
      }
      do throws(ConfigurationFailure) {
        let configuration = try read(bytes)
        #expect(!configuration.folders.isEmpty, "\(seedNote(seed))")
      } catch {
        #expect(!error.errors.isEmpty, "\(seedNote(seed))")
        #expect(error.errors.allSatisfy { $0.place != nil }, "\(seedNote(seed))")
      }
    }
  }
}
