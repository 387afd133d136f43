import Foundation
import TestSupport
import Values

/// A JSON form that the program prints.
///
/// A new form is one more line in ``JSONForms/all``; it is then covered by `JSONFormsTests`.
struct JSONForm: Sendable {
  let name: String
  /// Prints the form. The program is `$P`, the folder `data`, the address of its server `$U` and
  /// the fields with its token `@auth`.
  let script: String

  init(_ name: String, _ script: String) {
    self.name = name
    self.script = script
  }

  /// A form that `serve` answers to a request with these arguments of curl.
  init(curl arguments: String, _ target: String) {
    self.init("\(target) \(arguments)", "curl -sS -m 30 -H @auth \(arguments) \"$U\(target)\"")
  }
}

enum JSONForms {
  /// Fields that are projected in all ways: whole, through maps and lists, elements and operators.
  static let fields = [
    "title,m.x", "list[0],title", "list.@count,m[SIZE]", "people.name,m", "people[LAST].name,@size,n.@max",
    "nope.@count,m.y[0]",
  ]

  private static let merge = "-H 'Content-Type: application/merge-patch+json'"

  /// Every form, without those that need an edit while they run.
  static let all: [JSONForm] =
    ["json", "jsonl"].flatMap { format in
      [
        JSONForm("list \(format)", "$P list data -o \(format)"),
        JSONForm("list by list \(format)", "$P list data --section list -o \(format)"),
      ]
        + fields.map {
          JSONForm("list \(format) \($0)", "$P list data --fields '\($0)' -o \(format) 2>/dev/null")
        }
        + [
          JSONForm("list --connect \(format)", "$P list data --connect -o \(format)"),
          JSONForm(
            "list --connect \(format) of fields",
            "$P list data --connect --fields '\(fields[1])' -o \(format)"),
        ]
    } + [
      JSONForm("get", "$P get data a"), JSONForm("get of several", "$P get data a b"),
      JSONForm("watch", "$P data -o jsonl | head -2"),
      JSONForm("watch --connect", "$P data --connect -o jsonl | head -2"),
      JSONForm("watch of fields", "$P data -o jsonl --fields '\(fields[3])' | head -2"),
      JSONForm("continued stream", "$P data -o jsonl --state stream --once"),
      JSONForm(
        "continued stream of fields", "$P data -o jsonl --state fields --fields '\(fields[1])' --once"),
      JSONForm("--stdin update", "$P data --state update --once -- cat"),
      JSONForm("--stdin changes", "$P data --state changes --once --stdin changes -- cat"),
      JSONForm("--each", "$P data --state each --once --each -- cat"),
      JSONForm("log", "$P log data a -o jsonl"),
      JSONForm("log of fields", "$P log data a --fields '\(fields[1])' -o jsonl"),
      JSONForm("diff", "$P diff data -o jsonl"),
      JSONForm("diff of fields", "$P diff data --fields '\(fields[3])' -o jsonl"),
      JSONForm("check", "$P check data -o jsonl || true"), JSONForm("status", "$P status -o json"),
      JSONForm(curl: "", "/items"), JSONForm(curl: "", "/items?fields=list%5B0%5D"),
      JSONForm(curl: "-H 'Accept: application/jsonl'", "/items"),
      JSONForm(curl: "", "/item?id=a"), JSONForm(curl: "", "/item?id=broken"),
      JSONForm(curl: "", "/item?id=nope"),
      JSONForm(curl: "", "/fields"), JSONForm(curl: "", "/problems"),
      JSONForm(curl: "", "/item/log?id=a"),
      JSONForm(curl: "-H 'Accept: application/jsonl'", "/item/log?id=a"),
      JSONForm(curl: "", "/diff"), JSONForm(curl: "-H 'Accept: application/jsonl'", "/diff"),
      JSONForm(curl: "-X PATCH -H 'If-Match: \"old\"' \(merge) -d '{\"title\":\"mine\"}'", "/item?id=a"),
      JSONForm(curl: "-X PATCH -H 'If-Match: *' \(merge) -d '{\"patched\":true}'", "/item?id=b"),
      JSONForm(
        curl: "-H 'Content-Type: application/json' -d '{\"id\":\"posted\",\"value\":{\"title\":\"p\"}}'",
        "/items"),
      JSONForm("/stream", stream("", until: "\"snapshot\"", lines: 1)),
      JSONForm(
        "windows of /stream", stream("-G --data-urlencode 'views=\(windows)'", until: "\"window\"", lines: 2)),
    ]

  private static let windows =
    #"{"a":{"window":{"first":0,"count":50}},"b":{"fields":["title","list[0]"],"window":{"first":0,"count":50}}}"#

  /// Returns a script that prints a stream of `serve` up to some lines with a text.
  private static func stream(_ arguments: String, until text: String, lines: Int) -> String {
    let limit = 400 * Patience.factor
    return """
      curl -sSN -m \(limit) -H @auth \(arguments) "$U/stream" > events & p=$!; i=0
      until [ "$(grep -cF '\(text)' events)" -ge \(lines) ] || [ $i -ge \(limit) ]; do i=$((i + 1)); sleep 0.05; done
      kill $p; cat events
      """
  }

  /// Begins the streams that are continued after the edits.
  static let preparation = """
    $P data -o jsonl --state stream --once; $P data -o jsonl --state fields --fields '\(fields[1])' --once
    $P data --state update --once -- cat; $P data --state changes --once --stdin changes -- cat; $P data --state each --once --each -- cat
    """

  /// Returns everything in an output that a program could send on as one line: each line, and each
  /// object in it that names an item.
  static func candidates(in output: String) -> [String] {
    var found: [String] = []
    if output.contains("\n"), let value = try? PackedValue(reading: Array(output.utf8), as: .json).value {
      add(value, to: &found)
    }
    for line in output.split(separator: "\n") {
      let text = line.hasPrefix("data: ") ? line.dropFirst("data: ".count) : line
      guard let value = try? PackedValue(reading: Array(text.utf8), as: .json).value else { continue }
      found.append(String(text))
      add(value, to: &found)
    }
    return found
  }

  private static func add(_ value: Value, to found: inout [String]) {
    switch value {
    case .map(let fields):
      if fields["id"] != nil || fields["path"] != nil { found.append(JSONWriter.text(of: value)) }
      for (_, inner) in fields { add(inner, to: &found) }
    case .list(let elements): for element in elements { add(element, to: &found) }
    default: break
    }
  }
}
