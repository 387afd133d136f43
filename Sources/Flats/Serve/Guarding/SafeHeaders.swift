import HTTPTypes

extension ServerResponse {
  /// Returns the response with the header fields that protect browsers, which the transport adds to
  /// every response. Fields of the route stay.
  package func withSafeHeaders() -> ServerResponse {
    var response = self
    for (name, value) in SafeHeaders.all where response.head.headerFields[name] == nil {
      response.head.headerFields[name] = value
    }
    return response
  }
}

/// The header fields of every response.
enum SafeHeaders {
  /// The names and values.
  static let all: [(HTTPField.Name, String)] = [
    (.contentSecurityPolicy, policy),
    (.xContentTypeOptions, "nosniff"),
    (HTTPField.Name("Referrer-Policy")!, "no-referrer"),  // A constant, and a valid name.
    (.crossOriginResourcePolicy, "same-origin"),
    (HTTPField.Name("Cross-Origin-Opener-Policy")!, "same-origin"),  // A constant, and a valid name.
    (.cacheControl, "no-store"),
  ]

  /// The rights of a page: only its own scripts, styles, pictures and requests.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "manifest-src 'self'",
    "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].joined(separator: "; ")
}
