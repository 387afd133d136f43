import TerminalDevice
import Testing

@testable import TerminalView

@Suite struct ScreenTests {
  @Test func `a screen fills its window`() {
    let size = ScreenSize(columns: 4, rows: 2)
    #expect(Screen(size: size, options: ScreenOptions()).draw().size == size)
  }
}
