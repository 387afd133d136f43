import Testing

@testable import TerminalDevice

@Suite struct CanvasTests {
  @Test func `a new canvas is blank`() {
    let canvas = Canvas(ScreenSize(columns: 3, rows: 2))
    #expect(canvas.cells.map(\.text) == Array(repeating: " ", count: 6))
  }
}
