@testable import Folder
@testable import Query
@testable import Values

/// Checks the reader of settings files with any input.
public enum SettingsProperties {
  public static func check(_ bytes: UnsafeRawBufferPointer) {
    let text = Array(bytes)
    do throws(Problem) {
      let settings = try SettingsFile(text, limits: ReadLimits()).settings
      for view in settings.views.values {
        _ = view.request
        require((try? ViewDefinition(view.written)) == view, "A view reads back from its text.")
      }
      require(
        IgnoreList(settings.ignore).wildcardCount <= IgnoreList.maxWildcards,
        "The number of wildcards is bounded.")
    } catch {
      require(error.line >= 1, "Lines count from 1: \(error)")
      require(error.column >= 1, "Columns count from 1: \(error)")
      require(error.line <= text.count + 1, "The line is in the text: \(error)")
      require(!error.message.isEmpty, "There is a message.")
    }
  }
}
