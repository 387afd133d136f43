import TestSupport
import Testing

@testable import Terminal

@Suite struct InputParserTests {
  /// Returns what bytes give, with the end of what is incomplete after them.
  private func inputs(_ text: String, prefixesAlt: Bool = false) -> [TerminalInput] {
    var parser = InputParser(prefixesAlt: prefixesAlt)
    return parser.parse(Array(text.utf8)) + parser.flush()
  }

  /// Returns the names of the keys that bytes give.
  private func keys(_ text: String, prefixesAlt: Bool = false) -> [String] {
    inputs(text, prefixesAlt: prefixesAlt).map { input in
      if case .key(let key) = input { return key.description }
      return "\(input)"
    }
  }

  @Test(
    arguments: [
      // Characters and controls.
      ("a", "a"), ("A", "A"), ("é", "é"), ("日", "日"), ("🙂", "🙂"), (" ", "space"), ("\r", "enter"),
      ("\n", "ctrl-j"), ("\t", "tab"),
      ("\u{7F}", "backspace"), ("\u{8}", "ctrl-h"), ("\u{0}", "ctrl-space"), ("\u{1}", "ctrl-a"),
      ("\u{1A}", "ctrl-z"),
      ("\u{1C}", "ctrl-\\"), ("\u{1D}", "ctrl-]"), ("\u{1E}", "ctrl-^"), ("\u{1F}", "ctrl-_"),
      ("\u{1B}", "escape"),
      ("\u{1B}a", "alt-a"), ("\u{1B}é", "alt-é"), ("\u{1B}\r", "alt-enter"),
      ("\u{1B}\u{7F}", "alt-backspace"),
      ("\u{1B}[", "alt-["),
      ("\u{1B}O", "alt-O"), ("\u{1B}]", "alt-]"), ("\u{1B}P", "alt-P"), ("\u{1B}\u{1}", "ctrl-alt-a"),
      // xterm, tmux and screen.
      ("\u{1B}[A", "up"), ("\u{1B}[B", "down"), ("\u{1B}[C", "right"), ("\u{1B}[D", "left"),
      ("\u{1B}[H", "home"), ("\u{1B}[F", "end"),
      ("\u{1B}OA", "up"), ("\u{1B}OH", "home"), ("\u{1B}OP", "f1"), ("\u{1B}OS", "f4"),
      ("\u{1B}[1;5A", "ctrl-up"),
      ("\u{1B}[1;2D", "shift-left"), ("\u{1B}[1;3C", "alt-right"), ("\u{1B}[1;8F", "ctrl-alt-shift-end"),
      ("\u{1B}[1;5R", "ctrl-f3"),
      ("\u{1B}[1~", "home"), ("\u{1B}[2~", "insert"), ("\u{1B}[3~", "delete"), ("\u{1B}[4~", "end"),
      ("\u{1B}[5~", "page-up"),
      ("\u{1B}[6~", "page-down"), ("\u{1B}[3;5~", "ctrl-delete"), ("\u{1B}[15~", "f5"), ("\u{1B}[17~", "f6"),
      ("\u{1B}[21~", "f10"),
      ("\u{1B}[23~", "f11"), ("\u{1B}[24;2~", "shift-f12"), ("\u{1B}[Z", "shift-tab"), ("\u{1B}OM", "enter"),
      ("\u{1B}Oj", "*"),
      ("\u{1B}Op", "0"), ("\u{1B}O5A", "ctrl-up"), ("\u{1B}[27;5;13~", "ctrl-enter"),
      ("\u{1B}[27;6;97~", "ctrl-a"),
      // The Linux console.
      ("\u{1B}[[A", "f1"), ("\u{1B}[[E", "f5"),
      // rxvt.
      ("\u{1B}[7~", "home"), ("\u{1B}[8~", "end"), ("\u{1B}[a", "shift-up"), ("\u{1B}Oa", "ctrl-up"),
      ("\u{1B}[3^", "ctrl-delete"),
      ("\u{1B}[3$", "shift-delete"), ("\u{1B}[5@", "ctrl-shift-page-up"), ("\u{1B}[11~", "f1"),
      ("\u{1B}[34~", "f20"),
      // kitty's protocol.
      ("\u{1B}[97u", "a"), ("\u{1B}[27u", "escape"), ("\u{1B}[13;5u", "ctrl-enter"),
      ("\u{1B}[97;5u", "ctrl-a"),
      ("\u{1B}[97:65;4u", "alt-A"),
      ("\u{1B}[1092::97;5u", "ctrl-a"), ("\u{1B}[105;5u", "tab"), ("\u{1B}[9;2u", "shift-tab"),
      ("\u{1B}[57417u", "left"),
      ("\u{1B}[57414u", "enter"), ("\u{1B}[57399u", "0"), ("\u{1B}[57376u", "f13"),
      ("\u{1B}[97;69u", "ctrl-a"),
      ("\u{1B}[97;1:2u", "a"),
      ("\u{1B}[127;5u", "ctrl-backspace"), ("\u{1B}[1;5P", "ctrl-f1"), ("\u{1B}[13~", "f3"),
    ] as [(String, String)])
  func `a sequence is a key`(bytes: String, name: String) {
    #expect(keys(bytes) == [name])
  }

