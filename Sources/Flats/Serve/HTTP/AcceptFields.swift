import HTTPTypes

extension HTTPFields {
  /// The media type that the client prefers (RFC 9110, 12.5.1); the first offer if it has no preference, 406
  /// if it accepts none. A malformed part of the field is ignored.
  func preferredType(of offers: [String]) throws(ProblemDocument) -> String {
    let ranges = self[values: .accept].joined(separator: ",").split(separator: ",").prefix(100).compactMap {
      MediaRange($0.lowercased())
    }
    if ranges.isEmpty { return offers[0] }
    var best = (type: offers[0], quality: 0)
    for offer in offers {
      // The most specific range counts.
      let matches = ranges.compactMap { range in range.rank(of: offer).map { ($0, range.quality) } }
      let quality = matches.max { $0 < $1 }?.1 ?? 0
      if quality > best.quality { best = (offer, quality) }
    }
    guard best.quality > 0 else {
      throw ProblemDocument(
        .notAcceptable,
        "The client accepts none of the types of this route: \(offers.joined(separator: ", ")).")
    }
    return best.type
  }

  /// True if the client accepts gzip (RFC 9110, 12.5.3). A client that does not say so gets
  /// uncompressed bytes, and a malformed part of the field is ignored.
  var acceptsGzip: Bool {
    var accepted: [Substring: Bool] = [:]
    for part in self[values: .acceptEncoding].joined(separator: ",").lowercased().split(separator: ",")
      .prefix(100)
    {
      let words = part.filter { $0 != " " && $0 != "\t" }.split(separator: ";")
      guard let coding = words.first else { continue }
      let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      accepted[coding == "x-gzip" ? "gzip" : coding] = weight > 0
    }
    return accepted["gzip"] ?? accepted["*"] ?? false
  }
}

/// One media range with its quality in thousandths.
private struct MediaRange {
  private let type: Substring
  private let subtype: Substring
  let quality: Int

  init?(_ text: String) {
    let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
    guard let names = parts.first?.split(separator: "/"), names.count == 2 else { return nil }
    type = names[0]
    subtype = names[1]
    let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
    let quality = weight.map { Double($0) ?? 0 } ?? 1
    self.quality = quality.isFinite ? Int(min(max(quality, 0), 1) * 1_000) : 0
  }

  /// Returns how specific the range is for a type; nil if the type is not in it.
  func rank(of offer: String) -> Int? {
    let parts = offer.split(separator: "/")
    switch (type, subtype) {
    case (parts[0], parts[1]): return 2
    case (parts[0], "*"): return 1
    case ("*", "*"): return 0
    default: return nil
    }
  }
}
