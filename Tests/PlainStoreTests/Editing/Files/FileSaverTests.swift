import CLinux
import DirectoryWatch
import Foundation
import Glibc
import PlainText
import TestSupport
import Testing

@testable import PlainStore

/// One save, with what others do between its reading and its writing.
@Suite(.timeLimit(.minutes(1)))
struct FileSaverTests {
  private struct Scene {
    let temporary: TemporaryFolder
    let folder: SaveFolder
    let saver: FileSaver
    let held: HeldFile

    init(_ abilities: FileSaver.Abilities, usesLease: Bool = false) throws {
      temporary = try TemporaryFolder(["a.yaml": "k: 1\n"])
      let root = try #require(OpenFolder(temporary.path))
      folder = try #require(try SaveFolder.open(.root, below: root))
      saver = FileSaver(folder: folder, name: "a.yaml", abilities: abilities)
      guard
        case .held(let held) = try HeldFile.read(
          "a.yaml", in: folder.folder, as: .yaml, ReadLimits(), lease: usesLease ? HeldFile.acquireLease : { _ in EACCES })
      else {
        throw CocoaError(.fileNoSuchFile)
      }
      self.held = held
    }

    /// Everything there is, with its text.
    var files: [String: String] {
      get throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path)
        return try Dictionary(
          uniqueKeysWithValues: names.map { ($0, try String(contentsOfFile: "\(temporary.path)/\($0)", encoding: .utf8)) })
      }
    }
  }

  /// With everything the file system can do, and without each.
  private static let allAbilities: [FileSaver.Abilities] = [
    FileSaver.Abilities(), FileSaver.Abilities(exchanges: false), FileSaver.Abilities(renamesKeeping: false),
  ]

  private static func isOvertaken(_ result: FileSaver.Result) -> Bool { if case .overtaken = result { true } else { false } }

  /// Checks what was replaced again, too.
  private static func isDone(_ result: FileSaver.Result, by saver: FileSaver) throws -> Bool {
    guard case .done(_, let replaced) = result else { return false }
    guard let replaced else { return true }
    if case .unchanged(warnings: []) = try replaced.settle(with: saver) { return true }
    return false
  }

  @Test(arguments: [0, 1, 2]) func `A file is replaced, made and deleted, and nothing else is left`(number: Int) throws {
    let abilities = Self.allAbilities[number]
    let scene = try Scene(abilities)
    #expect(try Self.isDone(try scene.saver.replace(scene.held, with: Array("k: 2\n".utf8)), by: scene.saver))
    #expect(try scene.files == ["a.yaml": "k: 2\n"])
    #expect(Self.isOvertaken(try scene.saver.create([1])))
    let other = FileSaver(folder: scene.folder, name: "b.yaml", abilities: abilities)
    #expect(try Self.isDone(try other.create(Array("k: 3\n".utf8)), by: other))
    #expect(try scene.files == ["a.yaml": "k: 2\n", "b.yaml": "k: 3\n"])
    let second = try Scene(abilities)
    #expect(try Self.isDone(try second.saver.delete(second.held), by: second.saver))
    #expect(try second.files == [:])
  }

  @Test(arguments: [0, 1, 2], ["mv", "cat >", "rm", "touch", "rm -f"])
  func `What an editor does in between stays`(number: Int, act: String) throws {
    let abilities = Self.allAbilities[number]
    for deletes in [false, true] {
      let scene = try Scene(abilities)
      switch act {
      // Of the same size: nothing but its number or its bytes tells.
      case "mv": try scene.temporary.shell("echo 'k: 9' > .x; mv .x a.yaml")
      case "cat >": try scene.temporary.shell("echo 'k: 9' > a.yaml; touch -r / a.yaml")
      case "touch": try scene.temporary.shell("touch -d 2001-01-01 a.yaml")
      default: try scene.temporary.remove("a.yaml")
      }
      let result = try deletes ? scene.saver.delete(scene.held) : scene.saver.replace(scene.held, with: Array("k: 2\n".utf8))
      if act == "touch" {
        #expect(try Self.isDone(result, by: scene.saver))
      } else {
        #expect(Self.isOvertaken(result))
        #expect(try scene.files == (act.hasPrefix("rm") ? [:] : ["a.yaml": "k: 9\n"]))
      }
    }
  }

  @Test func `Who is writing the file is seen, and who begins to is let go on with the old one`() throws {
    let scene = try Scene(FileSaver.Abilities(), usesLease: true)
    // It waits for the lease to end, and then empties what has been at the name when it was opened.
    try scene.temporary.shell("echo 'k: 9' > a.yaml &")
    try Self.wait { clinux_lease_holds(scene.held.descriptor) != 1 }
    #expect(Self.isOvertaken(try scene.saver.replace(scene.held, with: Array("k: 2\n".utf8))))
    #expect(try scene.files == ["a.yaml": "k: 1\n"])
    try #require(clinux_end_lease(scene.held.descriptor) == 0)
    try Self.wait { try scene.files == ["a.yaml": "k: 9\n"] }
  }

  /// The kernel tells of neither: it is asked until it is so, or for too long.
  private static func wait(_ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(30) * Patience.factor
    while try !condition() {
      try #require(ContinuousClock.now < end)
      usleep(100)
    }
  }

  @Test func `A file that is open for writing is not taken for whole`() throws {
    let temporary = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let root = try #require(OpenFolder(temporary.path))
    let writer = open("\(temporary.path)/a.yaml", O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    guard case .inUse = try HeldFile.read("a.yaml", in: root, as: .yaml, ReadLimits(), lease: HeldFile.acquireLease) else {
      Issue.record("nobody noticed")
      return
    }
  }

  @Test func `What may not be written is not, and says so`() throws {
    for (script, code) in [("chmod 444 a.yaml", EACCES), ("chmod 555 .", EACCES)] {
      for deletes in [false, true] {
        let scene = try Scene(FileSaver.Abilities())
        try scene.temporary.shell("chmod 666 a.yaml; chmod 777 .; \(script)")
        let error = #expect(throws: SystemFailure.self) {
          _ = try withoutRoot { try deletes ? scene.saver.delete(scene.held) : scene.saver.replace(scene.held, with: [1]) }
        }
        #expect(error?.errno == code && error?.code == .permissionDenied)
        #expect(try scene.files == ["a.yaml": "k: 1\n"])
      }
    }
  }
}
