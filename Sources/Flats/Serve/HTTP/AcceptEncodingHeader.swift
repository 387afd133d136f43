import HTTPTypes

/// The content codings that a client accepts, as RFC 9110 (12.5.3) has it.
struct AcceptEncodingHeader {
  /// True if the client accepts gzip.
  let acceptsGzip: Bool

  /// Reads the header. A client without it gets uncompressed bytes, and a malformed part is ignored.
  init(_ fields: HTTPFields) {
    var accepted: [Substring: Bool] = [:]
    for part in fields[values: .acceptEncoding].joined(separator: ",").lowercased().split(separator: ",")
      .prefix(100)
    {
      let words = part.filter { $0 != " " && $0 != "\t" }.split(separator: ";")
      guard let coding = words.first else { continue }
      let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      accepted[coding == "x-gzip" ? "gzip" : coding] = weight > 0
    }
    acceptsGzip = accepted["gzip"] ?? accepted["*"] ?? false
  }
}
