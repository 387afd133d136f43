import TerminalDevice
import Testing

@testable import PlainStore
@testable import TerminalView

@Suite struct FieldSurveyTests {
  private func survey(_ files: [String: String]) -> FieldSurvey {
    var store = MemoryStore()
    for (path, text) in files { store.write(path, text) }
    return FieldSurvey(store.snapshot(FetchRequest()))
  }

  private func survey(count: Int, _ text: String) -> FieldSurvey {
    survey(Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0).yaml", text) }))
  }

  @Test func `the fields are in the order of the files, with the kinds of their values`() {
    let survey = survey(["a.yaml": "name: Ada\nrating: 9", "b.yaml": "name: Bob\nrating: high\nnick: bo"])
    #expect(survey.fields.map(\.path.description) == ["name", "rating", "nick"])
    #expect(survey.fields.map(\.kind) == [.string, nil, .string])
    #expect(survey.count == 2)
  }

  @Test func `a bounded number of items is read`() {
    #expect(survey(count: 300, "n: 1").count == 256)
  }

  @Test func `items of a bounded size are read`() {
    let text = "text: \(String(repeating: "x", count: 32 << 10))"
    #expect(survey(count: 100, text).count == 63)
    let large = "large: \(String(repeating: "x", count: 200 << 10))"
    let survey = survey(["a.yaml": large, "b.yaml": "n: 1"])
    #expect(survey.count == 1)
    #expect(survey.fields.map(\.path.description) == ["n"])
  }
}
