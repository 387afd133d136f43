import CLinux
import Files
import Foundation
import Glibc
import Query
@testable import Store
import SystemPackage
import TestSupport
import Testing
import Values

@testable import Folder

/// One save, with acts of other programs between its reading and its writing.
@Suite(.timeLimit(.minutes(1)))
struct FileSaverTests {
  private struct Scene {
    let temporary: TemporaryFolder
    let folder: SaveFolder
    let saver: FileSaver
    let held: HeldFile

    init(_ abilities: FileSaver.Abilities, usesLease: Bool = false) throws {
      temporary = try TemporaryFolder(["a.yaml": "k: 1\n"])
      let root = try OpenFolder(temporary.path)
      folder = try #require(try SaveFolder.open(.root, below: root))
      saver = FileSaver(folder: folder, name: "a.yaml", abilities: abilities)
      guard
        case .held(let held) = try HeldFile.read(
          "a.yaml", in: folder.folder, as: .yaml, ReadLimits(),
          lease: usesLease ? HeldFile.acquireLease : { _ in EACCES })
      else {
        throw CocoaError(.fileNoSuchFile)
      }
      self.held = held
    }

    /// The names and texts of all files.
    var files: [String: String] {
      get throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path)
        return try Dictionary(
          uniqueKeysWithValues: names.map {
            ($0, try String(contentsOfFile: "\(temporary.path)/\($0)", encoding: .utf8))
          })
      }
    }
  }

  /// All abilities of a file system, and each set without one of them.
  private static let allAbilities: [FileSaver.Abilities] = [
    FileSaver.Abilities(), FileSaver.Abilities(exchanges: false), FileSaver.Abilities(renamesKeeping: false),
  ]

  private static func isOvertaken(_ result: FileSaver.Result) -> Bool {
    if case .overtaken = result { true } else { false }
  }

  /// Returns true if the save is done, after checking the replaced file again.
  private static func isDone(_ result: FileSaver.Result, by saver: FileSaver) throws -> Bool {
    guard case .done(_, let replaced) = result else { return false }
    guard let replaced else { return true }
    if case .unchanged(warnings: []) = try replaced.settle(with: saver) { return true }
    return false
  }

  @Test(arguments: [0, 1, 2]) func `a file is replaced, created and deleted without leftovers`(number: Int)
    throws
  {
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
  func `an act of an editor in between is kept`(number: Int, act: String) throws {
    let abilities = Self.allAbilities[number]
    for deletes in [false, true] {
      let scene = try Scene(abilities)
      switch act {
      // The size is the same, so only the inode number or the bytes differ.
      case "mv": try scene.temporary.shell("echo 'k: 9' > .x; mv .x a.yaml")
      case "cat >": try scene.temporary.shell("echo 'k: 9' > a.yaml; touch -r / a.yaml")
      case "touch": try scene.temporary.shell("touch -d 2001-01-01 a.yaml")
      default: try scene.temporary.remove("a.yaml")
      }
      let result =
        try deletes
        ? scene.saver.delete(scene.held) : scene.saver.replace(scene.held, with: Array("k: 2\n".utf8))
      if act == "touch" {
        #expect(try Self.isDone(result, by: scene.saver))
      } else {
        #expect(Self.isOvertaken(result))
        #expect(try scene.files == (act.hasPrefix("rm") ? [:] : ["a.yaml": "k: 9\n"]))
      }
    }
  }

  @Test func `a lease detects a writer, and a later writer continues with the old file`() throws {
    let scene = try Scene(FileSaver.Abilities(), usesLease: true)
    // The program waits for the end of the lease, then empties the file that had the name when it
    // opened it.
    try scene.temporary.shell("echo 'k: 9' > a.yaml &")
    try Self.wait { clinux_lease_holds(scene.held.descriptor) != 1 }
    #expect(Self.isOvertaken(try scene.saver.replace(scene.held, with: Array("k: 2\n".utf8))))
    #expect(try scene.files == ["a.yaml": "k: 1\n"])
    try #require(clinux_release_lease(scene.held.descriptor) == 0)
    try Self.wait { try scene.files == ["a.yaml": "k: 9\n"] }
  }

  /// Polls a condition that the kernel does not announce, up to a time limit.
  private static func wait(_ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(30) * Patience.factor
    while try !condition() {
      try #require(ContinuousClock.now < end)
      usleep(100)
    }
  }

  @Test func `a file that is open for writing does not count as complete`() throws {
    let temporary = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let root = try OpenFolder(temporary.path)
    let writer = open("\(temporary.path)/a.yaml", O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    guard
      case .inUse = try HeldFile.read(
        "a.yaml", in: root, as: .yaml, ReadLimits(), lease: HeldFile.acquireLease)
    else {
      Issue.record("nobody noticed")
      return
    }
  }

  @Test func `a file without write permission is not written, with a message`() throws {
    for (script, code) in [("chmod 444 a.yaml", EACCES), ("chmod 555 .", EACCES)] {
      for deletes in [false, true] {
        let scene = try Scene(FileSaver.Abilities())
        try scene.temporary.shell("chmod 666 a.yaml; chmod 777 .; \(script)")
        let error = #expect(throws: Problem.self) {
          _ = try withoutRoot {
            try deletes ? scene.saver.delete(scene.held) : scene.saver.replace(scene.held, with: [1])
          }
        }
        #expect(error?.error == Errno(rawValue: code))
        #expect(error.map { EditError("a", "a.yaml", $0).code } == .permissionDenied)
        #expect(try scene.files == ["a.yaml": "k: 1\n"])
      }
    }
  }
}

extension FileSaver {
  /// Writes a text and replaces the file that was read.
  fileprivate func replace(_ held: HeldFile, with bytes: [UInt8]) throws(Problem) -> Result {
    try place(try stage(bytes, replacing: held), replacing: held)
  }

  /// Writes a text and makes it a new file.
  fileprivate func create(_ bytes: [UInt8]) throws(Problem) -> Result {
    try place(try stage(bytes, replacing: nil))
  }
}
