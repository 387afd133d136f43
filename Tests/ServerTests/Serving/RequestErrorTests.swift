import Testing

@testable import Server

@Suite struct RequestErrorTests {
  @Test func `a refusal prints its sentence`() {
    #expect(RequestError(.mismatch, "The ids differ.").description == "The ids differ.")
  }
}
