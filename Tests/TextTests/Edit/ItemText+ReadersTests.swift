import TestSupport
import Testing
import TextEdits
import Values

/// Readers of YAML 1.1 read written strings back as strings. Each test runs if its reader is
/// installed.
@Suite struct ItemTextReadersTests {
  private static let strings =
    [
      "no", "yes", "on", "off", "y", "n", "Y", "NO", "True", "FALSE", "~", "null", "Null", "=", "<<", ".5",
      "5.", "1_000", "1,000", "0o7",
      "010", "0x1F",
      "0b11", "1:30", "190:20:30.5", "1e3", "12e03", "1.0e+3", "+1", "-1", "+.inf", ".NaN", "-.INF", ".",
      "..", "-", "--", "-1a",
      "8.1 - 8.4", "1.24 - 1.26", "2001-12-14 x", "2001-12-14 21", "2001-12-14 21:59", "1 2", "- 1", "+ 1",
      "-,",
      "a?", "?a", "---", "...", "--- a", "2001-1-1",
      "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "", " ", " lead", "trail ", "\ttab",
      "a\tb", "tab\t", "#", "# c", "a #b",
      "a#b",
      "a: b", "a:b", "a:", ":a", ":", "::", "?", "? a", "-a", "- a", "@a", "`a`", "%a", "!a", "&a", "*a", "|",
      ">", "|-\n  a", "'", "\"",
      "'a'", "\"a\"",
      "it's", "\\", "\\n", "[a]", "{a}", "a]", "a, b", "a}", "[", "{", "]", "}", ",", "\u{0}", "\u{7}",
      "\u{1B}[0m", "\u{7F}", "\u{85}",
      "\u{9B}",
      "\u{A0}a", "a\u{2028}b", "\u{2029}", "\u{202E}x", "\u{FEFF}", "\u{FEFF}a", "\u{FFFE}", "\u{FFFF}", "é",
      "e\u{301}", "😀", "漢字", "\r",
      "\r\n", "\n", "\n\n",
      "a\n", "a\nb", "a\nb\n", "a\n\nb\n\n", "\na", "\n a", " a\nb", "a\n b\nc", "a\r\nb", "a \nb ", "a\n# b",
      "a\n---\nb", "a\n...\n",
      "---\na", "\ta\nb", "a\n\tb",
      "a:\n  b", "http://a.b/c?d=e#f", "C:\\a", "12 ab", "1.2.3", "10.0.0.1",
      "a" + String(repeating: " word", count: 60), "a  b  c",
      "x\u{301}: y",
    ] + ["a", "1", "-", " "].map { String(repeating: $0, count: 2_000) }

  private static let base = Array(
    "p: x\ns: 'x'\nd: \"x\"\nl: |\n  x\nf: >\n  x\nk: [x, 'x']\nm: {a: x}\nt: !!str x\nb:\n- x\n- - x\nn: 5\nr: {name: 1}\nz: end\n"
      .utf8)
  private static let places: [FieldPath] = [
    "p", "s", "d", "l", "f", "k[0]", "k[1]", "m.a", "m.new", "t", "b[0]", "b[1][0]", "n", "new",
  ]

  /// Files for the readers, each with one of the strings in all places.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (index, text) in ItemTextReadersTests.strings.enumerated() {
      var edits =
        ItemTextReadersTests.places.map { TextEdit.set($0, .string(text)) } + [
          .append(.string(text), to: "b")
        ]
      if text.utf8.count < 500 {
        edits += [.rename("r.name", to: text), .set(FieldPath(keys: ["m", "k" + text]), 1)]
      }
      try folder.write(ItemText(ItemTextReadersTests.base, as: .yaml).applying(edits), to: "\(index).yaml")
    }
    return folder
  }

  private func check(_ output: String) throws {
    let lines = output.unicodeScalars.split(separator: "\n")
    #expect(lines.count == ItemTextReadersTests.strings.count)
    for (text, line) in zip(ItemTextReadersTests.strings, lines) {
      let value = try read(String(line), as: .json)
      let wanted = Value(text: text)
      for place in ItemTextReadersTests.places + ["b[2]"] {
        #expect(value.exactly(at: place.keys) == wanted, "\(text.debugDescription) at \(place): \(line)")
      }
      guard text.utf8.count < 500 else { continue }
      #expect(value["r"]?[text] == .number(.integer(1)), "\(text.debugDescription) as a key: \(line)")
      #expect(value["m"]?["k" + text] == .number(.integer(1)), "\(text.debugDescription) as a key: \(line)")
    }
  }

  @Test(.enabled(if: hasPyYAML, "PyYAML is not installed")) func `PyYAML reads the edited text`() throws {
    let folder = try folder()
    try folder.write(
      """
      import yaml, json
      def typed(v):
          if isinstance(v, dict):
              assert all(type(k) is str for k in v), v
              return {k: typed(x) for k, x in v.items()}
          if isinstance(v, list): return [typed(x) for x in v]
          assert type(v) in (str, int), v
          return v
      for i in range(\(ItemTextReadersTests.strings.count)):
          print(json.dumps(typed(yaml.safe_load(open(f"{i}.yaml", "rb")))))
      """, to: "read.py")
    try check(folder.shell("python3 read.py"))
  }

  @Test(.enabled(if: Machine.has("ruby"), "Ruby is not installed")) func `Psych reads the edited text`()
    throws
  {
    let folder = try folder()
    try folder.write(
      """
      require "yaml"; require "json"
      def typed(v)
        case v
        when Hash then v.each { |k, x| raise v.inspect unless k.is_a? String; typed(x) }
        when Array then v.each { |x| typed(x) }
        when String, Integer then v
        else raise v.inspect
        end
      end
      \(ItemTextReadersTests.strings.count).times { |i| puts JSON.generate(typed(YAML.load(File.read("#{i}.yaml", encoding: "UTF-8")))) }
      """, to: "read.rb")
    try check(folder.shell("ruby read.rb"))
  }

  private static let hasPyYAML = Machine.has("python3") && Machine.canRun("python3 -c 'import yaml'")
}