  @Test(arguments: [
    // The end of a press, modifiers alone, keys of media, other modifiers, reports that nobody
    // asked for.
    "\u{1B}[97;1:3u", "\u{1B}[57441u", "\u{1B}[57428u", "\u{1B}[100;9u", "\u{1B}[>1;10;0c", "\u{1B}[?997;1n",
    "\u{1B}[8;24;80t",
    "\u{1B}]52;c;YWJj\u{7}", "\u{1B}P>|tmux 3.3a\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[200",
    "\u{1B}[38;5;1m", "\u{1B}[99999999~",
    "\u{1B}[-5~", "\u{9B}", "\u{85}", "\u{1B}[<2;5;5M", "\u{1B}[<0;0;0M", "\u{1B}[<0;5M",
  ])
  func `a sequence without a meaning is skipped`(bytes: String) {
    #expect(keys(bytes) == [])
    #expect(keys(bytes + "\u{1B}[A").suffix(1) == ["up"])
  }

  @Test func `two escapes are two keys, or Alt where the terminal sends it so`() {
    #expect(keys("\u{1B}\u{1B}") == ["escape", "escape"])
    #expect(keys("\u{1B}\u{1B}[A") == ["escape", "up"])
    #expect(keys("\u{1B}\u{1B}[A", prefixesAlt: true) == ["alt-up"])
    #expect(keys("\u{1B}\u{1B}", prefixesAlt: true) == ["alt-escape"])
  }

  @Test func `ctrl-c is a key of its own, also right after escape`() {
    #expect(keys("\u{1B}\u{3}") == ["escape", "ctrl-c"])
    #expect(keys("\u{1B}\u{1B}\u{3}") == ["escape", "escape", "ctrl-c"])
    #expect(keys("\u{1B}\u{1B}\u{3}", prefixesAlt: true) == ["escape", "escape", "ctrl-c"])
  }

  @Test func `a mouse reports the left button and the wheel`() {
    let place = CellPosition(row: 3, column: 9)
    #expect(inputs("\u{1B}[<0;10;4M") == [.mouse(.press, place, [])])
    #expect(inputs("\u{1B}[<0;10;4m") == [.mouse(.release, place, [])])
    #expect(inputs("\u{1B}[<32;10;4M") == [.mouse(.drag, place, [])])
    #expect(inputs("\u{1B}[<64;10;4M") == [.mouse(.wheelUp, place, [])])
    #expect(inputs("\u{1B}[<65;10;4M") == [.mouse(.wheelDown, place, [])])
    #expect(inputs("\u{1B}[<16;10;4M") == [.mouse(.press, place, .control)])
    #expect(inputs("\u{1B}[M *$") == [.mouse(.press, place, [])])
    #expect(inputs("\u{1B}[M#*$") == [.mouse(.release, place, [])])
  }

  @Test func `replies are told from keys`() {
    #expect(inputs("\u{1B}[?62;4c") == [.reply(.attributes)])
    #expect(inputs("\u{1B}[0n") == [.reply(.fence)])
    #expect(inputs("\u{1B}[?2026;2$y") == [.reply(.mode(2026, state: 2))])
    #expect(inputs("\u{1B}[?5u") == [.reply(.keyboard(5))])
    #expect(inputs("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
    #expect(inputs("\u{1B}]11;rgb:ffff/0000/8000\u{1B}\\a").count == 2)
    #expect(inputs("\u{1B}]11;rgb:ff/0/00\u{7}") == [.reply(.background(red: 1, green: 0, blue: 0))])
    #expect(inputs("\u{1B}]11;rgb:red/0/00\u{7}") == [])
  }

