/// How a text looks, by its meaning. The palette turns it into colours, or into attributes where
/// there are no colours.
public struct Style: Hashable, Sendable {
  /// The meaning of the text itself.
  public enum Ink: UInt8, Sendable, CaseIterable {
    case plain, dim, strong, title, header, match, key, string, number, comment, inserted, deleted, moved,
      changed, problem, prompt
  }

  /// The meaning of the row or box that the text is in.
  public enum Paper: UInt8, Sendable, CaseIterable {
    case plain, cursor, selected, inserted, moved, changed, bar, box, problem
  }

  /// The meaning of the text.
  public var ink: Ink
  /// The meaning of the background.
  public var paper: Paper

  /// Creates a style.
  public init(_ ink: Ink = .plain, on paper: Paper = .plain) {
    (self.ink, self.paper) = (ink, paper)
  }
}
