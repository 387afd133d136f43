import PlainStore
import TestSupport
import Testing
import Values

@testable import Server

@Suite struct ClientRequestTests {
  private static func read(_ text: String) throws -> ClientRequest {
    try ClientRequest(reading: Array(text.utf8))
  }

  private static func refusal(_ text: String) -> RequestError? {
    do { _ = try read(text) } catch { return error as? RequestError }
    return nil
  }

  @Test func `a view is a name, a map, or both`() throws {
    #expect(try Self.read(#"{"v":1,"folder":"/a"}"#) == .stream(ViewRequest(folder: "/a")))
    #expect(
      try Self.read(#"{"v":1,"folder":"/a","view":"x"}"#) == .stream(ViewRequest(folder: "/a", name: "x")))
    var own = ViewDefinition()
    own.search = "re"
    #expect(
      try Self.read(#"{"v":1,"folder":"/a","view":{"search":"re","limit":null}}"#)
        == .stream(ViewRequest(folder: "/a", own: own)))
    let both = ViewRequest(folder: "/a", name: "x", own: own)
    #expect(try Self.read(#"{"v":1,"folder":"/a","view":{"search":"re"},"named":"x"}"#) == .stream(both))
  }

  @Test func `unknown keys are ignored, except in a view`() throws {
    #expect(
      try Self.read(#"{"v":1,"folder":"/a","colour":"red","since":null}"#)
        == .stream(ViewRequest(folder: "/a")))
    let error = try #require(Self.refusal(#"{"v":1,"folder":"/a","view":{"serch":"x"}}"#))
    #expect(error.code == .badView)
    #expect(error.message.contains("Did you mean `search`?"))
    #expect(Self.refusal(#"{"v":1,"folder":"/a","view":{"serch":null}}"#)?.code == .badView)
  }

  @Test(arguments: [
    #"{"folder":"/a"}"#, #"{"v":2,"folder":"/a"}"#, #"{"v":"1","folder":"/a"}"#, #"{"v":1}"#,
    #"{"v":1,"folder":"a"}"#,
    #"{"v":1,"folder":7}"#, #"{"v":1,"folder":"/a","view":3}"#,
    #"{"v":1,"folder":"/a","view":"x","named":"y"}"#,
    #"{"v":1,"folder":"/a","max-size":-1}"#, #"{"v":1,"folder":"/a","output":{}}"#,
    #"{"v":1,"folder":"/a","output":{"format":"xml"}}"#,
    #"{"v":1,"folder":"/a","output":{"format":"csv"}}"#,
    #"{"v":1,"folder":"/a","since":"t","output":{"format":"text"}}"#,
    #"{"v":1,"folder":"/a","output":{"format":"text","columns":1.5}}"#, #"{"v":1,"request":"stop"}"#,
    #"{"v":1,"request":"retry","folder":"/a"}"#,
    "", "[]", "7", "{", "\u{0}", #"{"v":1,"v":1,"folder":"/a"}"#,
  ]) func `a wrong request is refused`(text: String) {
    #expect(Self.refusal(text)?.code == .badRequest)
  }

  @Test func `a refusal of another version names the one that is spoken`() {
    #expect(Self.refusal(#"{"v":2,"folder":"/a"}"#)?.message.contains("version 1") == true)
  }

  @Test func `a line that is too long is refused`() {
    #expect(throws: RequestError.self) { try ClientRequest(reading: nil) }
  }

  @Test func `every request reads as it was written`() throws {
    for seed in Randomness.seeds(200) {
      var random = SeededGenerator(seed: seed)
      let request = random.request()
      #expect(try ClientRequest(reading: request.line.dropLast()) == request, "\(seedNote(seed))")
    }
  }

  @Test func `made-up bytes never trap`() {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      var line = random.request().line
      for _ in 0...random.below(4) { line[random.below(line.count)] = UInt8(random.below(256)) }
      _ = try? ClientRequest(reading: line)
      _ = ServerLine(reading: line)
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func word() -> String {
    one(of: ["a", "größe", "x y", "\"", "\\", "\u{1B}[0m", "名", "-", "%41"])
  }

  fileprivate mutating func maybe<Part>(_ part: Part) -> Part? { oneIn(2) ? part : nil }

  fileprivate mutating func request() -> ClientRequest {
    switch below(4) {
    case 0: return .status(folder: maybe("/\(word())"))
    case 1: return .retry(sink: word(), folder: "/\(word())")
    case 2: return .stream(view())
    default:
      var view = view()
      view.since = nil
      let format = one(of: OutputRequest.Format.allCases)
      let form = OutputRequest(
        format, name: maybe(word()), usesColor: oneIn(2), columns: maybe(below(300)), isTerminal: oneIn(2),
        once: format != .text || oneIn(2))
      return .rendered(view, form)
    }
  }

  private mutating func view() -> ViewRequest {
    var own = ViewDefinition()
    own.search = maybe(word())
    own.limit = maybe(below(10))
    own.fields = maybe(["name", "a.b"])
    own.predicate = maybe((try? ItemPredicate(parsing: "rating > 3")) ?? nil) ?? nil
    return ViewRequest(
      folder: "/\(word())", name: maybe(word()), own: own, since: maybe(word()), idField: maybe("uuid"),
      maxSize: maybe(below(1_000)))
  }
}
