import HTTPTypes

/// The media types that a client accepts, as RFC 9110 (12.5.1) has it.
struct AcceptHeader {
  /// One media range with its quality in thousandths.
  private struct Range {
    let type: Substring
    let subtype: Substring
    let quality: Int
  }

  private let ranges: [Range]

  /// Reads the header. A malformed part of it is ignored.
  init(_ fields: HTTPFields) {
    let text = fields[values: .accept].joined(separator: ",")
    ranges = text.split(separator: ",").prefix(100).compactMap { AcceptHeader.range(String($0).lowercased()) }
  }

  /// Returns the type that the client prefers; the first one if it has no preference.
  ///
  /// - Parameter offers: The types that the route has, the preferred one first.
  /// - Throws: `ProblemDocument` (406) if the client accepts none of them.
  func best(of offers: [String]) throws(ProblemDocument) -> String {
    guard !ranges.isEmpty, let first = offers.first else { return offers.first ?? "" }
    let qualities = offers.map { (type: $0, quality: quality(of: $0)) }
    let best = qualities.reduce((type: first, quality: 0)) { $1.quality > $0.quality ? $1 : $0 }
    guard best.quality > 0 else {
      throw ProblemDocument(
        .notAcceptable,
        "The client accepts none of the types of this route: \(offers.joined(separator: ", ")).")
    }
    return best.type
  }

  /// Returns the quality of a type: that of the most specific range.
  private func quality(of type: String) -> Int {
    let parts = type.split(separator: "/")
    var best = (rank: -1, quality: 0)
    for range in ranges {
      let rank: Int
      switch (range.type, range.subtype) {
      case (parts[0], parts[1]): rank = 2
      case (parts[0], "*"): rank = 1
      case ("*", "*"): rank = 0
      default: continue
      }
      if rank > best.rank || rank == best.rank && range.quality > best.quality {
        best = (rank, range.quality)
      }
    }
    return best.quality
  }

  private static func range(_ text: String) -> Range? {
    let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
    guard let names = parts.first?.split(separator: "/"), names.count == 2 else { return nil }
    let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
    let quality = weight.map { Double($0) ?? 0 } ?? 1
    return Range(
      type: names[0], subtype: names[1], quality: quality.isFinite ? Int(min(max(quality, 0), 1) * 1_000) : 0)
  }
}
