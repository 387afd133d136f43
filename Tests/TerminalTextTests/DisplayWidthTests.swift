import Testing

@testable import TerminalText

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("…", 1), ("→", 1), ("α", 1), ("Ж", 1), ("א", 1),
    ("日", 2), ("あ", 2), ("한", 2), ("ﾊ", 1), ("Ａ", 2), ("　", 2), ("가", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("か\u{3099}", 2), ("𠀀", 2),
    ("〈", 2),
    ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("🇫🇷", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("⌚", 2), ("☎", 1), ("🀄", 2), ("🅰", 1),
    ("न", 1), ("स्", 1), ("กำ", 2),
  ])
  func `characters are as wide as on terminals`(character: String, columns: Int) {
    #expect(DisplayWidth.columns(of: character.unicodeScalars) == columns)
  }

  @Test func `a run of ASCII takes one column per character`() {
    #expect(DisplayWidth.columns(of: #"\u202e"#.unicodeScalars) == 6)
    #expect(DisplayWidth.columns(of: "".unicodeScalars) == 0)
  }
}
