import Testing
import TextEdits
import Values

@testable import TextEdits

@Suite struct ItemTextYAMLTests {
  @Test(arguments: scalars) func `an edit sets scalars`(_ edit: EditCase) { edit.check() }
  @Test(arguments: collections) func `an edit sets lists and maps`(_ edit: EditCase) { edit.check() }
  @Test(arguments: additions) func `an edit adds keys`(_ edit: EditCase) { edit.check() }
  @Test(arguments: elements) func `an edit adds elements`(_ edit: EditCase) { edit.check() }
  @Test(arguments: removals) func `an edit removes keys and elements`(_ edit: EditCase) { edit.check() }
  @Test(arguments: renames) func `an edit renames keys`(_ edit: EditCase) { edit.check() }
  @Test(arguments: refusals) func `an edit that cannot be made is refused`(_ edit: EditCase) { edit.check() }

  private static let scalars: [EditCase] = [
    .yaml("a: 1\nb: 2 # c\n", .set("b", 3), gives: "a: 1\nb: 3 # c\n"),
    .yaml("a:   x\t\t# tabs\nb: 2", .set("a", "y z"), gives: "a:   y z\t\t# tabs\nb: 2"),
    .yaml("a:\tx\t\n", .set("a", "z"), gives: "a:\tz\t\n"),
    .yaml("\u{FEFF}a: é\r\nb: ü\r\n", .set("b", "ö"), gives: "\u{FEFF}a: é\r\nb: ö\r\n"),
    .yaml(
      "a: 'x'\nb: \"y\"\n", .set("a", "it's"), .set("b", "a\"b\\"), gives: "a: 'it''s'\nb: \"a\\\"b\\\\\"\n"),
    .yaml("a: 'x'", .set("a", "tab\there"), gives: "a: \"tab\\there\""),
    .yaml("a: x\n", .set("a", "no"), gives: "a: \"no\"\n"),
    .yaml("a: x\nb: 'q'\n", .set("a", "1_000"), gives: "a: '1_000'\nb: 'q'\n"),
    .yaml("a: \"1\"\n", .set("a", 1), gives: "a: 1\n"),
    .yaml("a: 0x1F # hex\n", .set("a", 32), gives: "a: 32 # hex\n"),
    .yaml("a: 1.5\n", .set("a", 1e300), gives: "a: 1e+300\n"),
    .yaml("a: yes\n", .set("a", true), gives: "a: true\n"),
    .yaml("a: ~ # none\n", .set("a", "x"), gives: "a: x # none\n"),
    .yaml("a: x # some\n", .set("a", .null), gives: "a: null # some\n"),
    .yaml("a:\nb: 1\n", .set("a", "x"), gives: "a: x\nb: 1\n"),
    .yaml("a: # c\nb: 1\n", .set("a", "x"), gives: "a: x # c\nb: 1\n"),
    .yaml("a:", .set("a", "x"), gives: "a: x"),
    .yaml("a: x\n  y\n\n  z # c\nb: 1\n", .set("a", "one"), gives: "a: one # c\nb: 1\n"),
    .yaml("a: \"x\n  y\"\nb: 1\n", .set("a", "one"), gives: "a: \"one\"\nb: 1\n"),
    .yaml("a:\n  far below # c\nb: 1\n", .set("a", "near"), gives: "a:\n  near # c\nb: 1\n"),
    .yaml("a: |\n  x\n  y\nb: 1\n", .set("a", "p\nq\n"), gives: "a: |\n  p\n  q\nb: 1\n"),
    .yaml("a: |  # c\n    x\n\nb: 1\n", .set("a", "p\n\nq"), gives: "a: |-  # c\n    p\n\n    q\n\nb: 1\n"),
    .yaml("a: |-\r\n  x\r\nb: 1\r\n", .set("a", "p\nq"), gives: "a: |-\r\n  p\r\n  q\r\nb: 1\r\n"),
    .yaml("a: |\n  x\n", .set("a", "  indented\n"), gives: "a: |2\n    indented\n"),
    .yaml("a: |+\n  x\n\nb: 1\n", .set("a", "y\n\n"), gives: "a: |+\n  y\n\nb: 1\n"),
    .yaml("a: |\n  x\n\n# c\nb: 1\n", .set("a", "y\n\n\n"), gives: "a: \"y\\n\\n\\n\"\n\n# c\nb: 1\n"),
    .yaml("a: |\n  x\n  y\nb: 1\n", .set("a", 5), gives: "a: 5\nb: 1\n"),
    .yaml("a: >-\n  x\n  y\nb: 1\n", .set("a", "p\nq"), gives: "a: >-\n  p\n\n  q\nb: 1\n"),
    .yaml("a: x # c\nb: 1\n", .set("a", "p\nq\n"), gives: "a: | # c\n  p\n  q\nb: 1\n"),
    .yaml("a: x", .set("a", "p\nq\n"), gives: "a: |\n  p\n  q\n"),
    .yaml("a: |\n  x", .set("a", "p"), gives: "a: |\n  p"),
    .yaml("a: |\n  x", .set("a", "p\n"), gives: "a: |\n  p\n"),
    .yaml("a: [x, 'y', \"z\"] # c\n", .set("a[0]", "p, q"), gives: "a: [\"p, q\", 'y', \"z\"] # c\n"),
    .yaml("a: [x, 'y', \"z\"]\n", .set("a[1]", "p\nq"), gives: "a: [x, \"p\\nq\", \"z\"]\n"),
    .yaml("a: {b: 1, c: {d: 2 } }\n", .set("a.c.d", "x:y"), gives: "a: {b: 1, c: {d: \"x:y\" } }\n"),
    .yaml("a: {\"b\":1,\"c\":2}\n", .set("a.b", "x"), gives: "a: {\"b\":x,\"c\":2}\n"),
    .yaml("a: {b, c: }\n", .set("a.b", 1), .set("a.c", 2), gives: "a: {b: 1, c: 2}\n"),
    .yaml("a: [b: 1, c]\n", .set("a[0].b", 2), gives: "a: [b: 2, c]\n"),
    .yaml("- not: a map\n", .set("a", 1), refused: .wrongKind),
    .yaml("a: &x 1\n", .set("a", 2), gives: "a: &x 2\n"),
    .yaml("a: !!str 1\n", .set("a", "2"), gives: "a: !!str \"2\"\n"),
    .yaml("a: !!int 1\n", .set("a", "x"), gives: "a: x\n"),
    .yaml("a: !!int &n '1'\nb: x\n", .set("a", "x"), gives: "a: &n 'x'\nb: x\n"),
    .yaml("a: !color red\n", .set("a", "blue"), gives: "a: !color blue\n"),
    .yaml("a: &x 1\nb: *x # c\n", .set("b", 2), gives: "a: &x 1\nb: 2 # c\n"),
    .yaml("? a # c\n: 1\n", .set("a", 2), gives: "? a # c\n: 2\n"),
    .yaml("? a\n? b\n", .set("a", 2), gives: "? a\n: 2\n? b\n"),
    .yaml("%YAML 1.2\n---\na: 1\n...\n", .set("a", 2), gives: "%YAML 1.2\n---\na: 2\n...\n"),
    .yaml("a: 2024-01-31\n", .set("a", "2024-02-01"), gives: "a: 2024-02-01\n"),
    .yaml("a: '2024-01-31'\n", .set("a", "2024-02-01"), gives: "a: '2024-02-01'\n"),
    .yaml("a: soon\n", .set("a", "2024-02-01"), gives: "a: \"2024-02-01\"\n"),
    .yaml("- eol: 1\n", .set("eol", 1), refused: .wrongKind, at: "1:1"),
    .yaml(
      "l:\n- eol: 2020-01-01\n- eol: false\n", .set("l[1].eol", "2024-02-01"),
      gives: "l:\n- eol: 2020-01-01\n- eol: 2024-02-01\n"),
    .yaml("v: 1.2.3\n", .set("v", "1.2.4"), gives: "v: 1.2.4\n"),
    .yaml("a.b: 1\na: {b: 2}\n", .set("/a.b", 3), .set("a.b", 4), gives: "a.b: 3\na: {b: 4}\n"),
    .yaml("a/b: 1\n~: 2\n", .set("/a~1b", 3), .set("/~0", 4), gives: "a/b: 3\n~: 4\n"),
    .yaml("a: x\u{2028}b: y\n", .set("b", "z"), gives: "a: x\u{2028}b: z\n"),
    .yaml("caf\u{E9}: 1\ncafe\u{301}: 2\n", .set("cafe\u{301}", 3), gives: "caf\u{E9}: 1\ncafe\u{301}: 3\n"),
  ]

