import Values

/// A merge patch as its RFC describes it, written down a second time.
enum ReferencePatch {
  /// RFC 7396, section 2, of two maps.
  static func merge(_ patch: Value, into target: Value) -> Fields {
    var result = target.fields ?? [:]
    for (key, value) in patch.fields ?? [:] {
      switch value {
      case .null: result[key] = nil
      case .map: result[key] = .map(merge(value, into: result[key] ?? .map([:])))
      default: result[key] = value
      }
    }
    return result
  }
}
