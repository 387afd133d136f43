import Store
import Terminal

/// The predicate line: each key that makes a correct predicate filters the list. A mistake is shown
/// below its column, and the last correct predicate stays. A field at the end is a condition of its
/// own (`done`), or the name of one that is being typed: it filters with Enter.
///
/// Escape restores the predicate that was there before, Enter keeps the new one.
struct PredicateLine: PromptPane {
  private let original: ItemPredicate?
  private var field: LineField
  private var applied: ItemPredicate?
  private var typed: ItemPredicate?
  private var mistake: ItemPredicateError?

  private static let sign = ":"
  private static let hint = "Such as rating > 3 AND done = false. Enter keeps, Escape restores."

  /// Opens the line with the predicate that was typed before; nil if the list has that of its view.
  init(predicate: ItemPredicate?) {
    original = predicate
    applied = predicate
    typed = predicate
    field = LineField(predicate?.text ?? "")
  }

  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    let old = field.characters
    if case .key(let key) = input {
      switch (key.code, key.modifiers) {
      case (.escape, _): return leave(with: original, &memory)
      case (.enter, _): return mistake == nil ? leave(with: typed, &memory) : .handled([])
      default: break
      }
    }
    let history = memory.predicates
    guard field.handle(input, &memory, recalling: history) else { return .unhandled }
    return .handled(field.characters == old ? [] : apply())
  }

  /// Without text, the list has the predicate of its view.
  private mutating func apply() -> [ScreenEffect] {
    let text = field.text
    do throws(ItemPredicateError) {
      typed = text.allSatisfy(\.isWhitespace) ? nil : try ItemPredicate(text)
      mistake = nil
      return PredicateLine.endsInField(text) ? [] : change(to: typed)
    } catch {
      mistake = error
      return []
    }
  }

  /// Returns true if a text ends in a field without an operator.
  private static func endsInField(_ text: String) -> Bool {
    let text = text.reversed().drop(while: \.isWhitespace)
    let name = text.prefix { $0.isLetter || $0.isNumber || "_.@[]-".contains($0) }
    guard let first = name.last, first.isLetter || first == "_" || first == "@" else { return false }
    let before = text.dropFirst(name.count).drop(while: \.isWhitespace)
    guard let last = before.first else { return true }
    if "(!&|".contains(last) { return true }
    return ["and", "or", "not"].contains(String(before.prefix(while: \.isLetter).reversed()).lowercased())
  }

  private mutating func change(to predicate: ItemPredicate?) -> [ScreenEffect] {
    if predicate == applied { return [] }
    applied = predicate
    return [.change(.predicate(predicate))]
  }

  private mutating func leave(with predicate: ItemPredicate?, _ memory: inout PromptMemory) -> PaneResult {
    memory.remember(field.text, in: \.predicates)
    return .closed(change(to: predicate))
  }

  func rows(in size: ScreenSize) -> Int { 1 + notes(columns: size.columns).count }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    LinePrompt.draw(
      PredicateLine.sign, field, notes: notes(columns: area.columns.count), into: &canvas, area: area)
  }

  private func notes(columns: Int) -> [StyledLine] {
    guard let mistake else { return LinePrompt.advice(PredicateLine.hint, columns: columns) }
    let message = "column \(mistake.column): \(mistake.message)"
    return LinePrompt.notes(
      message, at: mistake.column - 1, of: field, after: PredicateLine.sign, columns: columns)
  }
}
