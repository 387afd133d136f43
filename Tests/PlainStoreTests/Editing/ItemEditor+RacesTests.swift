import Files
import Foundation
import Glibc
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Query

/// Several writers that save one file at once. Each round could lose a change.
@Suite(.timeLimit(.minutes(2)))
struct ItemEditorRacesTests {
  private static func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private static func number(_ key: String, in folder: TemporaryFolder) -> Int? {
    // A text without its end is half written.
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/a.yaml")),
      bytes.last == UInt8(ascii: "\n"),
      let fields = try? PackedValue(reading: Array(bytes), as: .yaml).value,
      case .number(.integer(let number))? = fields[key]
    else { return nil }
    return number
  }

  private static func add(
    _ id: Item.ID, _ key: String, _ number: Int, with editor: ItemEditor, readAt revision: ItemRevision? = nil
  ) throws
    -> SaveReport
  {
    var scope = EditScope()
    scope.update(id, [.set(FieldPath(keys: [key]), .number(.integer(number)))], readAt: revision)
    return try editor.saveEach(scope)
  }

  @Test func `twelve writers of one file, each with its own key, lose nothing`() throws {
    let folder = try TemporaryFolder(["a.yaml": "name: Ada # mine\n"])
    let rounds = 8 * Randomness.factor
    let errors = Threads.run(12) { writer in
      let editor = try ItemEditor(root: folder.path)
      for round in 1...rounds { try Self.add("a", "key\(writer)", round, with: editor).check() }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect((0..<12).allSatisfy { Self.number("key\($0)", in: folder) == rounds })
    #expect(try Self.names(in: folder) == ["a.yaml"])
  }

  @Test func `a counter that many writers increment is the sum of their increments`() throws {
    let folder = try TemporaryFolder(["a.yaml": "count: 0\n"])
    let rounds = 5 * Randomness.factor
    let conflicts = Mutex(0)
    let errors = Threads.run(6) { _ in
      let editor = try ItemEditor(root: folder.path)
      var raised = 0
      while raised < rounds {
        let file = try editor.read("a")
        guard case .number(.integer(let count))? = file.item.value(at: "count") else {
          throw CocoaError(.coderInvalidValue)
        }
        let report = try Self.add("a", "count", count + 1, with: editor, readAt: file.revision)
        switch report.failures.first?.code {
        case nil: raised += 1
        case .conflict?: conflicts.withLock { $0 += 1 }
        default: try report.check()
        }
      }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(Self.number("count", in: folder) == 6 * rounds, "\(conflicts.withLock { $0 }) conflicts")
  }

  @Test func `one of several writers that add one item succeeds`() throws {
    let folder = try TemporaryFolder()
    let added = Mutex<[Int]>([])
    let errors = Threads.run(8) { writer in
      var scope = EditScope()
      scope.insert(
        "d/e/a", fields: ["writer": .number(.integer(writer))], format: TextFormat.allCases[writer % 3])
      let report = try ItemEditor(root: folder.path).saveEach(scope)
      if report.isComplete { added.withLock { $0.append(writer) } }
      #expect(report.failures.allSatisfy { $0.code == .exists })
    }
    #expect(errors.isEmpty, "\(errors)")
    let winners = added.withLock { $0 }
    #expect(winners.count == 1)
    let store = try ItemStore(at: folder.path)
    #expect(store.count == 1)
    #expect(store.item("d/e/a")?.value(at: "writer") == winners.first.map { .number(.integer($0)) })
  }

  private enum EditorStyle: CaseIterable { case rename, truncate }

  /// The version that an editor saved before our save must be in the file after it. At the end, the
  /// last save of the editor and ours are both present.
  @Test(arguments: EditorStyle.allCases)
  private func `an editor that saves all the time beside us loses nothing`(style: EditorStyle) throws {
    let folder = try TemporaryFolder(["a.yaml": "theirs: 0\nours: 0\n"])
    let saved = Atomic(0), isOver = Atomic(false)
    let rounds = 40 * Randomness.factor
    let lost = Mutex<[String]>([])
    let errors = Threads.run(2) { side in
      if side == 0 {
        defer { isOver.store(true, ordering: .sequentiallyConsistent) }
        let editor = try ItemEditor(root: folder.path)
        for round in 1...rounds {
          let before = saved.load(ordering: .sequentiallyConsistent)
          let report = try Self.add("a", "ours", round, with: editor)
          // Failing for a file that is half written or always busy loses nothing.
          if let failure = report.failures.first, failure.code != .unreadable, failure.code != .busy {
            throw failure
          }
          guard let theirs = Self.number("theirs", in: folder) else { continue }
          if theirs < before { lost.withLock { $0.append("\(before) was saved, and \(theirs) is there") } }
        }
      } else {
        var round = 0
        while !isOver.load(ordering: .sequentiallyConsistent) {
          round += 1
          try Self.save("theirs: \(round)\n", style, in: folder)
          saved.store(round, ordering: .sequentiallyConsistent)
          usleep(UInt32.random(in: 0..<3_000))
        }
      }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(lost.withLock { $0 } == [])
    #expect(Self.number("theirs", in: folder) == saved.load(ordering: .sequentiallyConsistent))
    #expect(try Self.names(in: folder) == ["a.yaml"])
  }

  private static func save(_ text: String, _ style: EditorStyle, in folder: TemporaryFolder) throws {
    let path = style == .rename ? "\(folder.path)/.a.swp" : "\(folder.path)/a.yaml"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    for byte in text.utf8 { _ = withUnsafeBytes(of: byte) { write(file, $0.baseAddress, 1) } }
    close(file)
    if style == .rename, rename(path, "\(folder.path)/a.yaml") != 0 {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }
}
