import TestSupport
import Testing

@testable import Browse

@Suite struct LineWordsTests {
  private func words(_ line: String) -> [String] { LineWords(Array(line)).words.map(\.text) }

  @Test func `a line that changed has the words of its text`() {
    let pieces = Array("ab= \"'\\`[]{}:,+é ").map(String.init) + ["=@today", "@today", " + 3d", "3d", "+"]
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      var characters: [Character] = []
      var words = LineWords([])
      for _ in 0..<30 {
        let place = random.below(characters.count + 1)
        if place < characters.count, random.oneIn(3) {
          characters.removeSubrange(place..<min(place + 4, characters.count))
        } else {
          characters.insert(contentsOf: (0..<4).flatMap { _ in Array(random.one(of: pieces)) }, at: place)
        }
        let old = words
        let kept = words.update(characters)
        #expect(words == LineWords(characters), "\(String(characters)); \(seedNote(seed))")
        #expect(words.words.prefix(kept) == old.words.prefix(kept), "\(seedNote(seed))")
      }
    }
  }

  @Test(arguments: [
    "due=@today + 3d done=true", "a=1 due=@now", "due=@today - 12w x", "x=\"@today + 3d\" y='a b'",
  ])
  func `a typed line has the words of a pasted one`(line: String) {
    var words = LineWords([])
    for end in 1...line.count {
      _ = words.update(Array(line.prefix(end)))
      #expect(words == LineWords(Array(line.prefix(end))), "\(line.prefix(end))")
    }
  }

  @Test func `a quoted word is one word`() {
    #expect(words(#"'my id' "title=A b" x=1"#) == ["my id", "title=A b", "x=1"])
    #expect(words(#"'it''s'"#) == ["it's'"])
    #expect(LineWords(Array(#"'my id"#)).words.map(\.isOpen) == [true])
  }

  @Test func `blanks separate words`() {
    #expect(words("  rating=8   name=Ada ") == ["rating=8", "name=Ada"])
    #expect(words("") == [])
    #expect(words("   ") == [])
  }

  @Test func `a quoted value may have blanks, and its quotes are left out`() {
    #expect(words(#"name="Ada Lovelace" x='a "b" c' y="#) == ["name=Ada Lovelace", #"x=a "b" c"#, "y="])
    #expect(words(#"name="a \"b\" \\ \n" z=1"#) == [#"name=a "b" \ \n"#, "z=1"])
    #expect(words(#"tags+="two words""#) == ["tags+=two words"])
    #expect(words(#"name=O'Neill x=5" y"#) == ["name=O'Neill", #"x=5""#, "y"])
  }

  @Test func `JSON keeps its quotes and blanks`() {
    #expect(words(#"tags:=["a b", "c\"] "] rating=1"#) == [#"tags:=["a b", "c\"] "]"#, "rating=1"])
    #expect(words(#"a:={"b": [1, 2]} c=3"#) == [#"a:={"b": [1, 2]}"#, "c=3"])
    #expect(words(#"a:="two words" c=3"#) == [#"a:="two words""#, "c=3"])
    #expect(words("a:=1 b=2") == ["a:=1", "b=2"])
  }

  @Test func `backquotes and backslashes are part of a name`() {
    #expect(words("`two words`=x") == ["`two words`=x"])
    #expect(words("`a=b`=x") == ["`a=b`=x"])
    #expect(words(#"a\=b=x"#) == [#"a\=b=x"#])
  }

  @Test func `what is not closed is known`() {
    #expect(LineWords(Array(#"name="Ada"#)).words.map(\.isOpen) == [true])
    #expect(LineWords(Array("`na me=Ada")).words.map(\.isOpen) == [true])
    #expect(LineWords(Array(#"name="Ada""#)).words.map(\.isOpen) == [false])
  }

  @Test(arguments: [
    ("due=@today + 3d done=true", ["due=@today + 3d", "done=true"]),
    ("due=@today +3d", ["due=@today", "+3d"]),
    ("x=\"@today\" y=\"@ada\"", ["x=\"@today\"", "y=@ada"]), ("x=\"@today + 3d\"", ["x=\"@today + 3d\""]),
    ("x=@now y=1", ["x=@now", "y=1"]),
    ("x=@today + ", ["x=@today", "+"]), ("x=@ada + 3d", ["x=@ada", "+", "3d"]),
  ])
  func `a moment is one value, and in quotes it keeps them`(line: String, words: [String]) {
    #expect(LineWords(Array(line)).words.map(\.text) == words)
  }

  @Test func `a column of a word has a place in the line`() {
    let word = LineWords(Array(#"a=1 name="Ada Lovelace" b=2"#)).words[1]
    #expect(word.text == "name=Ada Lovelace")
    #expect(word.place(ofColumn: 1) == 4)
    #expect(word.place(ofColumn: 6) == 10)
    #expect(word.place(ofColumn: 1000) == word.range.upperBound)
    #expect(word.place(ofColumn: 0) == 4)
  }

  @Test(arguments: Randomness.seeds(300))
  func `any line is split without a loss`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["=", ":=", "+=", "\"", "'", "`", "\\", "[", "]", "{", "}", " ", "a", "é", "👨‍👩‍👧", "\t", "@"]
    let line = Array(
      (0..<random.below(30)).map { _ in random.oneIn(8) ? random.hostileText() : random.one(of: pieces) }
        .joined())
    let words = LineWords(line).words
    var end = 0
    for word in words {
      #expect(word.range.lowerBound >= end, "\(seedNote(seed))")
      #expect(!word.range.isEmpty, "\(seedNote(seed))")
      #expect(line[end..<word.range.lowerBound].allSatisfy { $0.isWhitespace }, "\(seedNote(seed))")
      #expect(word.places.allSatisfy { word.range.contains($0) }, "\(seedNote(seed))")
      #expect(String(word.places.map { line[$0] }) == word.text, "\(seedNote(seed))")
      end = word.range.upperBound
    }
    #expect(line[end...].allSatisfy { $0.isWhitespace }, "\(seedNote(seed))")
  }
}
