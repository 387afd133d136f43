import Files
import Printing
import Values

/// The answer to a status request, as a table for people.
///
/// No line is wider than the terminal, and nothing in the answer can control it. Missing fields
/// are left out, so that a table of another version's answer is shorter, not wrong.
struct StatusTable {
  private static let maxOutputLines = 3
  /// The columns of the table of sinks: the heading, and true for numbers.
  private static let columns: [(title: String, isNumber: Bool)] = [
    ("sink", false), ("kind", false), ("state", false), ("seq", true), ("lag", true), ("last run", false),
    ("exit", false),
  ]

  private let options: TextOptions
  private let isDetailed: Bool
  private(set) var bytes: [UInt8] = []

  /// - Parameter isDetailed: True for one folder: with its counters, and all output lines of its sinks.
  init(_ status: Fields, _ options: TextOptions, isDetailed: Bool) {
    self.options = options
    self.isDetailed = isDetailed
    appendDaemon(status)
    for folder in status["folders"]?.elements ?? [] { appendFolder(folder) }
  }

  // MARK: Parts

  private mutating func appendDaemon(_ status: Fields) {
    var words = ["Daemon"]
    if let version = status["version"] { words[0] += " \(version.text)" }
    if let process = status["pid"] { words.append("process \(process.text)") }
    if let start = status["started"] { words.append("since \(start.text)") }
    if let memory = status["memory"]?.integer { words.append(StatusTable.size(memory)) }
    if let clients = status["clients"]?.integer { words.append(Wording.plainCount(clients, "client")) }
    line(words.joined(separator: ", "))
    for (title, key) in [("Configuration", "config"), ("Socket", "socket")] {
      if let path = status[key] { line("\(title): \(path.text)") }
    }
  }

  /// Returns a size with the unit in which it has one to four digits: `512 bytes`, `48 MB`.
  private static func size(_ bytes: Int) -> String {
    var size = Double(bytes)
    var unit = "bytes"
    for larger in ["kB", "MB", "GB", "TB"] where size >= 1_000 { (size, unit) = (size / 1_000, larger) }
    return "\(Int(size.rounded())) \(unit)"
  }

  private mutating func appendFolder(_ folder: Value) {
    bytes.append(UInt8(ascii: "\n"))
    line(folder["path"]?.text ?? "", .bold)
    let state = folder["state"]?.text ?? ""
    var words = [state]
    for (key, noun) in [("items", "item"), ("problems", "problem"), ("clients", "client")] {
      if let number = folder[key]?.integer { words.append(Wording.plainCount(number, noun)) }
    }
    let ink = state == "open" ? Ink.plain : .red
    line("  " + words.joined(separator: ", "), ink)
    if let reason = folder["reason"] { paragraph(reason.text, indent: 4, ink) }
    if isDetailed, let counters = folder["counters"]?.fields, !counters.isEmpty {
      let known = counters.filter { $0.value != .null }
      paragraph("counters: " + known.map { "\($0.key) \($0.value.text)" }.joined(separator: ", "), indent: 2)
    }
    appendSinks(folder["sinks"]?.elements ?? [])
  }

  private mutating func appendSinks(_ sinks: [Value]) {
    if sinks.isEmpty { return }
    let rows = sinks.map(cells)
    let titles = StatusTable.columns.map(\.title)
    let widths = titles.indices.map { column in
      ([titles] + rows).reduce(0) { max($0, DisplayText.width(of: $1[column])) }
    }
    line(row(titles, widths), .dim)
    for (sink, cells) in zip(sinks, rows) {
      let isStopped = ["parked", "failed", "stopped"].contains(sink["state"]?.text)
      line(row(cells, widths), isStopped ? .red : .plain)
      if let since = sink["since"] { line("    waiting since \(since.text)") }
      if let message = sink["message"] { paragraph(message.text, indent: 4, isStopped ? .red : .plain) }
      appendOutput(sink["output"]?.elements ?? [])
    }
  }

  private mutating func appendOutput(_ lines: [Value]) {
    let shown = isDetailed ? lines[...] : lines.suffix(StatusTable.maxOutputLines)
    for text in shown { line("    | \(text.text)", .dim) }
  }

  private func cells(of sink: Value) -> [String] {
    ["name", "kind", "state", "seq", "lag", "lastRun", "lastExit"].map { key in
      sink[key].map { value in
        DisplayText.safe(value.text, limit: key == "name" ? maxNameWidth : StatusTable.maxCellWidth)
      } ?? ""
    }
  }

  private static let maxCellWidth = 32

  /// The width at which the name of a sink is cut, so that the other columns fit. No name is longer than 64.
  private var maxNameWidth: Int { options.width.map { max(20, min(64, $0 - 62)) } ?? 64 }

  private func row(_ cells: [String], _ widths: [Int]) -> String {
    var text = " "
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: widths[index] - DisplayText.width(of: cell))
      text += " " + (StatusTable.columns[index].isNumber ? padding + cell : cell + padding) + " "
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  // MARK: Lines

  private enum Ink: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
  }

  private static let maxParagraphLines = 12

  private mutating func paragraph(_ text: String, indent: Int, _ ink: Ink = .plain) {
    let margin = String(repeating: " ", count: indent)
    guard let width = options.width.map({ max($0, TextOptions.minWidth) }) else {
      return line(margin + text, ink)
    }
    var rest = text[...]
    for _ in 1..<StatusTable.maxParagraphLines {
      guard let end = lineEnd(of: rest, width: width - indent) else { break }
      line(margin + rest[..<end], ink)
      rest = rest[rest.index(after: end)...]
    }
    line(margin + rest, ink)
  }

  /// The last space before which a text fits, or else its first one; nil if it needs no second line.
  private func lineEnd(of text: Substring, width: Int) -> Substring.Index? {
    if DisplayText.fits(String(text), in: width) { return nil }
    var end = Substring.Index?.none
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      used += DisplayText.width(of: String(word), limit: width + 1)
      if used > width, end != nil { break }
      end = word.endIndex
      used += 1
      if used > width { break }
    }
    return end == text.endIndex ? nil : end
  }

  /// Appends a line, made safe for a terminal and cut at its width.
  private mutating func line(_ text: String, _ ink: Ink = .plain) {
    let isPainted = options.usesColor && ink != .plain
    if isPainted { bytes += Array("\u{1B}[\(ink.rawValue)m".utf8) }
    _ = DisplayText.append(
      text, limit: options.width.map { max($0, TextOptions.minWidth) } ?? .max, to: &bytes)
    if isPainted { bytes += Array("\u{1B}[0m".utf8) }
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension Value {
  fileprivate var integer: Int? {
    guard case .number(.integer(let number)) = self else { return nil }
    return number
  }
}