  @Test func `the place of the cursor is a reply only when it was asked for`() {
    var parser = InputParser()
    parser.expectedPositions = 1
    #expect(
      parser.parse(Array("\u{1B}[5;2R\u{1B}[1;2R".utf8)) == [
        .reply(.cursor(CellPosition(row: 4, column: 1))), .key(Key(.function(3), .shift)),
      ])
  }

  @Test func `a pasted text is one input, whatever it contains`() {
    #expect(
      inputs("\u{1B}[200~a\r\u{1B}[Aq\u{3}\u{1B}[201~b") == [
        .paste("a\r\u{1B}[Aq\u{3}"), .key(Key(.character("b"))),
      ])
    #expect(inputs("\u{1B}[200~") == [.paste("")])
    #expect(inputs("\u{1B}[200~no end") == [.paste("no end")])
  }

  @Test func `a pasted text is bounded, and its end is found`() {
    var parser = InputParser()
    var found = parser.parse(Array("\u{1B}[200~".utf8))
    let part = Array(repeating: Array("ä".utf8), count: 50_000).flatMap { $0 }
    for _ in 0..<60 { found += parser.parse(part) }
    found += parser.parse(Array("\u{1B}[201~x".utf8))
    guard case .paste(let text) = found.first else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count <= InputParser.maxPaste)
    #expect(text.allSatisfy { $0 == "ä" })
    #expect(found.last == .key(Key(.character("x"))))
  }

  @Test func `bytes that are no UTF-8 are one sign each and lose nothing after them`() {
    var parser = InputParser()
    let found = parser.parse([0xFF, 0x61, 0xE2, 0x82, 0x62, 0xC0, 0x80] as [UInt8])
    let names = found.map { input -> String in if case .key(let key) = input { key.description } else { "" } }
    #expect(names == ["\u{FFFD}", "a", "\u{FFFD}", "b", "\u{FFFD}", "\u{FFFD}"])
  }

  @Test func `a late rest of a sequence is never read as keys`() {
    var parser = InputParser()
    #expect(parser.parse(Array("\u{1B}[<0;10".utf8)) == [])
    #expect(parser.flush() == [])
    #expect(parser.patience == nil)
    #expect(parser.parse(Array(";4Md".utf8)) == [.key(Key(.character("d")))])
  }

  @Test func `a lone escape waits shortly, a sequence longer`() {
    var parser = InputParser()
    #expect(parser.patience == nil)
    _ = parser.parse([0x1B] as [UInt8])
    #expect(parser.patience == .escape)
    _ = parser.parse([0x5B] as [UInt8])
    #expect(parser.patience == .escape)
    _ = parser.parse([0x31] as [UInt8])
    #expect(parser.patience == .sequence)
    _ = parser.parse([0x41] as [UInt8])
    #expect(parser.patience == nil)
  }

  @Test(arguments: Randomness.seeds(300))
  func `hostile bytes give the same however they are divided, and keep little`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = hostileBytes(&generator)
    var complete = InputParser()
    let expected = complete.parse(bytes)
    var divided = InputParser()
    var found: [TerminalInput] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = min(1 + generator.below(7), rest.count)
      found += divided.parse(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(found == expected, "\(seedNote(seed))")
    #expect(divided.flush() == complete.flush(), "\(seedNote(seed))")
    // After the end of anything, a key is a key again; a sequence that was late swallows one.
    _ = divided.parse([0x78] as [UInt8])
    #expect(divided.parse([0x78] as [UInt8]).last == .key(Key(.character("x"))), "\(seedNote(seed))")
  }

  private func hostileBytes(_ generator: inout SeededGenerator) -> [UInt8] {
    let pieces = [
      "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]11;rgb:", "\u{1B}P", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[<",
      "\u{1B}[M", "\u{1B}\\",
      "\u{7}", ";",
      "1", "99999999999999999999", ":", "$", "R", "u", "~", "é", "\u{9B}", "日本", "\u{18}", "\r",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<generator.below(60) {
      if generator.oneIn(2) {
        bytes += Array(generator.one(of: pieces).utf8)
      } else {
        bytes.append(UInt8(generator.below(256)))
      }
    }
    return bytes
  }
}
