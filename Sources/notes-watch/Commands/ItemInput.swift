import ArgumentParser
import PlainStore
import PlainText
import Sinks

/// Items that standard input names, a JSON object a line.
struct ItemInput {
  struct Entry {
    let line: ItemLine
    /// From 1.
    let number: Int

    var id: Item.ID { line.id }
  }

  private let input: StandardInput
  private let limits: ReadLimits
  private var number = 0

  init(_ limits: ReadLimits) {
    self.limits = limits
    input = StandardInput(longestLine: limits.maximumSize)
  }

  /// The next line that is not empty; nil at the end. A line that cannot be read is told to `writer`, and passed over.
  private mutating func next(_ writer: inout ItemWriter) async -> Entry? {
    while let line = await input.nextLine() {
      number += 1
      do throws(TextError) {
        guard let bytes = line.bytes else {
          throw TextError(line: 1, column: 1, message: "The line has more than the \(limits.maximumSize) bytes that an item may have.")
        }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        return Entry(line: try ItemLine(bytes, limits: limits), number: number)
      } catch {
        writer.fail(.badData, "line \(number), column \(error.column): \(error.message)")
      }
    }
    return nil
  }

  /// All of them, at most one of each item: a second one is told, and passed over.
  mutating func all(_ writer: inout ItemWriter) async -> [Entry] {
    var entries: [Entry] = []
    var first: [Item.ID: Int] = [:]
    while let entry = await next(&writer) {
      if let other = first[entry.id] {
        writer.fail(.badData, "line \(entry.number): The item `\(entry.id)` stands in line \(other), too; this one is left out.")
      } else {
        first[entry.id] = entry.number
        entries.append(entry)
      }
    }
    return entries
  }
}