  private static let collections: [EditCase] = [
    .yaml("a: x # c\nb: 1\n", .set("a", ["p", "q"]), gives: "a: # c\n  - p\n  - q\nb: 1\n"),
    .yaml("a: x\nl: [1, 2]\n", .set("a", ["p", "q"]), gives: "a: [p, q]\nl: [1, 2]\n"),
    .yaml("a: x\nl:\n- 1\n", .set("a", ["p", "q"]), gives: "a:\n- p\n- q\nl:\n- 1\n"),
    .yaml(
      "a: x\nm:\n    n: 1\n", .set("a", ["p": 1, "q": ["r": 2]]),
      gives: "a:\n    p: 1\n    q:\n        r: 2\nm:\n    n: 1\n"),
    .yaml("a: x\r\nb: 1\r\n", .set("a", ["p": 1]), gives: "a:\r\n  p: 1\r\nb: 1\r\n"),
    .yaml("a: x", .set("a", ["p": 1]), gives: "a:\n  p: 1"),
    .yaml("a:\n  b: 1 # one\n  # two\n  c: 2 # three\nd: 4\n", .set("a", 5), gives: "a: 5\nd: 4\n"),
    .yaml("a: # c\n  # d\n  b: 1\nd: 4\n", .set("a", 5), gives: "a: 5 # c\n  # d\nd: 4\n"),
    .yaml("a:\n  b: 1\nd: 4\n", .set("a", []), gives: "a: []\nd: 4\n"),
    .yaml("a:\n    b: 1\nd: 4\n", .set("a", ["c": 2]), gives: "a:\n    c: 2\nd: 4\n"),
    .yaml("a:\n- 1\n- 2\nd: 4\n", .set("a", ["c": 2]), gives: "a:\n  c: 2\nd: 4\n"),
    .yaml("a:\n  b: 1\nd: 4\n", .set("a", "x\ny\n"), gives: "a: |\n  x\n  y\nd: 4\n"),
    .yaml("a: {b: 1}\n", .set("a", ["c": ["d": "x, y"]]), gives: "a: {c: {d: \"x, y\"}}\n"),
    .yaml("a: { b: 1 }\n", .set("a", ["c": 2]), gives: "a: { c: 2 }\n"),
    .yaml("l:\n  - a: 1\n    b: 2\n  - x\n", .set("l[0]", "z"), gives: "l:\n  - z\n  - x\n"),
    .yaml(
      "l:\n  - a: 1\n    b: 2\n  - x\n", .set("l[1]", ["c": 1, "d": 2]),
      gives: "l:\n  - a: 1\n    b: 2\n  - c: 1\n    d: 2\n"),
    .yaml(
      "l:\n  -   a: 1\n  - x\n", .set("l[0]", ["c": 1, "d": [1]]),
      gives: "l:\n  -   c: 1\n      d:\n        - 1\n  - x\n"),
    .yaml("l:\n  -\n    a: 1\n  - x\n", .set("l[0]", "z"), gives: "l:\n  - z\n  - x\n"),
    .yaml("l:\n  - !t\n    a: 1\n  - x\n", .set("l[0]", ["b": 2]), gives: "l:\n  - !t\n    b: 2\n  - x\n"),
    .yaml("a: !!map\n  b: 1\nc: 2\n", .set("a", [1]), gives: "a:\n  - 1\nc: 2\n"),
    .yaml("a: !!set {b, c}\nc: 2\n", .set("a", "x"), gives: "a: x\nc: 2\n"),
    .yaml("a: &x\n  b: 1\nc: 2\n", .set("a", 3), gives: "a: &x 3\nc: 2\n"),
    .yaml("- - a\n", .set("0", 1), refused: .wrongKind),
    .yaml("l:\n- - a\n  - b\n- c\n", .set("l[0][1]", "z"), gives: "l:\n- - a\n  - z\n- c\n"),
  ]

