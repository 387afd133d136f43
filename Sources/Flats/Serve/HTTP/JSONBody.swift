import HTTPTypes
import Values

extension HTTPField.Name {
  /// `Accept-Patch` (RFC 5789): the types of patches that a resource takes.
  static let acceptPatch = HTTPField.Name("Accept-Patch")!  // A constant, and a valid name.
  static let prefer = HTTPField.Name("Prefer")!  // A constant, and a valid name.
  static let preferenceApplied = HTTPField.Name("Preference-Applied")!  // A constant, and a valid name.
}

extension ServerRequest {
  /// Refuses a body of another media type (415). The header of the refusal has the right one.
  func checkMediaType(_ type: String = "application/json") throws(ProblemDocument) {
    let text = head.headerFields[.contentType] ?? ""
    let parts = text.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
    let isUTF8 = parts.dropFirst().allSatisfy {
      !$0.hasPrefix("charset=") || ["charset=utf-8", "charset=\"utf-8\""].contains($0)
    }
    if parts.first == type, isUTF8 { return }
    throw ProblemDocument(
      .unsupportedMediaType, "The body must be \(type) in UTF-8, found `\(text)`. Set Content-Type.",
      fields: [head.method == .patch ? .acceptPatch : .accept: type])
  }

  /// Reads the body as JSON: 413 if it is too large, 400 with line and column if it is malformed.
  func json(_ context: WebContext) async throws(ProblemDocument) -> Value {
    let size = context.options.maxBodySize
    let bytes = try await body.read(upTo: size)
    do throws(TextError) {
      return try PackedValue(reading: bytes, as: .json, limits: ReadLimits(maxSize: size)).value
    } catch {
      throw .json("The body is not JSON that this server reads", error, code: "malformed-json")
    }
  }

  /// Does what `json(_:)` does; also 400 if the body is not an object, or has members besides `names`.
  func object(_ context: WebContext, _ names: [String]) async throws(ProblemDocument) -> Fields {
    guard case .map(let members) = try await json(context) else {
      throw ProblemDocument(
        .badRequest, "The body must be an object with the members \(names.joined(separator: ", ")).")
    }
    if let other = members.first(where: { !names.contains($0.key) }) {
      throw .member(
        other.key,
        "`\(other.key)` is not a member of this body. Those are \(names.joined(separator: ", ")).")
    }
    return members
  }

  /// True if the client prefers that its change is merged with those of others (`Prefer: merge`).
  var prefersMerge: Bool { head.headerFields.members(.prefer).contains { $0.name == "merge" } }
}

extension Value {
  /// The string that JSON has here; nil for any other value. A string that is a date is one, too.
  var jsonString: String? {
    switch self {
    case .string, .date: text
    default: nil
    }
  }
}
