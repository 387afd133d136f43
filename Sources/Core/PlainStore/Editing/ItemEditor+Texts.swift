package import Folder
package import Query
import TextEdits
package import Values

extension ItemEditor {
  /// Reads the text of an item's file, even of a broken one.
  package func readText(_ id: Item.ID) throws -> RawItem {
    var session = try session()
    return try session.readText(id)
  }

  /// Returns the reason why a text cannot be read as an item of this format; nil if it can.
  package func problem(with text: [UInt8], as format: TextFormat) -> TextError? {
    do throws(TextError) {
      _ = try ItemText(text, as: format, limits: limits).fields.get()
      return nil
    } catch {
      return error
    }
  }

  /// Returns the planner of new items for this folder.
  package func newItems(_ context: DefaultContext) throws(StoreError) -> NewItems {
    NewItems(in: try session().locator, context: context, cache: folderFormats)
  }

  /// Returns the text of a new item, as it would be written.
  package func text(of plan: NewItems.Plan) throws(EditError) -> [UInt8] {
    do throws(TextEditError) {
      return try NewItemText.text(of: plan.fields, as: plan.format, like: plan.style, limits).bytes
    } catch {
      throw EditError(plan.id, plan.path, error)
    }
  }
}
