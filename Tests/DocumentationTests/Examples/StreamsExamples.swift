import Glibc
import PlainStore
import Store
import Streams
import Values

/// The examples in the documentation comments of `Streams`, copied line by line.
struct StreamsExamples {
  // Lines/StreamWriter.swift
  func writer(_ results: LiveList<Item>) async {
    var writer = StreamWriter(root: "contacts") { Timestamp(seconds: Int64(time(nil)), nanoseconds: 0) }
    let subscription = results.subscribe()
    writer.begin(view: [:], nil)
    while let event = await subscription.next() {
      writer.add(event)
      writer.write { print(String(decoding: $0, as: UTF8.self), terminator: "") }
    }
  }

  // Reading/StreamLine.swift
  func line() throws {
    let line = try StreamLine(#"{"v":1,"type":"bookmark","seq":4,"token":"n1.x"}"#)
    print(line.type, line.position?.seq ?? 0)  // bookmark 4
  }

  // Reading/StreamList.swift
  func list(_ text: String) throws {
    var list = StreamList()
    for line in text.split(separator: "\n") { try list.apply(StreamLine(String(line))) }
    for id in list.snapshot.itemIdentifiers { print(id, list.row(id)?.value as Any) }
  }

  // Tokens/StreamDigest.swift
  func digest(_ results: LiveList<Item>) async {
    let shown = results.snapshot
    var digest = StreamDigest(of: shown)
    for await update in results.updates(after: shown) { digest.apply(update) }
  }
}
