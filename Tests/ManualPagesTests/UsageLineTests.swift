import Testing

@testable import ManualPages

@Suite struct UsageLineTests {
  @Test(arguments: [
    ("notes-watch list DIR [VIEW] [-o table|json]", ".Nm notes-watch Cm list Ar DIR Oo Ns Ar VIEW Oc Oo Ns Fl o Cm table Ns | Ns Cm json Oc")
  ])
  func `a usage line is written with macros`(usage: String, source: String) {
    #expect(UsageLine(usage).source == source)
  }
}
