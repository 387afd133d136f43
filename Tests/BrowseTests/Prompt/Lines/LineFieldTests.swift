import Files
import Terminal
import TestSupport
import Testing

@testable import Browse

@Suite struct LineFieldTests {
  /// Returns a line after some keys, with `|` at the caret.
  private func line(_ text: String, _ keys: String...) -> String {
    var field = LineField(text)
    var memory = PromptMemory()
    for key in keys { _ = field.handle(.key(Key(named: key)), &memory) }
    return shown(field)
  }

  private func shown(_ field: LineField) -> String {
    String(field.characters[..<field.caret]) + "|" + String(field.characters[field.caret...])
  }

  @Test func `characters are inserted at the caret`() {
    #expect(line("ac", "left", "b") == "ab|c")
    #expect(line("", "é", "space", "漢") == "é 漢|")
  }

  @Test func `the caret moves by characters and by words, and stops at the ends`() {
    #expect(line("one two", "ctrl-a") == "|one two")
    #expect(line("one two", "home", "ctrl-f", "right") == "on|e two")
    #expect(line("one two", "ctrl-b", "left", "end") == "one two|")
    #expect(line("one, two", "alt-b") == "one, |two")
    #expect(line("one, two", "alt-b", "alt-b", "alt-b") == "|one, two")
    #expect(line("one, two", "home", "alt-f") == "one|, two")
    #expect(line("one, two", "home", "alt-f", "alt-f", "alt-f") == "one, two|")
  }

  @Test func `characters and words are removed`() {
    #expect(line("abc", "backspace") == "ab|")
    #expect(line("abc", "home", "backspace") == "|abc")
    #expect(line("abc", "home", "delete", "ctrl-d") == "|c")
    #expect(line("rating>3 x.y", "ctrl-w") == "rating>3 |")
    #expect(line("one two", "alt-b", "alt-b", "alt-d") == "| two")
    #expect(line("one two", "left", "left", "ctrl-k") == "one t|")
    #expect(line("one two", "left", "left", "ctrl-u") == "|wo")
  }

  @Test func `ctrl-y inserts what was removed last`() {
    #expect(line("one two", "ctrl-w", "ctrl-a", "ctrl-y") == "two|one ")
    #expect(line("one two", "ctrl-u", "ctrl-y", "ctrl-y") == "one twoone two|")
    #expect(line("one", "ctrl-w", "a", "backspace", "ctrl-y") == "one|")
  }

  @Test func `a grapheme cluster is one character`() {
    #expect(line("a👨‍👩‍👧e\u{301}", "left", "left") == "a|👨‍👩‍👧e\u{301}")
    #expect(line("a👨‍👩‍👧", "backspace") == "a|")
    var field = LineField("e")
    field.insert("\u{301}")
    #expect(field.characters == ["e\u{301}"])
    #expect(field.caret == 1)
  }

  @Test func `a caret within clusters that join is after them`() {
    var field = LineField("👩👧")
    field.moveCaret(to: 1)
    field.insert("\u{200D}")
    #expect(field.characters.count == 1)
    #expect(field.caret == 1)
  }

  @Test func `a paste is one line`() {
    var field = LineField("a")
    var memory = PromptMemory()
    _ = field.handle(.paste("b\r\nc\nd\u{2028}e\rf\u{85}g"), &memory)
    #expect(field.text == "ab c d e f g")
  }

  @Test func `a paste that does not fit changes nothing`() {
    var field = LineField("keep")
    var memory = PromptMemory()
    _ = field.handle(.paste(String(repeating: "x", count: LineField.maxLength)), &memory)
    #expect(field.text == "keep")
    #expect(field.refusedInput)
    _ = field.handle(.paste("a" + String(repeating: "\u{301}", count: LineField.maxSize)), &memory)
    #expect(field.text == "keep")
    _ = field.handle(.key(Key(.character("!"))), &memory)
    #expect(field.text == "keep!")
    #expect(!field.refusedInput)
  }

  @Test func `keys that mean nothing to a line are not taken`() {
    var field = LineField("a")
    var memory = PromptMemory()
    for name in ["enter", "esc", "up", "down", "pgup", "tab", "ctrl-n", "ctrl-x", "alt-x"] {
      let isTaken = field.handle(.key(Key(named: name)), &memory)
      #expect(!isTaken, "\(name)")
    }
    #expect(field.text == "a")
  }

  @Test func `a line that is too long scrolls by half of the columns`() {
    var field = LineField("abcdefghijklmnopqrstuvwxyz")
    #expect(drawn(field, columns: 10) == "…uvwxyz")
    field.moveCaret(to: 0)
    #expect(drawn(field, columns: 10) == "abcdefghi…")
    #expect(field.window(columns: 10).caret == 0)
    field.moveCaret(to: 7)
    #expect(drawn(field, columns: 10) == "abcdefghi…")
    field.moveCaret(to: 8)
    #expect(drawn(field, columns: 10) == "…fghijklm…")
    field.moveCaret(to: 12)
    #expect(drawn(field, columns: 10) == "…fghijklm…")
  }

  private func drawn(_ field: LineField, columns: Int) -> String {
    var canvas = Canvas(ScreenSize(columns: columns, rows: 1))
    field.draw(into: &canvas, row: 0, columns: 0..<columns)
    return canvas.text(row: 0).trimmed
  }

  @Test(arguments: Randomness.seeds(80))
  func `any keys and texts leave a caret that is in the line and on the screen`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var field = LineField()
    var memory = PromptMemory()
    let keys = [
      "left", "right", "home", "end", "backspace", "delete", "ctrl-w", "ctrl-u", "ctrl-k", "ctrl-y", "alt-b",
      "alt-f", "alt-d", "a",
      "space",
    ]
    for _ in 0..<60 {
      let input: TerminalInput =
        random.oneIn(3) ? .paste(random.hostileText()) : .key(Key(named: random.one(of: keys)))
      _ = field.handle(input, &memory)
      #expect((0...field.characters.count).contains(field.caret), "\(seedNote(seed))")
      #expect(Array(field.text) == field.characters, "\(seedNote(seed))")
      let columns = 1 + random.below(40)
      let window = field.window(columns: columns)
      #expect((0..<columns).contains(window.caret), "\(columns) columns; \(seedNote(seed))")
      #expect(window.characters.lowerBound <= field.caret, "\(seedNote(seed))")
      #expect(field.caret <= window.characters.upperBound, "\(seedNote(seed))")
      let width = field.characters[window.characters].reduce(window.indent) {
        $0 + DisplayText.width(of: String($1))
      }
      let isCut = window.characters.upperBound < field.characters.count
      if window.characters.count > 1 {
        #expect(width + (isCut ? 1 : 0) <= columns, "\(columns) columns; \(seedNote(seed))")
      }
    }
  }

  @Test func `a full line refuses a mark, too`() {
    let full = String(repeating: "a", count: LineField.maxLength)
    var line = LineField(full)
    line.insert("\u{301}")
    #expect(line.refusedInput)
    #expect(line.text == full)
  }
}

extension String {
  /// The string without the blanks at its end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