  private static let additions: [EditCase] = [
    .yaml("a: 1\n", .set("b", 2), gives: "a: 1\nb: 2\n"),
    .yaml("a: 1", .set("b", 2), gives: "a: 1\nb: 2"),
    .yaml("a: 1 # c\n\n# end\n", .set("b", "x"), gives: "a: 1 # c\nb: x\n\n# end\n"),
    .yaml("a: 1\r\n", .insert("b", 2), gives: "a: 1\r\nb: 2\r\n"),
    .yaml("a:\n    b: 1\nc: 2\n", .set("a.d", "x"), gives: "a:\n    b: 1\n    d: x\nc: 2\n"),
    .yaml("a: {b: 1}\n", .set("a.d", "x"), gives: "a: {b: 1, d: x}\n"),
    .yaml("a: {\"b\": 1}\n", .set("a.d", "x"), gives: "a: {\"b\": 1, \"d\": x}\n"),
    .yaml("a: {b: 1,}\n", .set("a.d", "x"), gives: "a: {b: 1, d: x,}\n"),
    .yaml(
      "a: {\n  b: 1, # one\n  c: 2 # two\n}\n", .set("a.d", "x"),
      gives: "a: {\n  b: 1, # one\n  c: 2, # two\n  d: x\n}\n"),
    .yaml("a: {}\n", .set("a.d", "x"), gives: "a: {d: x}\n"),
    .yaml("a: {} # c\nb:\n  c: 1\n", .set("a.d", "x"), gives: "a: # c\n  d: x\nb:\n  c: 1\n"),
    .yaml("a:\nb: 1\n", .set("a.d", "x"), gives: "a:\n  d: x\nb: 1\n"),
    .yaml("a: 1\n", .set("b.c.d", 2), gives: "a: 1\nb:\n  c:\n    d: 2\n"),
    .yaml("a: |\n  x\n  y", .set("b", 2), gives: "b: 2\na: |\n  x\n  y"),
    .yaml("a: |-\n  x\n  y", .set("b", 2), gives: "a: |-\n  x\n  y\nb: 2"),
    .yaml("a: |+\n  x\n\n", .set("b", 2), gives: "a: |+\n  x\n\nb: 2\n"),
    .yaml("l:\n- a: 1\n  b: 2\n- c\n", .set("l[0].d", 3), gives: "l:\n- a: 1\n  b: 2\n  d: 3\n- c\n"),
    .yaml("'a': 1\n", .set("b c", 2), gives: "'a': 1\n'b c': 2\n"),
    .yaml("2023: 1\n", .set("2024", 2), gives: "2023: 1\n2024: 2\n"),
    .yaml(
      "a: 1\n", .set("yes", 2), .set("/", 3), .set("/x: y", 4),
      gives: "a: 1\n\"yes\": 2\n\"\": 3\n\"x: y\": 4\n"),
    .yaml("", .set("a", "x"), gives: "a: x\n"),
    .yaml("# only this", .set("a", "x"), gives: "# only this\na: x"),
    .yaml("---\n", .set("a", "x"), gives: "---\na: x\n"),
    .yaml(
      "base: &b {x: 1}\nm:\n  <<: *b\n", .set("m.z", 2), gives: "base: &b {x: 1}\nm:\n  <<: *b\n  z: 2\n"),
    .yaml("a: 1\n...\n", .set("b", 2), gives: "a: 1\nb: 2\n...\n"),
    .yaml("{a: 1}\n", .set("b", 2), gives: "{a: 1, b: 2}\n"),
    .yaml(
      "l:\n- k: \"1\"\n- k: \"2\"\n", .append(["k": "x"], to: "l"),
      gives: "l:\n- k: \"1\"\n- k: \"2\"\n- k: \"x\"\n"),
    .yaml("? a\n: 1\n", .set("b", 2), gives: "? a\n: 1\nb: 2\n"),
  ]

