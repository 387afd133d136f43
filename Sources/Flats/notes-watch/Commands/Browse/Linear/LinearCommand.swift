import Browse
import Files
import PlainStore
import Values

/// One line of the person, understood.
enum LinearCommand: Hashable, Sendable {
  case nothing
  case help(LinearVerb?)
  /// Print the list; nil for a page, `Int.max` for all.
  case list(Int?)
  case next(Int?)
  case back(Int?)
  case show(LinearTargets)
  case change(RequestChange)
  case sort([ItemSortDescriptor]?)
  case reverse
  case edit(LinearTargets)
  case set(LinearTargets, words: [String])
  case delete(LinearTargets)
  case add(id: String, words: [String])
  case undo
  case redo
  case select(LinearTargets)
  case unselect(LinearTargets?)
  case choose(LinearTargets?)
  case copy(LinearTargets, isPath: Bool)
  case log(Int?)
  case problems, pause, resume, quit
}

/// A sentence that says why a line is not understood.
struct LinearMistake: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension LinearCommand {
  /// Parses a line.
  init(parsing line: String) throws(LinearMistake) {
    let line = line.trimmed
    if line.isEmpty {
      self = .nothing
      return
    }
    if line.first == "/" {
      self = .change(.search(line.dropFirst().trimmed))
      return
    }
    if line.first == ":" {
      self = try LinearCommand.predicate(line.dropFirst().trimmed)
      return
    }
    let name = line.prefix { $0 != " " && $0 != "\t" }
    let rest = line.dropFirst(name.count).trimmed
    if let verb = LinearVerb(rawValue: name.lowercased()) {
      self = try LinearCommand.command(verb, rest)
      return
    }
    var words = LineWords(Array(line)).words.map(\.text)[...]
    if let targets = LinearTargets.parse(&words), words.isEmpty {
      self = .show(targets)
      return
    }
    let nearest = LinearVerb.allCases.map(\.rawValue).nearest(to: name.lowercased(), within: 1).map { " Did you mean \($0)?" } ?? ""
    throw LinearMistake("There is no command \(name).\(nearest) Type help for the list of commands.")
  }

  private static func command(_ verb: LinearVerb, _ rest: String) throws(LinearMistake) -> LinearCommand {
    switch verb {
    case .search: return .change(.search(rest))
    case .where: return try predicate(rest)
    case .sort: return .sort(try sort(rest))
    case .section: return .change(.section(try section(rest)))
    case .view: return .change(.view(rest.isEmpty ? nil : rest))
    case .help: return .help(try helpVerb(rest))
    case .list, .next, .back, .log: return try counted(verb, rest)
    case .reverse, .undo, .redo, .problems, .pause, .resume, .quit: return try bare(verb, rest)
    case .show, .edit, .set, .delete, .add, .select, .unselect, .choose, .copy: return try acting(verb, rest)
    }
  }

  private static func bare(_ verb: LinearVerb, _ rest: String) throws(LinearMistake) -> LinearCommand {
    if !rest.isEmpty { throw LinearMistake("The command \(verb) has no arguments.") }
    return switch verb {
    case .reverse: .reverse
    case .undo: .undo
    case .redo: .redo
    case .problems: .problems
    case .pause: .pause
    case .resume: .resume
    default: .quit
    }
  }

  private static func counted(_ verb: LinearVerb, _ rest: String) throws(LinearMistake) -> LinearCommand {
    var count: Int?
    if !rest.isEmpty {
      count = rest == "all" ? .max : Int(rest)
      if (count ?? 0) < 1 { throw LinearMistake("After \(verb), a number of lines is expected: \(verb.usage).") }
    }
    return switch verb {
    case .list: .list(count)
    case .next: .next(count)
    case .back: .back(count)
    default: .log(count)
    }
  }

  private static func acting(_ verb: LinearVerb, _ rest: String) throws(LinearMistake) -> LinearCommand {
    let all = LineWords(Array(rest)).words
    if all.contains(where: \.isOpen) { throw LinearMistake("A quote is not closed.") }
    var words = all.map(\.text)[...]
    if verb == .add {
      guard let id = words.popFirst() else { throw LinearMistake("After add, an id is expected: \(verb.usage).") }
      return .add(id: id, words: Array(words))
    }
    let targets = LinearTargets.parse(&words)
    if verb == .unselect || verb == .choose, words.isEmpty { return verb == .choose ? .choose(targets) : .unselect(targets) }
    guard let targets else {
      throw LinearMistake("After \(verb), numbers of printed items are expected, such as 3 or 5-7, or selected: \(verb.usage).")
    }
    if verb == .set {
      if words.isEmpty { throw LinearMistake("After the numbers, fields are expected: \(verb.usage).") }
      return .set(targets, words: Array(words))
    }
    if verb == .copy, words.isEmpty || words == ["path"] || words == ["id"] { return .copy(targets, isPath: words == ["path"]) }
    if let word = words.first { throw LinearMistake("\(word) is not a number of an item. The command is: \(verb.usage).") }
    return switch verb {
    case .show: .show(targets)
    case .edit: .edit(targets)
    case .delete: .delete(targets)
    default: .select(targets)
    }
  }
}

/// The arguments that are not numbers.
extension LinearCommand {
  private static func predicate(_ text: String) throws(LinearMistake) -> LinearCommand {
    if text.isEmpty { return .change(.predicate(nil)) }
    do throws(ItemPredicateError) {
      return .change(.predicate(try ItemPredicate(parsing: text)))
    } catch {
      throw LinearMistake("Error in the predicate, column \(error.column): \(error.message)")
    }
  }

  private static func sort(_ text: String) throws(LinearMistake) -> [ItemSortDescriptor]? {
    if text.isEmpty { return nil }
    var descriptors: [ItemSortDescriptor] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      do throws(FieldPathError) {
        descriptors.append(try ItemSortDescriptor(parsing: String(part)))
      } catch {
        throw LinearMistake("\(part) is not a field: \(error)")
      }
    }
    return descriptors
  }

  private static func section(_ text: String) throws(LinearMistake) -> SectionDescriptor? {
    if text.isEmpty { return nil }
    do throws(SettingsError) {
      return try ViewDefinition(["section": .string(text)]).request.section
    } catch {
      throw LinearMistake("\(text) is not a field: \(error.message)")
    }
  }

  private static func helpVerb(_ text: String) throws(LinearMistake) -> LinearVerb? {
    if text.isEmpty { return nil }
    guard let verb = LinearVerb(rawValue: text.lowercased()) else { throw LinearMistake("There is no command \(text).") }
    return verb
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
    guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(self[start...end])
  }
}
