package import DirectoryWatch
import LinuxFiles
package import PlainText

extension StoreState {
  /// Of files that were read elsewhere than in a folder.
  ///
  /// - Parameter idFields: nil for what the settings say.
  package init(_ findings: [(path: RelativePath, finding: FileFinding)], settings: Settings, idFields: [FieldPath]?) {
    var model = StoreModel(idFields: idFields ?? settings.idFields)
    model.reserveCapacity(findings.count)
    model.load(findings)
    model.finishLoading()
    self.init(items: model.items, problems: model.problems, settings: settings, version: 0)
  }
}
