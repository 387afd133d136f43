import ArgumentParser
import Terminal

/// The options of `browse` as a filter in a pipeline.
struct ChoiceOptions: ParsableArguments {
  /// The form in which a chosen item is printed.
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

  /// Returns the keys of `--expect`, in their order.
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
}
