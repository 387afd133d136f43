import Foundation
import Glibc
import TestSupport

/// A temporary folder with random edits, as people and their programs make them.
final class EditedFolder {
  private let folder: TemporaryFolder
  var path: String { folder.path }
  private let groups = ["friends", "work", "family", "Été", ""]
  private let words = ["red", "green", "blue", "Grün", "note 2", "note 10", "zoë"]
  private var names: [String]
  private var broken: Set<String> = []

  init() throws {
    folder = try TemporaryFolder()
    names = [
      "a.yaml", "b.yaml", "c.json", "d.md", "e.yml", "sub/f.yaml", "sub/g.json", "sub/deep/h.yaml", "a.json",
      "i 2.yaml", "i 10.yaml",
      "ü.yaml",
    ]
  }

  private func file(_ name: String) -> URL { URL(fileURLWithPath: "\(path)/\(name)") }

  private func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  /// Makes one random edit of one or two files, or of a folder.
  func edit(_ random: inout SeededGenerator) throws {
    let name = names[random.below(names.count)]
    let other = names[random.below(names.count)]
    switch random.below(20) {
    case 0..<8: try write(text(for: name, &random), to: name, atomically: random.below(2) == 0)
    case 8, 9: try? FileManager.default.removeItem(at: file(name))
    case 10, 11: if exists(name) { rename(name, to: other) }
    case 12: utimensat(AT_FDCWD, "\(path)/\(name)", nil, 0)
    case 13: if let text = try? Data(contentsOf: file(name)) { try text.write(to: file(name)) }
    case 14:
      try write("{: [", to: name, atomically: false)
      broken.insert(name)
    case 15: rename("sub", to: "moved")
    case 16: rename("moved", to: "sub")
    case 17: try? FileManager.default.removeItem(at: file("sub/deep"))
    case 18: if exists(name) { swap(name, other) }
    default: try write(text(for: name, &random), to: name, atomically: true)
    }
  }

  /// Gives each broken file a valid text again. A broken file keeps its last good item in the
  /// stream, and a new list would not have it.
  func repair(_ random: inout SeededGenerator) throws {
    for name in broken.sorted() where exists(name) {
      try write(text(for: name, &random), to: name, atomically: true)
    }
    broken = []
    // A moved folder contains broken texts, too.
    try? FileManager.default.removeItem(at: file("moved"))
  }

  private func rename(_ name: String, to other: String) {
    try? FileManager.default.createDirectory(
      at: file(other).deletingLastPathComponent(), withIntermediateDirectories: true)
    guard Glibc.rename("\(path)/\(name)", "\(path)/\(other)") == 0 else { return }
    // The text is broken if the new name has another format.
    if other.contains(".") { broken.insert(other) }
  }

  private func swap(_ name: String, _ other: String) {
    guard exists(other), let a = try? Data(contentsOf: file(name)), let b = try? Data(contentsOf: file(other))
    else { return }
    try? a.write(to: file(other))
    try? b.write(to: file(name))
    broken.formUnion([name, other])
  }

  private func write(_ text: String, to name: String, atomically: Bool) throws {
    try FileManager.default.createDirectory(
      at: file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file(name), options: atomically ? .atomic : [])
  }

  private func text(for name: String, _ random: inout SeededGenerator) -> String {
    let group = groups[random.below(groups.count)]
    let word = words[random.below(words.count)]
    let rating = random.below(10)
    let tag = words[random.below(words.count)]
    return switch name.split(separator: ".").last {
    case "json":
      "{\"group\": \"\(group)\", \"word\": \"\(word)\", \"rating\": \(rating), \"address\": {\"city\": \"\(tag)\"}}\n"
    case "md": "---\ngroup: \"\(group)\"\nrating: \(rating)\n---\n\(word) \(tag)\n"
    default:
      "group: \"\(group)\"\nword: \(word)\nrating: \(rating)\naddress:\n  city: \(tag)\ntags: [\(tag), \(word)]\n"
    }
  }
}
