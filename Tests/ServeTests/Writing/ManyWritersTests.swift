import HTTPTypes
import Serve
import Store
import TestSupport
import Testing
import TextEdits
import Values

/// Clients with patches and with undo, an editor that renames over the file, and
/// `git checkout`, in random order on one file of an unusual form.
struct ManyWritersTests {
  /// A file, the id of its item, and its keys.
  private struct Form {
    let name: String
    var id = "n"
    let text: String
    var settings: String?
  }

  private static let forms = [
    Form(name: "n.yaml", text: "# head\nk0: 0  # note\n\nk1: 'x'\nk2: [1, 2.50]\nk3: {a: 1}\n# end"),
    Form(
      name: "n.yaml", text: "\u{FEFF}k0: 0 # bom\r\nk1: \"x\"\r\nk2:\r\n- 1 # one\r\n- 2\r\nk3:\r\n  a: 1\r\n"
    ),
    Form(
      name: "n.yaml", text: "k0: &zero 0\nk1: *zero\nk2: &list [a]\nk3: *list\nother: {<<: &m {a: 1}, b: 2}\n"
    ),
    Form(name: "n.json", text: "{ \"k0\" : 0,\"k1\":\"x\",\r\n\t\"k2\": [ 1,2.50 ], \"k3\": {\"a\":1e2} }"),
    Form(
      name: "n.md",
      text: "---\r\nk0: 0\r\nk1: x # note\r\nk2: [a]\r\nk3: {a: 1}\r\n---\r\n# Title\r\n\r\ntext  \r\n"),
    Form(
      name: "n.yaml",
      text: "k0: 0\n\"\": empty\n\"caf\u{E9}\": 1\n\"cafe\u{301}\": 2\nk1: 1\nk2: []\nk3: {}\n"),
    Form(
      name: "file.yaml", id: "u%2F1", text: "uid: u/1\nk0: 0\nk1: x # note\nk2: [a]\nk3: {a: 1}\n",
      settings: "id-field: uid\n"),
  ]

  /// A change that was accepted, for its undo.
  private struct Made {
    let token: String
    let before: [UInt8]
    let after: [UInt8]
  }

