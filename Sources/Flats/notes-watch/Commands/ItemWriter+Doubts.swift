import ArgumentParser
import Store
import Survey

struct StrictOptions: ParsableArguments {
  @Flag(
    name: .customLong("strict"),
    help: """
      Write nothing if a field is one that no other item has, or its value is of another kind than in most of the other \
      items: the exit code is 65. By default these are warnings.
      """)
  var isStrict = false

  static let help = """
    What is set is compared with the other items (of a large folder, with 1,000 of them): a field that none of them has, \
    or a value of another kind than most of them have, is a warning on standard error, once per field.
    """
}

extension ItemWriter {
  private static let maxDoubts = 50

  mutating func compare(_ assignments: [Assignment], in ids: [Item.ID]) throws {
    let words = assignments.filter { $0.verb != .remove }
    if words.isEmpty { return }
    let survey = session.fieldSurvey
    let edits = try words.edits(of: [:])
    var rest: [Item.ID] = []
    for id in ids {
      if survey.item(id) == nil { rest.append(id) } else { add(survey.doubts(about: edits, of: id)) }
    }
    guard let first = rest.first else { return }
    var doubts = survey.doubts(about: edits, of: first)
    // The survey did not read these items. A field that one of them has is not unknown.
    if doubts.contains(where: { $0.kind == .unknownField }) {
      let files = session.readAll(Array(rest.prefix(FieldSurvey.maxItems)))
      let known = files.compactMap { (try? $0.get())?.fields }
      doubts.removeAll { doubt in
        doubt.kind == .unknownField && known.contains { Value.map($0).element(at: doubt.path) != nil }
      }
    }
    add(doubts)
  }

  mutating func reportDoubts(_ options: StrictOptions) throws {
    let rest = doubts.count - ItemWriter.maxDoubts
    let more = rest > 0 ? ["\(rest) more values are unlike those of the other items."] : []
    let sentences = doubts.prefix(ItemWriter.maxDoubts).map(\.description) + more
    guard options.isStrict, !doubts.isEmpty else {
      for sentence in sentences { StandardError.reportLine("warning: \(sentence)") }
      return
    }
    for sentence in sentences { fail(.badData, sentence) }
    StandardError.reportLine("Nothing was written. Correct the fields, or leave out --strict.")
    throw ExitCode.badData
  }
}
