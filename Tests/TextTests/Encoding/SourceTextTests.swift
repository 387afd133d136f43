import Testing
import Values

@Suite struct SourceTextTests {
  @Test(arguments: TextFormat.allCases)
  func `a byte that is not UTF-8 is reported at its place`(_ format: TextFormat) {
    let error = failure(Array("é\nab".utf8) + [0xC3, 0x28], as: format)
    #expect(error.map { [$0.line, $0.column] } == [2, 3])
    #expect(error?.message.contains("0xC3") == true)
    #expect(error?.message.contains("UTF-8") == true)
  }

  @Test func `a byte order mark is not part of the text`() throws {
    #expect(try json("\u{FEFF}a: 1") == #"{"a":1}"#)
    #expect(try json("\u{FEFF}{\"a\": 1}", as: .json) == #"{"a":1}"#)
    #expect(try json("\u{FEFF}---\na: 1\n---\nx", as: .markdown) == #"{"a":1,"body":"x"}"#)
    #expect(place("\u{FEFF}a: ]") == "1:4")
    #expect(place("\u{FEFF}[x]", as: .json) == "1:2")
  }

  @Test(arguments: TextFormat.allCases)
  func `conflict markers of git are a problem`(_ format: TextFormat) {
    let conflict = "<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> topic\n"
    for text in ["a: 1\n" + conflict, "a: 1\r\n" + conflict.replacing("\n", with: "\r\n")] {
      let error = failure(text, as: format)
      #expect(error.map { [$0.line, $0.column] } == [2, 1])
      #expect(error?.message.contains("conflict markers of git") == true)
    }
    let threeWay = "a: 1\n<<<<<<< ours\nb: 1\n||||||| base\nb: 0\n=======\nb: 2\n>>>>>>> theirs\n"
    #expect(failure(threeWay, as: format)?.message.contains("conflict markers of git") == true)
  }

  @Test(arguments: [
    "Heading\n=======\n", "<<<<<<< a\n", "<<<<<<< a\n>>>>>>> b\n=======\n",
    " <<<<<<< a\n =======\n >>>>>>> b\n",
    "<<<<<<< a\n========\n>>>>>>> b\n",
    "x <<<<<<< a\n=======\n>>>>>>> b\n", "<<<<<<<\n=======\n>>>>>>>\n", "<<<<<<",
  ])
  func `lines that only resemble conflict markers are text`(_ text: String) throws {
    #expect(try read(text, as: .markdown)["body"] == .string(text))
  }
}
