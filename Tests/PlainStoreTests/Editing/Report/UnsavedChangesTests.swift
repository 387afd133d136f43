import TestSupport
import Testing

@testable import Store
@testable import TextEdits

struct UnsavedChangesTests {
  /// The names of the missing fields, and `text` for other text.
  private static func loss(
    _ base: String, _ ours: String, _ result: String?, _ rules: MergeRules = MergeRules()
  ) -> [String] {
    let loss = UnsavedChanges(
      base: Array(base.utf8), ours: Array(ours.utf8), result: result.map { Array($0.utf8) }, as: .yaml,
      rules: rules)
    return loss.fields + (loss.hasOtherText ? ["text"] : [])
  }

  @Test(arguments: [
    ("x: 1\ny: 1\n", "x: 5\ny: 1\n# mine\n", "x: 9\ny: 1\n", ["x", "text"]),
    ("x: 1\ny: 1\n", "x: 5\ny: 2\n", "x: 9\ny: 2\n", ["x"]),
    ("x: 1\ny: 1\n", "x: 1\ny: 2 # why\n", "x: 9\ny: 2\n", ["text"]),
    ("x: 1\ny: 1\n", "x: 1\n\ny: 1\n", "x: 9\ny: 1\n", ["text"]),
    ("# c\nx: 1\n", "x: 1\n", "# c\nx: 2\n", ["text"]),
    ("x: 1\n", "x: \"1\"\n", "x: 2\n", ["x"]),
    ("t: [a]\n", "t: [a, b]\n", "t: [c]\n", ["t"]),
    ("m: {a: 1}\n", "m: {a: 2}\n", "m: {a: 3, b: 1}\n", ["m.a"]),
    ("x: 1\n", "x: 1\nnew: 2\n", "x: 3\n", ["new"]),
    ("x: 1\ny: 1\n", "x: 1\n", "x: 2\ny: 5\n", ["y"]),
  ])
  func `a loss names what the result lacks`(base: String, ours: String, result: String, lost: [String]) {
    #expect(Self.loss(base, ours, result) == lost)
  }

  @Test(arguments: [
    ("x: 1\ny: 1\n", "x: 2\ny: 1\n", "x: 2\ny: 5\n# theirs\n"),
    ("a: 1\nb: 1\n", "a: 2 # new\nb: 1\n", "a: 2 # new\nb: 2\n"),
    ("m: {a: 1, b: 1}\n", "m: {a: 2, b: 1}\n", "m: {a: 2, b: 2}\n"),
    ("# c\nx: 1\ny: 1\n", "x: 1\ny: 1\n", "x: 1\ny: 2\n"),
    ("x: 1\n", "x: 1\n", "y: 1\n"),
    ("t: [a]\n", "t: [b, a]\n", "t: [b, a, c]\n"),
    ("a: 1\n", "a: 1\nb: 2\n", "a: 1\nc: 3\nb: 2\n"),
  ])
  func `a loss does not name what the result has`(base: String, ours: String, result: String) {
    #expect(Self.loss(base, ours, result) == [])
  }

  @Test func `a loss names a value that a rule rejected, but not one that it combined`() {
    var rules = MergeRules()
    rules["x"] = .max
    rules["t"] = .set
    #expect(Self.loss("x: 1\nt: [a]\n", "x: 2\nt: [a, b]\n", "x: 3\nt: [a, c, b]\n", rules) == ["x"])
  }

  @Test func `a loss names every change to a removed file`() {
    #expect(Self.loss("x: 1\ny: 1\n", "x: 2\ny: 1\n", nil) == ["x"])
    #expect(Self.loss("x: 1\n", "x: 1 # c\n", nil) == ["text"])
  }

  /// The side that wins decides the key; the other one's rename is lost.
  @Test func `a loss names the new key of a rename that the other side's replaced`() {
    let loss = UnsavedChanges(base: ["a": 1, "k": 5], ours: ["a": 1, "b": 5], result: ["a": 1, "c": 5])
    #expect(loss.fields == ["b"])
  }
}
