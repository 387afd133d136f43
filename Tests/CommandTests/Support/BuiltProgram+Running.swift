import Foundation
import TestSupport

extension BuiltProgram {
  /// The path of the sample data.
  static let samples: String = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("SampleData").path

  /// Starts the program in a folder.
  static func start(
    _ arguments: [String], environment: [String: String] = [:], in folder: String = "/",
    hasInput: Bool = false
  ) throws
    -> Program
  {
    try Program(path, arguments, environment: environment, folder: folder, hasInput: hasInput)
  }

  /// Runs the program to its end.
  static func run(_ arguments: String..., environment: [String: String] = [:], in folder: String = "/")
    async throws -> Program.State
  {
    try await start(arguments, environment: environment, in: folder).end()
  }

  /// Runs the program, and returns the JSON that it prints.
  ///
  /// - Throws: an error if its exit code is not 0.
  static func json(_ arguments: String..., in folder: String = "/") async throws -> JSON {
    let end = try await start(arguments, in: folder).end()
    guard end.status == .exited(0) else {
      throw Program.Timeout(description: "\(arguments): \(end.errorText)")
    }
    return try JSON(end.output)
  }
}
