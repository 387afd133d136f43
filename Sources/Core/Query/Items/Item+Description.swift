import Files
import Values

extension Item: CustomStringConvertible {
  /// The id, the path and the fields as JSON: `ada (ada.yaml): {"name":"Ada"}`. Control
  /// characters are escaped.
  public var description: String { DisplayText.safe("\(id) (\(path)): \(fields)") }
}
