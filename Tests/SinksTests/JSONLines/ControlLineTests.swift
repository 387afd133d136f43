import PlainStore
import PlainText
import Testing

@testable import Sinks

struct ControlLineTests {
  @Test(arguments: ["", " ", "\t \r"])
  func `a blank line is reported as an empty control line`(text: String) throws {
    let error = try #require(throws: TextError.self) { try ControlLine(Array(text.utf8)).change(of: ViewDefinition()) }
    #expect([error.line, error.column] == [1, 1])
    #expect(error.message.hasPrefix("The control line is empty."))
  }

  @Test func `an object changes the view`() throws {
    #expect(try ControlLine(Array("{\"search\":\"ada\"}".utf8)).change(of: ViewDefinition()).search == "ada")
  }
}
