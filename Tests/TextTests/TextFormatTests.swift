import Testing
import Values

@Suite struct TextFormatTests {
  @Test func `a format is found by its file extensions`() {
    #expect(["yaml", "yml", "YAML", "YML"].allSatisfy { TextFormat(pathExtension: $0) == .yaml })
    #expect(["json", "JSON"].allSatisfy { TextFormat(pathExtension: $0) == .json })
    #expect(["md", "markdown", "MD", "MARKDOWN"].allSatisfy { TextFormat(pathExtension: $0) == .markdown })
    for format in TextFormat.allCases {
      #expect(format.pathExtensions.allSatisfy { TextFormat(pathExtension: $0) == format })
    }
    #expect(["", "txt", "yaml~", ".yaml", "jsonl"].allSatisfy { TextFormat(pathExtension: $0) == nil })
  }
}
