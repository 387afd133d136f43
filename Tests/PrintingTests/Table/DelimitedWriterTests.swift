import SampleLists
import Store
import Streams
import TestSupport
import Testing
import TextEdits
import Values

@testable import Printing

@Suite struct DelimitedWriterTests {
  private func rows(_ list: SampleList, _ format: DelimitedWriter.Format, isTerminal: Bool = false) throws
    -> String
  {
    try CollectedOutput.text {
      try DelimitedWriter(format, isTerminal: isTerminal).pieces(of: try list.snapshot).write(to: &$0)
    }
  }

  private let items: [Item] = [
    .sample(
      "ada",
      ["name": .string("Ada, \"Countess\""), "born": .int(1815), "tags": .list([.string("a,b"), .int(1)])]),
    .sample("bob", ["name": .string("one\ntwo\tthree\\"), "nick": .null, "more": .map(["x": .bool(true)])]),
  ]

  @Test func `CSV follows RFC 4180`() throws {
    let csv = [
      #"id,path,name,born,tags,nick,more"#,
      #"ada,ada.yaml,"Ada, ""Countess""",1815,"[""a,b"",1]",,"#,
      "bob,bob.yaml,\"one\ntwo\tthree\\\",,,,\"{\"\"x\"\":true}\"",
    ]
    #expect(try rows(SampleList(items), .csv) == csv.map { $0 + "\r\n" }.joined())
  }

  @Test func `TSV escapes tabs, line breaks and backslashes`() throws {
    let tsv = [
      "id\tpath\tname\tborn\ttags\tnick\tmore", "ada\tada.yaml\tAda, \"Countess\"\t1815\t[\"a,b\",1]\t\t",
      #"bob|bob.yaml|one\ntwo\tthree\\||||{"x":true}"#.replacing("|", with: "\t"),
    ]
    #expect(try rows(SampleList(items), .tsv) == tsv.map { $0 + "\n" }.joined())
  }

  @Test func `the columns are the view's section and fields`() throws {
    var request = FetchRequest.sectioned(by: "born")
    request.fields = ["name", "more.x", "@name"]
    #expect(
      try rows(SampleList([items[1]], request: request), .tsv)
        == #"""
        id|path|section|name|more.x|@name
        bob|bob.yaml||one\ntwo\tthree\\|true|bob

        """#.replacing("|", with: "\t"))
  }

  @Test func `a field called id does not hide the id`() throws {
    let list = SampleList([.sample("ada", ["id": .int(7), "path": .string("p"), "section": .string("s")])])
    #expect(try rows(list, .csv) == "id,path,value.id,value.path,section\r\nada,ada.yaml,7,p,s\r\n")
  }

  @Test func `a value that looks like a formula is not altered`() throws {
    let list = SampleList([.sample("a", ["x": .int(-1), "y": .string("=1+1"), "z": .string("@ada")])])
    #expect(try rows(list, .csv) == "id,path,x,y,z\r\na,a.yaml,-1,=1+1,@ada\r\n")
  }

  @Test func `a pipe gets the bytes, a terminal gets escapes`() throws {
    let list = SampleList([.sample("a", ["x": .string("\u{1B}[2J\u{9B}\u{202E}\n")])])
    #expect(try rows(list, .csv) == "id,path,x\r\na,a.yaml,\"\u{1B}[2J\u{9B}\u{202E}\n\"\r\n")
    #expect(try rows(list, .csv, isTerminal: true) == "id,path,x\r\na,a.yaml,\"\\x1b[2J\\x9b\\u202e\\n\"\r\n")
    #expect(try rows(list, .tsv, isTerminal: true) == "id\tpath\tx\na\ta.yaml\t\\x1b[2J\\x9b\\u202e\\n\n")
  }

  @Test func `two spellings of one key are two columns`() throws {
    let list = SampleList([.sample("a", ["caf\u{E9}": .int(1)]), .sample("b", ["cafe\u{301}": .int(2)])])
    #expect(try rows(list, .csv) == "id,path,caf\u{E9},cafe\u{301}\r\na,a.yaml,1,\r\nb,b.yaml,,2\r\n")
  }

  @Test func `an empty list has its header`() throws {
    #expect(try rows(SampleList([]), .csv) == "id,path\r\n")
  }

  @Test func `fields beyond the maximum are in the last column`() throws {
    let items = (0..<DelimitedWriter.maxColumns + 10).map { Item.sample("i\($0)", ["f\($0)": .int($0)]) }
    let lines = try rows(SampleList(items), .tsv).split(separator: "\n")
    #expect(Set(lines.map { $0.count { $0 == "\t" } }) == [DelimitedWriter.maxColumns + 2])
    #expect(lines.first?.hasSuffix("\t*") == true)
    #expect(lines.last?.hasSuffix("\t{\"f1009\":1009}") == true)
  }
}

/// Minimal readers of both formats.
extension DelimitedWriterTests {
  @Test func `a reader gets back what was written`() throws {
    for seed in Randomness.seeds(200) {
      var random = SeededGenerator(seed: seed)
      let cells = (0..<1 + random.below(5)).map { _ in
        random.hostileText() + ["", "\"", ",", "\r\n", "\t\\n"][random.below(5)]
      }
      let list = SampleList([
        .sample("a", Fields(unique: cells.enumerated().map { ("f\($0.offset)", .string($0.element)) }))
      ])
      let sent = [["id", "path"] + cells.indices.map { "f\($0)" }, ["a", "a.yaml"] + cells].map {
        $0.map { Array($0.utf8) }
      }
      #expect(readCSV(try rows(list, .csv)) == sent, "\(seedNote(seed))")
      #expect(readTSV(try rows(list, .tsv)) == sent, "\(seedNote(seed))")
    }
  }

  private func readCSV(_ text: String) -> [[[UInt8]]] {
    var table: [[[UInt8]]] = []
    var row: [[UInt8]] = [[]]
    var isQuoted = false
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      switch (byte, isQuoted) {
      case (UInt8(ascii: "\""), true) where bytes.first == byte:
        row[row.count - 1].append(bytes.removeFirst())
      case (UInt8(ascii: "\""), _): isQuoted.toggle()
      case (UInt8(ascii: ","), false): row.append([])
      case (UInt8(ascii: "\r"), false) where bytes.first == UInt8(ascii: "\n"):
        bytes.removeFirst()
        table.append(row)
        row = [[]]
      default: row[row.count - 1].append(byte)
      }
    }
    return table
  }

  private func readTSV(_ text: String) -> [[[UInt8]]] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
      line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { cell in
        var bytes: [UInt8] = []
        var rest = cell
        while let byte = rest.popFirst() {
          guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
            bytes.append(byte)
            continue
          }
          bytes.append(
            [UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13][escaped] ?? escaped)
        }
        return bytes
      }
    }
  }
}