  private static let elements: [EditCase] = [
    .yaml("l:\n- a\n- b # c\nz: 1\n", .append("d", to: "l"), gives: "l:\n- a\n- b # c\n- d\nz: 1\n"),
    .yaml(
      "l:\n  -   a\n  -   b", .append(["x": 1, "z": 2], to: "l"),
      gives: "l:\n  -   a\n  -   b\n  -   x: 1\n      z: 2"),
    .yaml("l:\n- a\n# about b\n- b\n", .insert("l[1]", "x"), gives: "l:\n- a\n- x\n# about b\n- b\n"),
    .yaml("l:\n- a\n- b\n", .insert("l[0]", "x"), gives: "l:\n- x\n- a\n- b\n"),
    .yaml("l:\n- a\n- b\n", .insert("l[2]", "x"), gives: "l:\n- a\n- b\n- x\n"),
    .yaml(
      "l:\n  - a: 1\n\n  - a: 2\n\nz: 1\n", .append(["a": 3], to: "l"),
      gives: "l:\n  - a: 1\n\n  - a: 2\n\n  - a: 3\n\nz: 1\n"),
    .yaml(
      "l:\n  - a: 1\n\n  - a: 2\n", .insert("l[0]", ["a": 0]), gives: "l:\n  - a: 0\n\n  - a: 1\n\n  - a: 2\n"
    ),
    .yaml("l: [a, b]\n", .append("c", to: "l"), gives: "l: [a, b, c]\n"),
    .yaml("l: [a,b]\n", .append("c", to: "l"), gives: "l: [a,b,c]\n"),
    .yaml("l: [ a ]\n", .append("c", to: "l"), gives: "l: [ a, c ]\n"),
    .yaml("l: [a, b]\n", .insert("l[0]", "c"), .insert("l[2]", "d"), gives: "l: [c, a, d, b]\n"),
    .yaml("l: []\n", .append("c", to: "l"), gives: "l: [c]\n"),
    .yaml("l:\n", .append("c", to: "l"), gives: "l:\n  - c\n"),
    .yaml("a: 1\n", .append("c", to: "l"), gives: "a: 1\nl:\n  - c\n"),
    .yaml("l: [\n  a,\n  b,\n]\n", .append("c", to: "l"), gives: "l: [\n  a,\n  b,\n  c,\n]\n"),
    .yaml(
      "l: [\n  a, # one\n  b # two\n]\n", .append("c", to: "l"),
      gives: "l: [\n  a, # one\n  b, # two\n  c\n]\n"),
    .yaml(
      "l: [\n  a,\n  b\n]\n", .insert("l[0]", "c"), .insert("l[2]", "d"),
      gives: "l: [\n  c,\n  a,\n  d,\n  b\n]\n"),
    .yaml(
      "l:\n- - a\n- b\n", .append("c", to: "l[0]"), .insert("l[0][0]", "d"),
      gives: "l:\n- - d\n  - a\n  - c\n- b\n"),
    .yaml("l:\n-\n- b\n", .set("l[0]", "a"), .append("c", to: "l"), gives: "l:\n- a\n- b\n- c\n"),
    .yaml("l:\n- 'a'\n- 'b'\n", .append("c", to: "l"), gives: "l:\n- 'a'\n- 'b'\n- 'c'\n"),
    .yaml("l:\n- |\n  x", .append("c", to: "l"), refused: .unverified),
    .yaml(
      "l:\n- {a: 1}\n- {a: 2}\n", .append(["a": 3], to: "l"), gives: "l:\n- {a: 1}\n- {a: 2}\n- {a: 3}\n"),
  ]

