import TestSupport
import Testing

@testable import Daemon

@Suite struct UnitFileTests {
  private static let text = UnitFile.signed("[Unit]\nDescription=x\n")

  @Test func `a file that nobody has changed is known as ours`() {
    #expect(UnitFile.origin(of: Self.text) == .installed)
    #expect(UnitFile.origin(of: UnitFile.signed("")) == .installed)
  }

  @Test(arguments: Randomness.seeds(1)) func `any change of a file is noticed`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes = Array(Self.text.utf8)
      let place = generator.below(bytes.count)
      switch generator.below(3) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(UInt8(ascii: "x"), at: place)
      default: bytes[place] ^= 1
      }
      #expect(UnitFile.origin(of: String(decoding: bytes, as: UTF8.self)) != .installed, "\(seedNote(seed))")
    }
  }

  @Test(arguments: ["", "\n\n\n", "[Unit]\n", "# digest: \n\n\n", "a\nb\n# digest: 0\n"])
  func `another file is not known as ours`(text: String) {
    #expect(UnitFile.origin(of: text) != .installed)
  }
}
