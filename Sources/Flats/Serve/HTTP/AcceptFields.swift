import HTTPTypes

extension HTTPFields {
  /// The first hundred members of a list that have a name, in small letters and without blanks, with their
  /// weights (RFC 9110, 12.4.2).
  func members(_ field: HTTPField.Name) -> [(name: Substring, weight: Double)] {
    let members = self[values: field].joined(separator: ",").lowercased().split(separator: ",")
    return members.prefix(100).compactMap { member in
      let parts = member.filter { $0 != " " && $0 != "\t" }.split(
        separator: ";", omittingEmptySubsequences: false)
      if parts[0].isEmpty { return nil }
      guard let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return (parts[0], 1) }
      return (parts[0], Double(weight.dropFirst(2)) ?? 0)
    }
  }

  /// The media type that the client prefers (RFC 9110, 12.5.1); the first offer if it has no preference, 406
  /// if it accepts none. A malformed part of the field is ignored.
  func preferredType(of offers: [String]) throws(ProblemDocument) -> String {
    let ranges = members(.accept).compactMap { MediaRange($0.name, weight: $0.weight) }
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
    let codings = members(.acceptEncoding)
    let gzip = codings.last { $0.name == "gzip" || $0.name == "x-gzip" }
    guard let coding = gzip ?? codings.last(where: { $0.name == "*" }) else { return false }
    return coding.weight > 0
  }
}

/// One media range with its quality in thousandths.
private struct MediaRange {
  private let type: Substring
  private let subtype: Substring
  let quality: Int

  init?(_ name: Substring, weight: Double) {
    let names = name.split(separator: "/")
    guard names.count == 2 else { return nil }
    type = names[0]
    subtype = names[1]
    quality = weight.isFinite ? Int(min(max(weight, 0), 1) * 1_000) : 0
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
