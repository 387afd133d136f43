import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

struct SettingsFileTests {
  private static func read(_ text: String) throws -> SettingsFile? {
    let folder = try TemporaryFolder([".notes-watch.yaml": text])
    return try SettingsFile.read(in: folder.path, limits: ReadLimits())
  }

  @Test func `a folder without a settings file has the default settings`() throws {
    let folder = try TemporaryFolder()
    #expect(try SettingsFile.read(in: folder.path, limits: ReadLimits())?.settings == Settings())
  }

  @Test func `a folder that does not exist has no settings`() throws {
    let folder = try TemporaryFolder()
    #expect(try SettingsFile.read(in: folder.path + "/gone", limits: ReadLimits()) == nil)
  }

  @Test func `the file in the root is read`() throws {
    #expect(try SettingsFileTests.read("ignore: [a.md]")?.settings.ignore == ["a.md"])
  }

  @Test(arguments: [
    ("views: [", 1, 8), ("ignore: a\nignore: b\n", 2, 1), ("a: 1\n", 1, 4), ("- a\n", 1, 1),
  ])
  func `an error in the file is a problem at its place`(text: String, line: Int, column: Int) throws {
    let problem = try #require(throws: Problem.self) { try SettingsFileTests.read(text) }
    #expect(problem.path == PathRules.settingsPath)
    #expect([problem.line, problem.column] == [line, column], "\(problem)")
  }

  @Test(arguments: [
    ("views:\n  a:\n    limit: -1\n", 3, 12), ("views:\n  a: {sort: name, where: 'name =='}\n", 2, 26),
  ])
  func `a view that cannot be read is a problem at its place, and the rest is read`(
    text: String, line: Int, column: Int
  ) throws {
    let file = try #require(try SettingsFileTests.read(text))
    let problem = try #require(file.viewProblem)
    #expect(problem.path == PathRules.settingsPath)
    #expect([problem.line, problem.column] == [line, column], "\(problem)")
  }

  @Test func `a file that is too large is a problem`() throws {
    let filler = String(repeating: "#", count: SettingsFile.maxSize - 12)
    #expect(try SettingsFileTests.read("ignore: [a]\n" + filler)?.settings.ignore == ["a"])
    let problem = try #require(throws: Problem.self) {
      try SettingsFileTests.read("ignore: [a]\n" + filler + "#")
    }
    #expect([problem.line, problem.column] == [1, 1])
    #expect(problem.message.contains("The settings have 262145 bytes, but at most 262144 are allowed"))
    #expect(throws: Problem.self) {
      _ = try SettingsFile(
        Array(("#" + filler + String(repeating: "#", count: 12)).utf8), limits: ReadLimits())
    }
  }

  @Test func `aliases in the settings are limited to the maximum size of the settings`() throws {
    let lists = (1...5).map {
      "a\($0): &a\($0) [" + Array(repeating: "*a\($0 - 1)", count: 20).joined(separator: ", ") + "]\n"
    }.joined()
    let problem = try #require(throws: Problem.self) {
      try SettingsFileTests.read("a0: &a0 xxxxxxxx\n" + lists)
    }
    #expect(problem.message.contains("Aliases and merge keys add more than 262144 bytes"))
  }

  @Test func `a link or a FIFO is a problem and is not opened`() throws {
    let folder = try TemporaryFolder(["other.yaml": "ignore: [a.md]"])
    try folder.link(".notes-watch.yaml", to: "other.yaml")
    #expect(throws: Problem.self) { try SettingsFile.read(in: folder.path, limits: ReadLimits()) }
    try folder.remove(".notes-watch.yaml")
    try folder.makeFIFO(".notes-watch.yaml")
    #expect(throws: Problem.self) { try SettingsFile.read(in: folder.path, limits: ReadLimits()) }
  }

  @Test func `an error of a list is a problem at the place of its keys`() throws {
    let file = try #require(try SettingsFileTests.read("ignore: a\nviews:\n  all: {}\n"))
    let error = SettingsError(["views", "all"], "No.")
    var expected = Problem(path: PathRules.settingsPath, line: 3, column: 8, message: "views.all: No.")
    expected.settingsError = error
    #expect(file.problem(error) == expected)
    expected = Problem(path: PathRules.settingsPath, message: "No.")
    expected.settingsError = SettingsError([], "No.")
    #expect(file.problem(SettingsError([], "No.")) == expected)
  }
}
