import Foundation
import Testing

/// The program on the front page.
@Suite(.timeLimit(.minutes(1))) struct FrontPageTests {
  private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `The program is the one of the README`() throws {
    let readme = try String(
      contentsOf: Self.top.deletingLastPathComponent().appendingPathComponent("README.md"), encoding: .utf8)
    let program = try String(
      contentsOf: Self.top.appendingPathComponent("Sources/front-page/main.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(program)```\n"))
  }

  @Test func `The program writes one file, and changes one number in it`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("front-page")
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      try String(contentsOf: folder.appendingPathComponent("contacts/ada.yaml"), encoding: .utf8)
        == "name: Ada\nrating: 10\n")
  }
}
