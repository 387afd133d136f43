import Testing
import Values

/// Texts for which libyaml alone would need minutes.
@Suite struct YAMLGuardTests {
  @Test func `many runs of spaces after a long one are refused`() {
    let words = String(repeating: "b ", count: 1 << 20)
    #expect(
      failure("a" + String(repeating: " ", count: 1 << 20) + words)?.message.contains(
        "spaces and line breaks in a row") == true)
    #expect(failure("a" + String(repeating: " ", count: 1_000) + words) == nil)
    #expect(
      failure(
        "a: |\n  x" + String(repeating: "\n", count: 1 << 20) + String(repeating: "  b\n", count: 1 << 19))
        != nil)
    #expect(
      failure(
        "a: |\n  x" + String(repeating: "\u{2028}", count: 1 << 20) + "\n"
          + String(repeating: "  b\u{2028}\n", count: 1 << 19))
        != nil)
  }

  @Test func `one long run of spaces is read`() {
    #expect(failure("a:\n" + String(repeating: " ", count: 1 << 20) + "b: 1") == nil)
    #expect(failure("a: 1\n" + String(repeating: "\n", count: 1 << 20)) == nil)
  }

  @Test func `too many or too long directives are refused`() {
    let lines = (0..<10_000).map { "%TAG !t\($0)! x\n" }.joined()
    #expect(place(lines + "---\na: 1") == "65:1")
    #expect(place("# c\n\n" + lines + "---\na: 1") == "67:1")
    #expect(place("%TAG !e! " + String(repeating: "x", count: 2_000) + "\n---\na: 1") == "1:1")
    #expect(place("a: 1\n" + lines + "---\na: 1") == "2:1")
    #expect(failure("a: |\n  x\n  " + lines.replacing("\n", with: "\n  ")) == nil)
  }

  @Test func `deep flow collections are refused before they cost much`() {
    let deep = failure(String(repeating: "[", count: 900) + String(repeating: "a,", count: 2_000_000))
    #expect(deep?.message.contains("too many deeply nested lists and maps") == true)
    // Two characters for each element.
    #expect(deep.map { $0.column < 150_000 } == true, "\(deep?.column ?? 0)")
    let short = failure(String(repeating: "[", count: 900) + String(repeating: "a,", count: 20_000))
    #expect(short.map { $0.column < 15_000 } == true, "\(short?.column ?? 0)")
  }

  @Test func `many tokens in deep collections are refused`() {
    let deep =
      String(repeating: "[", count: 990) + String(repeating: "a,", count: 600_000)
      + String(repeating: "]", count: 990)
    #expect(failure(deep)?.message.contains("too many deeply nested lists and maps") == true)
    #expect(
      failure(
        String(repeating: "[", count: 100) + String(repeating: "a,", count: 100_000)
          + String(repeating: "]", count: 100)) == nil)
  }
}