  private static let removals: [EditCase] = [
    .yaml("a: 1\nb: 2 # c\nc: 3\n", .remove("b"), gives: "a: 1\nc: 3\n"),
    .yaml("a: 1\nb: 2", .remove("b"), gives: "a: 1"),
    .yaml("a: |\n  x\nb: 2", .remove("b"), gives: "a: |\n  x\n"),
    .yaml("a: 1\n# about b\nb:\n  - x\n  - y\n\nc: 3\n", .remove("b"), gives: "a: 1\n# about b\n\nc: 3\n"),
    .yaml("a:\n  b: 1\nc: 2\n", .remove("a.b"), gives: "a: {}\nc: 2\n"),
    .yaml("a: 1\n", .remove("a"), gives: "{}\n"),
    .yaml("l:\n- a: 1\n  b: 2\n", .remove("l[0].a"), gives: "l:\n- b: 2\n"),
    .yaml("l:\n- a: 1 # one\n  # two\n  b: 2\n", .remove("l[0].a"), gives: "l:\n- \n  # two\n  b: 2\n"),
    .yaml("l:\n- a\n- b\n- c\n", .remove("l[1]"), gives: "l:\n- a\n- c\n"),
    .yaml("l:\n- a\nb: 1\n", .remove("l[0]"), gives: "l: []\nb: 1\n"),
    .yaml("l:\n- - a\n  - b\n", .remove("l[0][0]"), gives: "l:\n- - b\n"),
    .yaml("l: [a, b, c]\n", .remove("l[1]"), .remove("l[1]"), .remove("l[0]"), gives: "l: []\n"),
    .yaml("l: [ a, b ]\n", .remove("l[0]"), gives: "l: [ b ]\n"),
    .yaml("l: [\n  a, # one\n  b, # two\n]\n", .remove("l[0]"), gives: "l: [\n  # one\n  b, # two\n]\n"),
    .yaml("m: {a: 1, b: 2,}\n", .remove("m.b"), gives: "m: {a: 1,}\n"),
    .yaml("m: {a, b: 2}\n", .remove("m.a"), gives: "m: {b: 2}\n"),
    .yaml("? a\n: 1\n? b\n: 2\n", .remove("a"), gives: "? b\n: 2\n"),
    .yaml("a: 1\r\nb: |\r\n  x\r\n\r\nc: 3\r\n", .remove("b"), gives: "a: 1\r\n\r\nc: 3\r\n"),
    .yaml("\u{FEFF}a: 1\nb: 2\n", .remove("a"), gives: "\u{FEFF}b: 2\n"),
    .yaml("a: &x 1\nb: *x\n", .remove("b"), gives: "a: &x 1\n"),
  ]

