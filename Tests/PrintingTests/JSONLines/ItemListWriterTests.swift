import SampleLists
import Store
import Streams
import Testing
import TextEdits
import Values

@testable import Printing

struct ItemListWriterTests {
  private static let list = SampleList(
    [
      .sample("a", ["g": .string("x"), "n": .int(1)]),
      .sample("d/b", ["g": .string("y"), "t": .string("ü\"\n")], ext: "md"),
    ],
    request: .sectioned(by: "g"))

  @Test func `an array has one line per item`() throws {
    let text = try CollectedOutput.text {
      try ItemListWriter.array(ItemListWriterTests.list.snapshot).write(to: &$0)
    }
    #expect(
      text == """
        [
        {"id":"a","path":"a.yaml","section":"x","value":{"g":"x","n":1}},
        {"id":"d/b","path":"d/b.md","section":"y","value":{"g":"y","t":"ü\\"\\n"}}
        ]

        """)
  }

  @Test func `lines are the same objects, one per line`() throws {
    let text = try CollectedOutput.text {
      try ItemListWriter.lines(ItemListWriterTests.list.snapshot).write(to: &$0)
    }
    #expect(
      text == """
        {"id":"a","path":"a.yaml","section":"x","value":{"g":"x","n":1}}
        {"id":"d/b","path":"d/b.md","section":"y","value":{"g":"y","t":"ü\\"\\n"}}

        """)
  }

  @Test func `an empty list is an empty array or no lines`() throws {
    let empty = try SampleList([]).snapshot
    #expect(try CollectedOutput.text { try ItemListWriter.array(empty).write(to: &$0) } == "[]\n")
    #expect(try CollectedOutput.text { try ItemListWriter.lines(empty).write(to: &$0) } == "")
  }

  @Test func `values contain only the shown fields, and without sections the section is empty`() throws {
    var list = ItemListWriterTests.list
    list.request = .showing("n", "@dir")
    let text = try CollectedOutput.text { try ItemListWriter.lines(list.snapshot).write(to: &$0) }
    #expect(
      text == """
        {"id":"a","path":"a.yaml","section":"","value":{"n":1,"@dir":""}}
        {"id":"d/b","path":"d/b.md","section":"","value":{"@dir":"d"}}

        """)
  }

  @Test func `an array of some items has no sections`() throws {
    let text = try CollectedOutput.text {
      try ItemListWriter.writeArray(ItemListWriterTests.list.items, to: &$0)
    }
    #expect(
      text == """
        [
        {"id":"a","path":"a.yaml","value":{"g":"x","n":1}},
        {"id":"d/b","path":"d/b.md","value":{"g":"y","t":"ü\\"\\n"}}
        ]

        """)
  }
}
