extension Item: CustomStringConvertible {
  /// The id, the path and the fields as JSON: `ada (ada.yaml): {"name":"Ada"}`.
  public var description: String { "\(id) (\(path)): \(fields)" }
}
