import HTTPTypes
import TestSupport
import Testing
import Values

/// Several writers of one item: no accepted change is lost, and no other one is made.
struct InterleavingTests {
  private static let keys = ["a", "b", "c", "d"]

  /// What a client knows of the item.
  private struct Reading {
    let tag: String
    let fields: Fields
  }

  @Test func `Two clients and an editor never lose a change silently`() async throws {
    for seed in Randomness.seeds(9) {
      var generator = SeededGenerator(seed: seed)
      var model: Fields = ["a": 0, "b": 0, "c": 0, "d": 0]
      let served = try await ServedFolder(["n.yaml": InterleavingTests.text(model)])
      var readings = [try await read(served), try await read(served)]
      var (accepted, merged, refused) = (0, 0, 0)
      for round in 1...60 {
        let client = generator.below(3)
        let key = generator.one(of: InterleavingTests.keys)
        if client == 2 {
          model[key] = .number(.integer(round))
          try served.folder.write(InterleavingTests.text(model), to: "n.yaml")
          continue
        }
        if generator.oneIn(3) { readings[client] = try await read(served) }
        let reading = readings[client]
        let prefersMerge = generator.oneIn(2)
        let answer = try await patch(served, "{\"\(key)\":\(round)}", reading.tag, prefersMerge: prefersMerge)
        // The client knows the newest version, or prefers a merge and nobody else changed the field.
        let isCurrent = reading.fields == model
        let mayMerge = prefersMerge && reading.fields[key] == model[key]
        #expect(answer.status == (isCurrent || mayMerge ? 200 : 412), "\(seedNote(seed)), round \(round)")
        if answer.status == 200 {
          model[key] = .number(.integer(round))
          readings[client] = Reading(tag: answer.tag, fields: answer.json["value"]?.fields ?? [:])
          if isCurrent { accepted += 1 } else { merged += 1 }
        } else {
          refused += 1
        }
        #expect(
          try served.text("n.yaml") == InterleavingTests.text(model), "\(seedNote(seed)), round \(round)")
      }
      #expect(accepted + merged + refused > 0)
    }
  }

  @Test func `Clients that count together lose no step`() async throws {
    let served = try await ServedFolder(["n.yaml": "count: 0\n"], watching: true)
    try await concurrently(0..<4) { _ in
      for _ in 0..<8 {
        var isDone = false
        while !isDone {
          let reading = try await read(served)
          guard case .number(.integer(let count))? = reading.fields["count"] else { continue }
          let answer = try await patch(served, "{\"count\":\(count + 1)}", reading.tag, prefersMerge: true)
          isDone = answer.status == 200
        }
      }
    }
    #expect(try served.text("n.yaml") == "count: 32\n")
  }

  private func read(_ served: ServedFolder) async throws -> Reading {
    let answer = try await served.get("/item?id=n")
    return Reading(tag: answer.tag, fields: answer.json["value"]?.fields ?? [:])
  }

  private func patch(_ served: ServedFolder, _ body: String, _ tag: String, prefersMerge: Bool) async throws
    -> Answer
  {
    var fields: HTTPFields = [.contentType: "application/merge-patch+json", .ifMatch: tag]
    if prefersMerge, let name = HTTPField.Name("Prefer") { fields[name] = "merge" }
    return try await served.send(.patch, "/item?id=n", fields, body)
  }

  private static func text(_ fields: Fields) -> String {
    "# counts\n" + fields.map { "\($0.key): \($0.value.text)  # of \($0.key)\n" }.joined()
  }
}
