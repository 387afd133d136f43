import ArgumentParser
import Printing
import Store
import Terminal

/// The options of `browse` as a filter in a pipeline.
struct ChoiceOptions: ParsableArguments {
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case id, path, json
  }

  @Option(
    name: .customLong("print"),
    help: ArgumentHelp(
      "Print the chosen items after Enter: their ids, the paths of their files, or JSON Lines.",
      valueName: "FORM"))
  var form: Form?

  @Flag(help: "Let Space choose several items; with --search-first, Tab. Needs --print.")
  var multi = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Let these keys choose, too: ctrl-v,alt-enter,f2. The first line of the output is then the key, or \
      empty for Enter. Needs --print.
      """,
      valueName: "KEYS"))
  var expect: String?

  @Flag(
    name: .customLong("select-1"),
    help: "If the list starts with exactly one item, choose it without showing the list. Needs --print.")
  var selectsOnly = false

  @Flag(
    name: .customLong("exit-0"),
    help: "If the list starts empty, exit with 1 without showing it. Needs --print.")
  var exitsWhenEmpty = false

  func expectedKeys() throws -> [Key] {
    guard let expect else { return [] }
    let names = expect.split(separator: ",", omittingEmptySubsequences: false)
    return try names.map { name in
      if let key = Key(parsing: String(name)) { return key }
      throw ValidationError(
        "--expect: `\(name)` is not the name of a key. Write names such as ctrl-v, alt-enter, f2 or x.")
    }
  }

  func validate() throws {
    _ = try expectedKeys()
    if form != nil { return }
    let given = [
      ("--multi", multi), ("--expect", expect != nil), ("--select-1", selectsOnly),
      ("--exit-0", exitsWhenEmpty),
    ]
    guard let option = given.first(where: \.1)?.0 else { return }
    throw ValidationError(
      "\(option) needs --print, because without it nothing is chosen. Add --print id, path or json.")
  }

  /// Prints an item once, even if several of its rows were chosen. `key` is nil for Enter.
  func lines(
    of ids: [Item.ID], key: Key?, folder: String, list: ListSnapshot<Item>?, isTerminal: Bool,
    item: (Item.ID) -> Item?
  ) -> (lines: [UInt8], failures: [Failure]) {
    var (lines, failures): ([UInt8], [Failure]) = ([], [])
    if expect != nil { lines += Array("\(key.map { "\($0)" } ?? "")\n".utf8) }
    var known: Set<Item.ID> = []
    for id in ids where known.insert(id.item).inserted {
      if form == .id {
        lines += IDWriter(isTerminal: isTerminal).line(of: id)
        continue
      }
      guard let item = item(id.item) else {
        failures.append(Failure(.noInput, "The item `\(id.item)` does not exist any more."))
        continue
      }
      if form == .json {
        let fields = list?.request.fields ?? []
        lines += ItemListWriter.line(of: item, section: list?.section(of: id), showing: fields)
      } else {
        let path = ChoiceOptions.path(of: item.path, in: folder)
        // A file could pass for two lines, and so for another file.
        if path.contains(where: { $0 == UInt8(ascii: "\n") || $0 == 0 }) {
          let advice = "Use --print id or --print json."
          failures.append(
            Failure(.badData, "The path of the item `\(item.id)` contains a line break. \(advice)"))
        } else {
          lines +=
            isTerminal ? Array(DisplayText.safe(String(decoding: path, as: UTF8.self)).utf8) : path
          lines.append(UInt8(ascii: "\n"))
        }
      }
    }
    return (lines, failures)
  }

  /// In the bytes of the system, and never with a dash or a plus first, which a program would take for an option
  /// or a command.
  static func path(of path: RelativePath, in folder: String) -> [UInt8] {
    var name = Substring(folder)
    while name.utf8.count > 1, name.hasSuffix("/") || name.hasSuffix("/.") { name = name.dropLast() }
    let start = name == "." ? "" : name == "/" ? "/" : "\(name)/"
    let bytes = Array(start.utf8) + path.bytes
    let isWord = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
    return isWord ? Array("./".utf8) + bytes : bytes
  }
}
