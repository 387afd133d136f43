import PlainText
import Testing

@Suite struct TextFormatTests {
  @Test func extensions() {
    #expect(["yaml", "yml", "YAML", "YML"].allSatisfy { TextFormat(pathExtension: $0) == .yaml })
    #expect(["json", "JSON"].allSatisfy { TextFormat(pathExtension: $0) == .json })
    #expect(["md", "markdown", "MD", "MARKDOWN"].allSatisfy { TextFormat(pathExtension: $0) == .markdown })
    #expect(TextFormat.pathExtensions.allSatisfy { TextFormat(pathExtension: $0) != nil } && Set(TextFormat.pathExtensions).count == 10)
    #expect(["", "txt", "yaml~", ".yaml", "jsonl"].allSatisfy { TextFormat(pathExtension: $0) == nil })
  }
}
