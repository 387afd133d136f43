import Files
import Foundation
import Query
@testable import Store
import TestSupport
import Testing
import Values

/// Unchanged saves of real items. `NOTES_WATCH_DATA` names a folder with more of them.
struct ItemEditorDataTests {
  private static let folders: [String] = {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent()
    let samples = top.appendingPathComponent("SampleData").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: samples)) ?? []
    return names.filter { !$0.contains(".") }.sorted().map { "\(samples)/\($0)" }
      + [ProcessInfo.processInfo.environment["NOTES_WATCH_DATA"]].compactMap { $0 }
  }()

  @Test(arguments: folders) func `an unchanged save writes no byte`(folder: String) throws {
    let copy = try TemporaryFolder()
    try copy.shell("cp -a '\(folder)' data")
    let root = "\(copy.path)/data"
    let store = try ItemStore(at: root)
    let items = store.list(FetchRequest()).snapshot
    #expect(!items.isEmpty)
    let list = "find data -type f -printf '%P %i %T@ %C@ %s\\n' | sort"
    let before = try copy.shell(list)
    var scope = store.makeEditScope()
    for item in items {
      guard let fields = item.fields.value.fields else { continue }
      scope.update(item.id, fields.prefix(8).map { .set(FieldPath(keys: [$0.key]), $0.value) })
    }
    let editor = try ItemEditor(root: root)
    let report = try editor.saveEach(scope)
    #expect(
      report.outcomes.allSatisfy { $0.result == .unchanged },
      "\(report.outcomes.filter { $0.result != .unchanged }.prefix(3))")
    var texts = EditScope()
    for result in try editor.readAll(items.map(\.id)) {
      let file = try result.get()
      texts.replace(file.id, with: file.bytes, readAt: file.revision)
    }
    #expect(try editor.saveEach(texts).outcomes.allSatisfy { $0.result == .unchanged })
    #expect(try copy.shell(list) == before)
  }
}