  @Test(arguments: forms.indices)
  func `nothing is changed that nobody asked to change`(number: Int) async throws {
    let form = Self.forms[number]
    for seed in Randomness.seeds(4) {
      var generator = SeededGenerator(seed: seed)
      let served = try await Self.serve(form)
      var tags = ["*"]
      var made: [Made] = []
      var (accepted, refused, undone) = (0, 0, 0)
      for round in 1...40 {
        let before = try served.folder.bytes(of: form.name)
        let note = { (text: String) -> Comment in
          Comment(
            rawValue:
              "\(seedNote(seed)), round \(round) of \(form.name) \(number): \(text) on\n\(String(decoding: before, as: UTF8.self))"
          )
        }
        switch generator.below(10) {
        case 0: try served.folder.shell("git commit -q -a --allow-empty -m \(round)")
        case 1:
          try served.folder.shell(
            "git checkout -q $(git rev-list --all | sort | head -\(1 + generator.below(4)) | tail -1) -- .")
        case 2:
          let path = FieldPath(keys: ["k\(generator.below(4))"])
          let edited = try? ItemText(before, as: Self.format(form)).applying([
            .set(path, .number(.integer(round)))
          ])
          try served.folder.write(edited ?? before, to: ".swap")
          try served.folder.shell("mv .swap \(form.name)")
        case 3 where !made.isEmpty:
          let change = generator.one(of: made)
          let answer = try await served.send(
            .post, "/undo", [.contentType: "application/json"], "{\"undo\":\"\(change.token)\"}")
          let after = try served.folder.bytes(of: form.name)
          #expect(answer.status == (before == change.after ? 200 : 409), note("undo \(answer.text)"))
          #expect(after == (before == change.after ? change.before : before), note("undo"))
          if answer.status == 200 {
            made.removeAll { $0.token == change.token }
            made.append(Made(token: answer.json["undo"]?.text ?? "", before: before, after: after))
            undone += 1
          }
        default:
          let tag = generator.one(of: tags.suffix(3))
          let patch = Self.patch(&generator, round)
          let fields = (try? ItemText(before, as: Self.format(form)).fields.get())?.value.fields ?? [:]
          let wanted = patch.wanted(fields)
          var headers: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: tag]
          if generator.oneIn(2), let name = HTTPField.Name("Prefer") { headers[name] = "merge" }
          let answer = try await served.send(.patch, "/item?id=\(form.id)", headers, patch.body)
          let after = try served.folder.bytes(of: form.name)
          #expect([200, 412, 422].contains(answer.status), note("\(patch.body) answers \(answer.text)"))
          if answer.status == 200 {
            accepted += 1
            let found = (try? ItemText(after, as: Self.format(form)).fields.get())?.value
            #expect(
              found.map { $0.hasSameValue(as: wanted) } == true,
              note("\(patch.body) gives \(String(decoding: after, as: UTF8.self))"))
            let keepsLines = form.name.hasSuffix("json") || Self.keepsLines(before, after, except: patch.key)
            #expect(keepsLines, note("\(patch.body) gives \(String(decoding: after, as: UTF8.self))"))
            if let token = answer.json["undo"]?.text {
              made.append(Made(token: token, before: before, after: after))
            }
            tags.append(answer.tag)
          } else {
            refused += 1
            #expect(after == before, note("\(patch.body) answers \(answer.status)"))
            tags.append(try await served.tag(form.id))
          }
        }
      }
      #expect(accepted > 0)
      #expect(accepted + refused + undone > 10)
    }
  }

  /// A patch of one field.
  private struct Patch {
    let body: String
    let key: String
    let value: Value?

    /// Returns the values after the patch.
    func wanted(_ fields: Fields) -> Value {
      var fields = fields
      if case .map(let part)? = value {
        fields[key] = .map((fields[key]?.fields ?? [:]).merging(part))
      } else {
        fields[key] = value
      }
      return .map(fields)
    }
  }

  private static func patch(_ generator: inout SeededGenerator, _ round: Int) -> Patch {
    let key = generator.one(of: ["k0", "k1", "k2", "k3", "new", "", "caf\u{E9}"])
    let value: Value? =
      switch generator.below(5) {
      case 0: nil
      case 1: .list([.number(.integer(round)), "x"])
      case 2: ["a": .number(.integer(round))]
      case 3: .string("text \(round): # \"x\"")
      default: .number(.integer(round))
      }
    return Patch(body: JSONWriter.text(of: .map([key: value ?? .null])), key: key, value: value)
  }

  private static func format(_ form: Form) -> TextFormat {
    form.name.hasSuffix("json") ? .json : form.name.hasSuffix("md") ? .markdown : .yaml
  }

  /// Returns true if each line is still there that does not belong to a key.
  private static func keepsLines(_ before: [UInt8], _ after: [UInt8], except key: String) -> Bool {
    // The byte order mark stays at the start, whichever line is first.
    func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
      bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).split { $0 == 0x0A || $0 == 0x0D }
    }
    let kept = Set(lines(after))
    let names = (key.isEmpty ? ["\"\"", "''"] : [key]).map { Array($0.utf8) }
    var isOwn = false
    for line in lines(before) {
      let isPart =
        line.first == 0x20 || line.first == 0x2D && line != Array("---".utf8)[...] || line.first == 0x09
      if !isPart { isOwn = names.contains { Array(line).firstRange(of: $0) != nil } }
      if !isOwn, !kept.contains(line) { return false }
    }
    return true
  }

  private static func serve(_ form: Form) async throws -> ServedFolder {
    var files = [form.name: form.text]
    files[".notes-watch.yaml"] = form.settings
    let served = try await ServedFolder(files)
    try served.folder.shell("git init -q -b main .; git add -A; git commit -q -m first")
    return served
  }
}
