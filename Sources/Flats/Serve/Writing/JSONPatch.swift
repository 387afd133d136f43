import HTTPTypes
import Values

/// A JSON Patch (RFC 6902).
struct JSONPatch: Sendable {
  /// One operation.
  struct Operation: Sendable {
    /// The kinds of operations.
    enum Kind: String, CaseIterable {
      case test, add, remove, replace, move, copy
    }

    let kind: Kind
    let path: JSONPointer
    /// The source of a move or a copy.
    let from: JSONPointer
    /// The value of a test, an addition or a replacement.
    let value: Value
  }

  /// The number of operations that a patch may have: each one can cost a pass over the item.
  static let maxOperations = 10_000

  /// The operations, in order.
  let operations: [Operation]

  /// Reads a patch.
  ///
  /// - Throws: `ProblemDocument` (400) with the number of the malformed operation.
  init(_ body: Value) throws(ProblemDocument) {
    guard case .list(let elements) = body else {
      throw ProblemDocument(.badRequest, "A JSON Patch is a list of operations, such as [{\"op\":\"remove\",\"path\":\"/a\"}].")
    }
    guard elements.count <= JSONPatch.maxOperations else {
      throw ProblemDocument(.contentTooLarge, "A patch may have \(JSONPatch.maxOperations) operations; this one has \(elements.count).")
    }
    var operations: [Operation] = []
    for (number, element) in elements.enumerated() { operations.append(try Operation(element, number)) }
    self.operations = operations
  }

  /// Returns the fields after all operations.
  ///
  /// - Parameter maxDepth: The number of lists and maps that may be nested in one another.
  /// - Throws: `ProblemDocument` (422) with the number of the operation that cannot be applied. Then
  ///   none of them counts.
  func applied(to fields: Fields, maxDepth: Int) throws(ProblemDocument) -> Fields {
    var target = PatchTarget(.map(fields), maxDepth: maxDepth)
    for (number, operation) in operations.enumerated() {
      do throws(PatchTarget.Refusal) {
        try target.apply(operation)
      } catch {
        throw ProblemDocument(
          .unprocessableContent, "Operation \(number), \(operation.kind.rawValue) \(operation.path): \(error.message) Nothing was changed.",
          code: error.isTest ? "test-failed" : "patch",
          members: ["operation": .number(.integer(number)), "field": .string(operation.path.description)])
      }
    }
    guard case .map(let fields) = target.value else {
      throw ProblemDocument(.unprocessableContent, "An item is a map; the patch makes it another value.", code: "patch")
    }
    return fields
  }
}

extension JSONPatch.Operation {
  /// Reads an operation.
  fileprivate init(_ element: Value, _ number: Int) throws(ProblemDocument) {
    func malformed(_ message: String) -> ProblemDocument {
      ProblemDocument(
        .badRequest, "Operation \(number): \(message)", code: "malformed-patch", members: ["operation": .number(.integer(number))])
    }
    func pointer(_ name: String) throws(ProblemDocument) -> JSONPointer {
      guard let text = element[name]?.jsonString, let pointer = JSONPointer(text) else {
        throw malformed("`\(name)` must be a JSON Pointer, such as \"/tags/0\", or \"\" for the item.")
      }
      return pointer
    }
    guard let kind = element["op"]?.jsonString.flatMap(Kind.init(rawValue:)) else {
      throw malformed("`op` must be one of \(Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    self.kind = kind
    path = try pointer("path")
    switch kind {
    case .move, .copy:
      from = try pointer("from")
      value = .null
    case .test, .add, .replace:
      guard let value = element["value"] else { throw malformed("`value` is missing.") }
      (self.value, from) = (value, path)
    case .remove: (value, from) = (.null, path)
    }
  }
}
