import Store
import Testing
import Values

@testable import Printing
@testable import Streams

struct ControlLineTests {
  @Test(arguments: ["", " ", "\t \r"])
  func `a blank line is reported as an empty control line`(text: String) throws {
    let error = try #require(throws: TextError.self) {
      try ControlLine(Array(text.utf8)).request(changing: ViewDefinition())
    }
    #expect([error.line, error.column] == [1, 1])
    #expect(error.message.hasPrefix("The control line is empty."))
  }

  @Test func `an object changes the view`() throws {
    guard
      case .view(let view) = try ControlLine(Array("{\"search\":\"ada\"}".utf8)).request(
        changing: ViewDefinition())
    else {
      Issue.record("The line changes no view.")
      return
    }
    #expect(view.search == "ada")
  }

  @Test func `a token is acknowledged`() throws {
    let line = ControlLine(Array(#"{"ack":"n1.a"}"#.utf8))
    #expect(try line.request(changing: ViewDefinition()) == .acknowledgement(token: "n1.a"))
  }

  @Test(arguments: [
    #"{"ack":5}"#, #"{"ack":null}"#, #"{"ack":"a","search":"b"}"#, #"{"search":"b","ack":"a"}"#,
  ])
  func `an acknowledgement has one token and no other key`(text: String) throws {
    let error = try #require(throws: TextError.self) {
      try ControlLine(Array(text.utf8)).request(changing: ViewDefinition())
    }
    #expect(error.message == #"Expected {"ack":"…"} with a token and no other key."#)
    #expect(error.column == (text.hasPrefix("{\"s") ? 21 : 8))
  }
}
