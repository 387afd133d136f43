import Foundation

/// The templates of the systemd user units.
enum UnitTemplates {
  /// The top of the sources.
  static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  /// The folder of the templates.
  static let path = "\(top)/packaging"
}
