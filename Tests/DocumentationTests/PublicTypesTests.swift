import DiffableSnapshot
import Folder
import Foundation
import PlainStore
import Query
import Testing
import TextEdits
import Values
import Watch
import Streams

/// The properties that every public type of the libraries has, checked against the sources.
struct PublicTypesTests {
  /// The public errors. `SnapshotError` is generic, so one of its types represents it.
  private static let errors: [any Error.Type] = [
    EditError.self, ItemPredicateError.self, Problem.self, SaveError.self,
    SettingsError.self, SnapshotError<String, String>.self, StoreError.self, TextEditError.self,
    TextError.self, WatchError.self,
  ]

  private static func name(_ type: any Error.Type) -> String {
    String(describing: type).components(separatedBy: "<")[0]
  }

  @Test func `every public error is listed here`() throws {
    let sources = try SourceDeclarations()
    let found = sources.types.filter { sources.conforms($0.name, to: "Error") }.map(\.name)
    #expect(found.count > 5)
    #expect(Set(found) == Set(PublicTypesTests.errors.map(PublicTypesTests.name)))
  }

  @Test(arguments: errors.indices)
  func `a public error is localized`(_ index: Int) {
    let type = PublicTypesTests.errors[index]
    #expect(
      type is any LocalizedError.Type,
      "add `extension \(type): LocalizedError` to PublicErrors.swift of PlainStore")
    #expect(type is any CustomStringConvertible.Type, "\(type)")
  }

  private static func error(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `the localized description of an error is its description`() throws {
    let errors = [
      PublicTypesTests.error { _ = try ItemPredicate("rating >" as String) },
      PublicTypesTests.error { _ = try FieldPath(parsing: "a..b") },
      PublicTypesTests.error { _ = try ItemStore(at: "/nowhere") },
      PublicTypesTests.error { _ = try PackedValue(reading: "a: [", as: .yaml) },
      PublicTypesTests.error { _ = try Snapshot([(id: "a", items: ["x", "x"])]) },
      PublicTypesTests.error { _ = try Settings().view(named: "v") },
      PublicTypesTests.error { _ = try MomentWord("@today+3x") },
    ]
    for error in errors {
      let error = try #require(error)
      #expect(error.localizedDescription == "\(error)")
    }
  }

  /// The public types that print as Swift prints them, and why.
  private static let plainTypes = [
    "DirectoryWatcher": "a service without a value", "DirectoryScan": "a namespace",
    "WatchFilter": "consists of closures",
    "LinkResolver": "a service without a value",
    "LiveObject": "an observed object: print its value",
    "ItemPredicate.StringInterpolation": "made by the compiler",
    "FieldPath.StringInterpolation": "made by the compiler",
    "StreamPosition": "its two properties say it", "StreamList.Row": "its two properties say it",
    "StreamWriter": "a service without a value", "TextReader": "a service without a value",
    "ValueOrder": "a namespace",
  ]

  /// Sequences and iterators have no value of their own.
  private static let sequences = ["Sequence", "IteratorProtocol", "AsyncSequence", "AsyncIteratorProtocol"]

  @Test func `every public type prints well`() throws {
    let sources = try SourceDeclarations()
    #expect(sources.types.count > 100)
    var plain = PublicTypesTests.plainTypes
    for type in sources.types where !sources.conforms(type.name, to: "CustomStringConvertible") {
      // A case without values prints as its name.
      if type.kind == "enum", !type.hasPayload, plain[type.name] == nil { continue }
      if PublicTypesTests.sequences.contains(where: { sources.conforms(type.name, to: $0) }) { continue }
      let isListed = plain.removeValue(forKey: type.name) != nil
      #expect(isListed, "\(type.name) in \(type.file) must be CustomStringConvertible, or be listed here")
    }
    #expect(plain.isEmpty, "These types are gone, or print well now: \(plain.keys.sorted())")
  }
}
