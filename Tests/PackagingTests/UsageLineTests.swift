import Testing

@testable import Packaging

@Suite struct UsageLineTests {
  @Test(arguments: [
    (
      "notes-watch list DIR [VIEW] [-o table|json]",
      ".Nm notes-watch Cm list Ar DIR Oo Ns Ar VIEW Oc Oo Ns Fl o Cm table Ns | Ns Cm json Oc"
    ),
    ("notes-watch rm DIR ID...", ".Nm notes-watch Cm rm Ar DIR Ar ID Ns ...\\&"),
    ("  notes-watch rm DIR -", ".Nm notes-watch Cm rm Ar DIR Cm \\-"),
    ("notes-watch DIR [-- COMMAND]", ".Nm notes-watch Ar DIR Oo Ns Cm \\-\\- Ar COMMAND Oc"),
  ])
  func `a usage line is written with macros`(usage: String, source: String) {
    #expect(UsageLine(usage).source == source)
  }
}
