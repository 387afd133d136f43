package import Store

/// Everything that a consumer asks for that determines what a list shows. A position belongs to it.
///
/// The settings of the folder are not part of it. If they change while the program does not run,
/// the change is part of the first update.
package struct ViewIdentity: Sendable, Hashable {
  package let bytes: [UInt8]

  /// Makes the identity of a view: its name in the settings, the parts that the consumer gives itself,
  /// and the fields that make an id and the largest size of a file, if they are given.
  package init(view name: String?, overriddenBy own: ViewDefinition, idField: String?, maxSize: Int?) {
    var parts: Fields = [:]
    parts["view"] = name.map(Value.string)
    parts["options"] = .map(own.written)
    parts["id-field"] = idField.map(Value.string)
    parts["max-size"] = maxSize.map { .integer($0) }
    bytes = Array(JSONWriter.text(of: .map(parts)).utf8)
  }

  package var hash: String { String(ContentDigest(of: bytes).text.prefix(16)) }
}
