import Foundation
import Query
@testable import Store
import Synchronization
import TestSupport
import Testing
import Streams

@testable import Serve

@Suite(.timeLimit(.minutes(2))) struct WindowViewTests {
  private static func files(_ count: Int) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map {
        ("n\($0 / 10)\($0 % 10).yaml", "rating: \($0)\ngroup: g\($0 % 3)\n")
      })
  }

  /// Opens one view, and returns its first line.
  private static func open(_ served: ServedFolder, _ view: String) async throws -> (
    StreamClient, String, StreamClient.Event
  ) {
    let client = try await served.open(views: #"{"a":\#(view)}"#)
    let stream = await client.next().fields["stream"] as? String ?? ""
    #expect(await client.next().type == "hello")
    return (client, stream, await client.next())
  }

  private static func ids(_ event: StreamClient.Event) -> [String] {
    (event.fields["rows"] as? [[String: Any]] ?? []).map {
      $0["id"] as? String ?? "[\($0["section"] as? String ?? "")]"
    }
  }

  private static func row(_ id: String, _ event: StreamClient.Event) -> [String: Any]? {
    (event.fields["rows"] as? [[String: Any]])?.first { $0["id"] as? String == id }
  }

  @Test func `a window has its rows and the numbers of the list`() async throws {
    let served = try await ServedFolder(Self.files(40), watching: true)
    let (client, _, line) = try await Self.open(
      served, #"{"where":"rating < 30","section":"group","window":{"first":9,"count":4}}"#)
    #expect(line.type == "window")
    #expect(Self.ids(line) == ["n24", "n27", "[g1]", "n01"])
    let fields = line.fields
    #expect(fields["first"] as? Int == 9)
    #expect(fields["count"] as? Int == 30)
    #expect(fields["total"] as? Int == 40)
    #expect(fields["lines"] as? Int == 33)
    #expect(fields["sections"] as? Int == 3)
    #expect((fields["section"] as? [String: Any])?["section"] as? String == "g0")
    #expect(Self.row("n24", line)?["position"] as? Int == 9)
    #expect(Self.row("n01", line)?["position"] as? Int == 11)
    #expect(line.id == "a=\(fields["token"] as? String ?? "")")
    await client.close()
  }

  private static func columns(_ event: StreamClient.Event) -> [String] {
    (event.fields["columns"] as? [[String: Any]] ?? []).map { column in
      let parts = [column["field"], column["pointer"]].map { $0 as? String ?? "" }
      return (parts + (column["title"] as? Bool == true ? ["title"] : [])).joined(separator: " ")
    }
  }

  @Test func `a window has the columns of the list, with pointers to their values`() async throws {
    let early = (0..<20).map { "list\($0): [{a: 1}]\n" }.joined()
    let served = try await ServedFolder([
      "ada.yaml": "\(early)title: Ada\nowner: {city: Rome}\na.b/c: 1\nn: 1\n",
      "bob.yaml": "\(early)title: Bob\nowner: {city: Bonn}\na.b/c: 2\nn: 2\n",
    ])
    let (client, stream, line) = try await Self.open(served, #"{"window":{"first":0,"count":9}}"#)
    #expect(
      Self.columns(line) == [
        "title /title title", "/a.b~1c /a.b~1c", "n /n", "owner.city /owner/city",
      ])
    // The value is cut to 16 fields, and those of the columns are among them.
    let row = try #require(Self.row("bob", line))
    #expect(row["cut"] as? Bool == true)
    let value = try #require(row["value"] as? [String: Any])
    #expect((value["owner"] as? [String: Any])?["city"] as? String == "Bonn")
    #expect(value["n"] as? Int == 2)
    #expect(value.count == 16)
    _ = try await served.change(
      stream, #"{"a":{"fields":"n,@id","window":{"first":0,"count":9},"request":5}}"#)
    #expect(Self.columns(await client.next()) == ["n /n", "@id /@id"])
    await client.close()
  }

  @Test func `a window beyond the end begins earlier`() async throws {
    let served = try await ServedFolder(Self.files(10))
    let (client, _, line) = try await Self.open(served, #"{"window":{"first":100,"count":4}}"#)
    #expect(line.fields["first"] as? Int == 6)
    #expect(Self.ids(line) == ["n06", "n07", "n08", "n09"])
    await client.close()
  }

  @Test func `a scroll is one answer with the values that the client does not have`() async throws {
    let served = try await ServedFolder(Self.files(20), watching: true)
    let (client, stream, _) = try await Self.open(served, #"{"window":{"first":0,"count":4}}"#)
    _ = try await served.change(stream, #"{"a":{"window":{"first":2,"count":4},"request":5}}"#)
    let line = await client.next()
    #expect(line.fields["answer"] as? Int == 5)
    #expect(line.fields["changes"] == nil)
    #expect(Self.ids(line) == ["n02", "n03", "n04", "n05"])
    #expect(Self.row("n03", line)?["value"] == nil)
    #expect(Self.row("n04", line)?["value"] != nil)
    await client.close()
  }

  @Test func `a window has the rows of the problems, which move no line`() async throws {
    var files = Self.files(3)
    let clean = try await ServedFolder(files, watching: true)
    files["bad.yaml"] = "a: 1\nb: [\n"
    files["x/worse.json"] = "{"
    let served = try await ServedFolder(files, watching: true)
    let window = #"{"window":{"first":0,"count":4}}"#
    let (other, _, without) = try await Self.open(clean, window)
    let (client, stream, line) = try await Self.open(served, window)
    for key in ["count", "total", "lines", "sections", "first"] {
      #expect(line.fields[key] as? Int == without.fields[key] as? Int, "\(key)")
    }
    #expect(Self.ids(line) == Self.ids(without))
    #expect(without.fields["problemRows"] == nil)
    let problems = try #require(line.fields["problemRows"] as? [String: Any])
    #expect(problems["total"] as? Int == 2)
    let rows = try #require(problems["rows"] as? [[String: Any]])
    #expect(rows.map { $0["path"] as? String } == ["bad.yaml", "x/worse.json"])
    #expect(rows.first?["line"] as? Int == 2)
    #expect(rows.first?["column"] is Int)
    #expect(rows.first?["message"] is String)
    _ = try await served.change(
      stream, #"{"a":{"search":"worse","window":{"first":0,"count":4},"request":1}}"#)
    let searched = await client.next("window", named: "a").fields
    #expect((searched["problemRows"] as? [String: Any])?["total"] as? Int == 1)
    #expect(searched["problems"] as? Int == 2)
    try served.folder.write("{}", to: "x/worse.json")
    #expect(await client.next("window", named: "a").fields["problemRows"] == nil)
    await client.close()
    await other.close()
  }

  @Test func `the rows of the problems are bounded, with their number`() async throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<150).map { ("p\($0 + 100).yaml", "[") })
    let served = try await ServedFolder(files)
    let (client, _, line) = try await Self.open(served, #"{"window":{"first":0,"count":4}}"#)
    let problems = try #require(line.fields["problemRows"] as? [String: Any])
    #expect(problems["total"] as? Int == 150)
    let paths = (problems["rows"] as? [[String: Any]])?.map { $0["path"] as? String }
    #expect(paths == (100..<200).map { "p\($0).yaml" })
    await client.close()
  }

  @Test func `a window has a warning about quotes for as long as it holds`() async throws {
    let served = try await ServedFolder(Self.files(3), watching: true)
    let (client, _, line) = try await Self.open(
      served, #"{"where":"group = done","window":{"first":0,"count":4}}"#)
    #expect(
      (line.fields["warnings"] as? [String])?.first?.contains(#"did you mean `group = "done"`?"#) == true)
    try served.folder.write("done: 5\n", to: "n00.yaml")
    #expect(await client.next("window", named: "a").fields["warnings"] == nil)
    try served.folder.write("rating: 5\n", to: "n00.yaml")
    #expect(await client.next("window", named: "a").fields["warnings"] != nil)
    await client.close()
  }

  @Test func `an item that the view does not show changes only the total`() async throws {
    let served = try await ServedFolder(Self.files(9), watching: true)
    let (client, _, first) = try await Self.open(
      served, #"{"where":"rating < 5","window":{"first":0,"count":4}}"#)
    try served.folder.write("rating: 50\n", to: "hidden.yaml")
    let more = await client.next()
    #expect(more.fields["total"] as? Int == 10)
    #expect(more.fields["count"] as? Int == 5)
    #expect(more.fields["changes"] == nil)
    #expect(more.fields["token"] as? String == first.fields["token"] as? String)
    #expect(Self.row("n00", more)?["value"] == nil)
    try served.folder.remove("hidden.yaml")
    #expect(await client.next().fields["total"] as? Int == 9)
    // Changes are followed as before.
    try served.folder.write("rating: 3\n", to: "a.yaml")
    let shown = await client.next()
    #expect(shown.fields["total"] as? Int == 10)
    #expect((shown.fields["changes"] as? [String: Any])?["insert"] as? Int == 1)
    await client.close()
  }

  @Test func `a header has its number and its line`() async throws {
    let served = try await ServedFolder(Self.files(9), watching: true)
    let (client, _, line) = try await Self.open(
      served, #"{"section":"group","window":{"first":2,"count":3}}"#)
    #expect(Self.ids(line) == ["n03", "n06", "[g1]"])
    let headers = [line.fields["section"] as? [String: Any], (line.fields["rows"] as? [[String: Any]])?.last]
    #expect(headers.map { $0?["number"] as? Int } == [1, 2])
    #expect(headers.map { $0?["line"] as? Int } == [0, 4])
    await client.close()
  }

  @Test func `a window follows its item, and stays when the item is gone`() async throws {
    let served = try await ServedFolder(Self.files(20), watching: true)
    let (client, _, line) = try await Self.open(served, #"{"window":{"anchor":"n10","offset":1,"count":3}}"#)
    #expect(Self.ids(line) == ["n09", "n10", "n11"])
    try served.folder.write("rating: 0\n", to: "a.yaml")
    let second = await client.next()
    #expect(Self.ids(second) == ["n09", "n10", "n11"])
    #expect(second.fields["first"] as? Int == 10)
    #expect((second.fields["changes"] as? [String: Any])?["insert"] as? Int == 1)
    try served.folder.remove("n10.yaml")
    let third = await client.next()
    #expect(Self.ids(third) == ["n09", "n11", "n12"])
    #expect((third.fields["gone"] as? [[String: String]]) == [["id": "n10", "reason": "removed"]])
    await client.close()
  }

  @Test func `a changed row has its change, its fields and the values before`() async throws {
    let served = try await ServedFolder(Self.files(9), watching: true)
    let (client, _, _) = try await Self.open(served, #"{"window":{"first":0,"count":4}}"#)
    try served.folder.write("rating: 50\ngroup: g2\n", to: "n02.yaml")
    let line = await client.next()
    let row = Self.row("n02", line)
    #expect(row?["change"] as? String == "update")
    #expect(row?["fields"] as? [String] == ["/rating"])
    #expect(row?["before"] as? [String: Int] == ["rating": 2])
    #expect((row?["value"] as? [String: Any])?["rating"] as? Int == 50)
    #expect(line.fields["origin"] as? String == "files")
    #expect(Self.row("n01", line)?["change"] == nil)
    await client.close()
  }

  @Test func `another view is one answer`() async throws {
    let served = try await ServedFolder(Self.files(20), watching: true)
    let (client, stream, _) = try await Self.open(served, #"{"window":{"first":0,"count":3}}"#)
    _ = try await served.change(
      stream, #"{"a":{"sort":"-rating","search":"g1","window":{"first":0,"count":3},"request":1}}"#)
    let line = await client.next()
    #expect(Self.ids(line) == ["n19", "n16", "n13"])
    #expect(line.fields["origin"] as? String == "view")
    #expect(line.fields["answer"] as? Int == 1)
    _ = try await served.change(
      stream, #"{"a":{"search":"nothing has this","window":{"first":0,"count":3},"request":2}}"#)
    let empty = await client.next()
    #expect(empty.fields["empty"] as? String == "No items.")
    #expect(Self.ids(empty) == [])
    await client.close()
  }

  /// A client may not know the search text of a named view.
  @Test(arguments: ["null", "\"g1\""])
  func `a view that names its search prepares the server, whatever the text is`(search: String) async throws {
    let served = try await ServedFolder(
      [".notes-watch.yaml": "views: {best: {sort: [-rating], search: g1}}\n"], watching: true)
    try served.folder.shell(
      "for i in $(seq \(ListIndex.minCorpusItems)); do echo \"rating: $i\ngroup: g$((i % 3))\" > $i.yaml; done"
    )
    await served.store.settled()
    let (client, stream, first) = try await Self.open(
      served, #"{"view":"best","window":{"first":0,"count":3}}"#)
    var request = try served.store.settings.view(named: "best").request
    request.search = ""
    let other = served.store.list(request)
    #expect(!other.shared.state.withLock { $0.index.shared.hasTexts })
    _ = try await served.change(
      stream, #"{"a":{"view":"best","search":\#(search),"window":{"first":0,"count":3},"request":1}}"#)
    let line = await client.next()
    #expect(line.fields["answer"] as? Int == 1)
    #expect(Self.ids(line) == Self.ids(first))
    #expect(other.shared.state.withLock { $0.index.shared.hasTexts })
    await client.close()
  }

  @Test func `a long value is cut, and says so`() async throws {
    let long = String(repeating: "é", count: 300)
    let fields = (0..<20).map { "f\($0): 1\n" }.joined()
    let served = try await ServedFolder([
      "a.yaml": "text: \(long)\n", "b.yaml": fields, "c.yaml": "list: [\(long), \(long)]\n",
      "d.yaml": "x: 1\n",
    ])
    let (client, _, line) = try await Self.open(served, #"{"window":{"first":0,"count":9}}"#)
    let text = (Self.row("a", line)?["value"] as? [String: Any])?["text"] as? String
    #expect(text == String(repeating: "é", count: 200))
    #expect((Self.row("b", line)?["value"] as? [String: Any])?.count == 16)
    for id in ["a", "b", "c"] { #expect(Self.row(id, line)?["cut"] as? Bool == true) }
    #expect(Self.row("d", line)?["cut"] == nil)
    await client.close()
  }

  @Test func `a file with a problem is marked at its row, which keeps its last value`() async throws {
    let served = try await ServedFolder(Self.files(3), watching: true)
    let (client, _, _) = try await Self.open(served, #"{"window":{"first":0,"count":9}}"#)
    try served.folder.write("rating: [\n", to: "n01.yaml")
    let line = await client.next()
    #expect(Self.row("n01", line)?["problem"] as? String != nil)
    #expect(line.fields["problems"] as? Int == 1)
    #expect(await client.next().type == "problem")
    await client.close()
  }

  @Test func `after a reconnect the changes since the last line are marked`() async throws {
    let served = try await ServedFolder(Self.files(9), watching: true)
    let view = #"{"a":{"window":{"first":0,"count":4}}}"#
    let first = try await served.open(views: view)
    let position = await first.next("window", named: "a").id
    await first.close()
    try served.folder.write("rating: 50\n", to: "n02.yaml")
    await served.store.settled()
    let second = try await served.open(views: view, after: position)
    let line = await second.next("window", named: "a")
    #expect(Self.row("n02", line)?["change"] as? String == "update")
    #expect(line.fields["cause"] as? String == "resumed")
    #expect(Self.row("n01", line)?["value"] != nil)
    await second.close()
    let third = try await served.open(views: view, after: "a=nothing")
    #expect(await third.next("error", named: "a").fields["code"] as? String == "gone")
    #expect(await third.next().type == "window")
    await third.close()
  }
}
