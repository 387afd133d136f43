import Files
import SystemPackage
import Testing

struct ErrnoReasonTests {
  @Test func `a reason ends a sentence: no capital letter, no full stop`() {
    let reasons = (1...133).map { Errno(rawValue: $0).reason }
    #expect(reasons.filter { $0.isEmpty || $0.hasSuffix(".") } == [])
    #expect(reasons.filter { $0.first?.isUppercase ?? true } == [])
  }

  @Test func `an error without a text keeps its number`() {
    #expect(Errno(rawValue: 4711).reason == "error 4711")
  }
}
