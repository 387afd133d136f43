import Glibc
import TestSupport
import Testing

/// `-o jsonl` with `--state` and `--since`: a reader continues where it stopped.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ResumedStreamTests {
  @Test func `the first update is the difference from the acknowledged list`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader()
    let snapshot = try await first.begin()
    let update = try await first.save("a.yaml", "k: 2")
    try await first.kill()
    try await reader.folder.shell(
      "rm a.yaml; echo 'k: 9' > b.yaml; echo 'k: 5' > c.yaml; echo 'k: 3' > c.yaml")
    let second = try reader.reader("--since", update.token.string ?? "")
    let (hello, resumed) = try await second.resume(after: update.token)
    #expect(hello.seq == 2)
    #expect(resumed.type == "update")
    #expect(resumed.seq == 3)
    #expect(resumed.since == update.token)
    #expect(resumed.cause == "resumed")
    #expect(resumed.changes.list.map(\.op) == ["delete", "insert", "update"])
    #expect(resumed.changes.list.map(\.id) == ["a", "c", "b"])
    #expect(resumed.changes[2].before == ["k": 1])
    // The next update is an ordinary one.
    let next = try await second.save("b.yaml", "k: 10")
    #expect(next.seq == 4)
    #expect(next.since == resumed.token)
    #expect(next.cause == "changed")
    #expect(Set([snapshot, update, resumed, next].map(\.token)).count == 4)
  }

  @Test func `a bookmark follows if nothing changed`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader()
    let update = try await {
      try await first.begin(); return try await first.save("a.yaml", "k: 2")
    }()
    try await first.kill()
    let second = try reader.reader("--since", update.token.string ?? "")
    let (_, bookmark) = try await second.resume(after: update.token)
    #expect(bookmark.type == "bookmark")
    #expect(bookmark.seq == 2)
    #expect(bookmark.token == update.token)
    let next = try await second.save("a.yaml", "k: 3")
    #expect(next.seq == 3)
    #expect(next.since == update.token)
  }

  @Test func `current problems follow`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader()
    let snapshot = try await first.begin()
    try await first.kill()
    try await reader.save("a.yaml", "k: [")
    let second = try reader.reader("--since", snapshot.token.string ?? "")
    _ = try await second.resume(after: snapshot.token)
    let problem = try await second.next()
    #expect(problem.type == "problem")
    #expect(problem.state == "raised")
    #expect(problem.path == "a.yaml")
  }

  @Test func `an earlier token of the reader is answered exactly`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader("--sort", "k")
    var consumers: [ConsumerLog] = []
    var consumer = ConsumerLog()
    for _ in 0..<2 { try consumer.apply(try await first.nextLine()) }
    consumers.append(consumer)
    for number in 2...12 {
      try await reader.save(["a", "b", "c"][number % 3] + ".yaml", "k: \(10 + number * 7 % 13)")
      try consumer.apply(try await first.nextLine())
      consumers.append(consumer)
    }
    try await first.kill()
    try await reader.folder.shell("rm b.yaml; echo 'k: 99' > d.yaml")
    let expected = try await BuiltProgram.items(in: reader.folder.path)
    for index in consumers.indices.reversed() {
      let stream = try reader.reader("--sort", "k", "--since", consumers[index].token)
      for _ in 0..<2 { try consumers[index].apply(try await stream.nextLine()) }
      #expect(try consumers[index].items() == expected, "from step \(index)")
      try await stream.kill()
    }
  }

  @Test func `the state alone continues from the last line that was written`() async throws {
    let reader = try ResumableFolder()
    var consumer = ConsumerLog()
    for round in 0..<3 {
      let stream = try reader.reader()
      // A hello, and a snapshot, an update or a bookmark.
      for _ in 0..<2 { try consumer.apply(try await stream.nextLine()) }
      try await reader.save("a.yaml", "k: 1\(round)")
      try consumer.apply(try await stream.nextLine())
      try await stream.kill()
      try await reader.save("b.yaml", "k: 2\(round)")
    }
    #expect(consumer.repeats <= 3)
    #expect(try consumer.items()["a"] == ["k": 12])
  }

  @Test func `two states of one folder are independent`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader()
    let token = try await first.begin().token
    let other = try reader.stream("--state", "other")
    try await other.begin()
    try await first.kill()
    try await other.kill()
    try await reader.save("a.yaml", "k: 2")
    let again = try reader.reader("--since", token.string ?? "")
    #expect(try await again.resume(after: token).next.type == "update")
    let state = try await reader.states.shell("ls notes-watch/*/*.sqlite | wc -l")
    #expect(state == "2\n")
  }

  @Test func `a state may be any file`() async throws {
    let reader = try ResumableFolder()
    let file = "\(reader.states.path)/my.state"
    let first = try reader.stream("--state", file)
    let token = try await first.begin().token
    try await first.kill()
    try await reader.save("a.yaml", "k: 2")
    let second = try reader.stream("--state", file, "--since", token.string ?? "")
    #expect(try await second.resume(after: token).next.cause == "resumed")
    #expect(try await reader.states.shell("ls -d notes-watch 2> /dev/null || true") == "")
  }

  // MARK: --once

  @Test func `--once prints what changed, and ends`() async throws {
    let reader = try ResumableFolder()
    let first = try await reader.once()
    #expect(first.map(\.type) == ["hello", "snapshot"])
    let second = try await reader.once()
    #expect(second.map(\.type) == ["hello", "bookmark"])
    #expect(second[0].since == first[1].token)
    try await reader.save("a.yaml", "k: 2")
    let third = try await reader.once()
    #expect(third.map(\.type) == ["hello", "update"])
    #expect(third.last?.since == first[1].token)
    #expect(third.last?.cause == "resumed")
    #expect(try await reader.once().map(\.type) == ["hello", "bookmark"])
  }

  // MARK: Text

  @Test func `text begins with what changed`() async throws {
    let reader = try ResumableFolder()
    let arguments = [reader.folder.path, "-o", "text", "--state", "reader", "--once"]
    let first = try await BuiltProgram.start(arguments, environment: reader.environment).end()
    #expect(first.status == .exited(0), "\(first.errorText)")
    #expect(first.outputText.contains("2 items"))
    try await reader.save("a.yaml", "k: 2")
    let second = try await BuiltProgram.start(arguments, environment: reader.environment).end()
    #expect(second.status == .exited(0), "\(second.errorText)")
    #expect(second.outputText.contains("k: 1 → 2"), "\(second.outputText)")
    #expect(!second.outputText.contains(" b "), "\(second.outputText)")
    let third = try await BuiltProgram.start(arguments, environment: reader.environment).end()
    #expect(!third.outputText.contains("→"), "\(third.outputText)")
  }

  // MARK: Control

  @Test func `after the first acknowledgement only acknowledgements count, in later runs too`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader("--control", hasInput: true)
    try await first.begin()
    let used = try await first.save("a.yaml", "k: 2")
    first.program.write("{\"ack\":\"\(used.token.string ?? "")\"}\n")
    // A control line after it is answered, so the acknowledgement was read.
    first.program.write("{\"limit\":100}\n")
    #expect(try await first.next().type == "bookmark")
    let unused = try await first.save("b.yaml", "k: 2")
    _ = try await first.save("b.yaml", "k: 3")
    try await first.kill()
    let second = try reader.reader("--control", hasInput: true)
    let (_, resumed) = try await second.resume(after: used.token)
    #expect(resumed.changes[0].id == "b")
    #expect(resumed.changes[0].before == ["k": 1])
    #expect(resumed.token != unused.token)
    // The reader crashes before it acknowledges, so it gets the change again.
    try await second.kill()
    let third = try reader.reader("--control", hasInput: true)
    let (_, again) = try await third.resume(after: used.token)
    #expect(again.changes[0].before == ["k": 1])
  }

  @Test func `the first acknowledgement takes back what was written after its line`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader("--control", hasInput: true)
    try await first.begin()
    let used = try await first.save("a.yaml", "k: 2")
    _ = try await first.save("b.yaml", "k: 2")
    _ = try await first.save("b.yaml", "k: 3")
    first.program.write(
      "{\"ack\":\"no-such-token\"}\n{\"ack\":\"\(used.token.string ?? "")\"}\n{\"limit\":100}\n")
    #expect(try await first.next().code == "bad-control")
    #expect(try await first.next().type == "bookmark")
    try await first.kill()
    let second = try reader.reader("--control", hasInput: true)
    let (_, resumed) = try await second.resume(after: used.token)
    #expect(resumed.changes[0].id == "b")
    #expect(resumed.changes[0].before == ["k": 1])
  }

  @Test func `an acknowledgement of an unknown token is an error, and changes nothing`() async throws {
    let reader = try ResumableFolder()
    let stream = try reader.reader("--control", hasInput: true)
    try await stream.begin()
    stream.program.write("{\"ack\":\"no-such-token\"}\n")
    let error = try await stream.next()
    #expect(error.type == "error")
    #expect(error.code == "bad-control")
    stream.program.write("{\"ack\":5}\n")
    #expect(try await stream.next().code == "bad-control")
    #expect(try await stream.save("a.yaml", "k: 2").seq == 2)
  }
}