  private static let renames: [EditCase] = [
    .yaml("a: 1 # c\nb: 2\n", .rename("a", to: "z"), gives: "z: 1 # c\nb: 2\n"),
    .yaml("'a' : 1\n", .rename("a", to: "it's"), gives: "'it''s' : 1\n"),
    .yaml("m: {\"a\":1}\n", .rename("m.a", to: "b"), gives: "m: {\"b\":1}\n"),
    .yaml("a: 1\n", .rename("a", to: "on"), gives: "\"on\": 1\n"),
    .yaml("? a\n: 1\n", .rename("a", to: "b"), gives: "? b\n: 1\n"),
    .yaml("&k a: 1\n", .rename("a", to: "b"), gives: "&k b: 1\n"),
  ]

  private static let refusals: [EditCase] = [
    .yaml("a: &x {c: 1}\nb: *x\n", .set("b.c", 2), refused: .alias, at: "2:4"),
    .yaml("a: &x {c: 1}\nb: *x\n", .set("a.c", 2), refused: .anchor, at: "1:11"),
    .yaml("a: &x 1\nb: *x\n", .set("a", 2), refused: .anchor),
    .yaml("a: &x 1\nb: *x\n", .remove("a"), refused: .anchor),
    .yaml("a: &x [1]\nb: *x\n", .append(2, to: "a"), refused: .anchor),
    .yaml("a: &x [1]\nb: *x\n", .append(2, to: "b"), refused: .alias),
    .yaml("&k a: *k\n", .rename("a", to: "b"), refused: .anchor),
    .yaml("b: &b {x: 1}\nm:\n  <<: *b\n  y: 2\n", .set("m.x", 3), refused: .mergeKey, at: "3:3"),
    .yaml("b: &b {x: 1}\nm:\n  <<: *b\n  y: 2\n", .remove("m.x"), refused: .mergeKey),
    .yaml("b: &b {x: 1}\nm:\n  <<: *b\n", .rename("m.x", to: "z"), refused: .mergeKey),
    .yaml("b: &b {x: 1}\nm:\n  <<: *b\n", .set("b.x", 3), refused: .anchor),
    .yaml("a: 1\n", .remove("b"), refused: .missing, at: "1:1"),
    .yaml("a: 1\n", .rename("b", to: "c"), refused: .missing),
    .yaml("a: 1\nb: 2\n", .rename("a", to: "b"), refused: .exists, at: "1:4"),
    .yaml("a: 1\n", .insert("a", 2), refused: .exists),
    .yaml("a: 1\n", .set("a.b", 2), refused: .wrongKind),
    .yaml("a: [1]\n", .set("a.b", 2), refused: .wrongKind),
    .yaml("a: [1]\n", .set("a[1]", 2), refused: .missing),
    .yaml("a: [1]\n", .insert("a[2]", 2), refused: .missing),
    .yaml("a: [1]\n", .rename("a[0]", to: "b"), refused: .wrongKind),
    .yaml("a: 1\n", .append(2, to: "a"), refused: .wrongKind),
    .yaml("a: 1\n", .set("b[0]", 2), refused: .missing),
    .yaml("~\n", .set("b", 2), refused: .wrongKind),
    .yaml("just text\n", .set("b", 2), refused: .wrongKind),
    .yaml("a: [1\n", .set("a", 2), refused: .unreadable, at: "1:4"),
    .yaml("a: 1\na: 2\n", .set("a", 2), refused: .unreadable, at: "2:1"),
    .yaml("l: [a: 1]\n", .set("l[0].b", 2), refused: .unwritable),
    .yaml("a: 1\n", .set(FieldPath(keys: [String(repeating: "k", count: 2_000)]), 2), refused: .unwritable),
    .yaml("a: 1\n", .set(FieldPath(keys: Array(repeating: "k", count: 2_001)), 2), refused: .unwritable),
  ]
}
