import Testing

@testable import Printing

@Suite struct WordingTests {
  @Test(arguments: [
    (0, "0 items"), (1, "1 item"), (464, "464 items"), (1_000, "1,000 items"),
    (12_345_678, "12,345,678 items"),
  ])
  func `a number is grouped and followed by its noun`(number: Int, words: String) {
    #expect(Wording.count(number, "item") == words)
  }
}
