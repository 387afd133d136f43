import Foundation
import TestSupport

/// The program under test, as it was built beside these tests.
enum NotesWatch {
  static let path = BuiltProgram.path

  /// Where the sample data is.
  static let samples: String = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("SampleData").path

  /// Starts it, in the folder `folder`.
  static func start(_ arguments: [String], environment: [String: String] = [:], in folder: String = "/", hasInput: Bool = false) throws
    -> Program
  {
    try Program(path, arguments, environment: environment, folder: folder, hasInput: hasInput)
  }

  /// Runs it to its end.
  static func run(_ arguments: String..., environment: [String: String] = [:], in folder: String = "/") async throws -> Program.State {
    try await start(arguments, environment: environment, in: folder).end()
  }

  /// What it prints as JSON, where it ends well.
  static func json(_ arguments: String..., in folder: String = "/") async throws -> JSON {
    let end = try await start(arguments, in: folder).end()
    guard end.status == .exited(0) else { throw Program.Timeout(description: "\(arguments): \(end.errorText)") }
    return try JSON(end.output)
  }
}
