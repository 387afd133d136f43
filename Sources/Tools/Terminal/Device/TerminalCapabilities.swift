/// The capabilities that the terminal reported.
public struct TerminalCapabilities: Hashable, Sendable {
  /// True if it draws a frame at once between two marks (mode 2026).
  public var synchronizesFrames = false
  /// True if it measures grapheme clusters as Unicode does (mode 2027).
  public var measuresClusters = false
  /// True if it answers queries.
  public var answers = false
  /// True if its background is light; nil if it did not say.
  public var isLight: Bool?

  /// Creates the capabilities of a terminal that said nothing.
  public init() {}
}
