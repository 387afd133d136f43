package import Store
package import Streams

package enum ListFormat: String, Hashable, CaseIterable {
  case table, json, jsonl, csv, tsv, id

  package func pieces(of snapshot: ListSnapshot<Item>, _ options: TextOptions) -> OutputPieces {
    switch self {
    case .table: TableWriter(options).pieces(of: snapshot)
    case .csv: DelimitedWriter(.csv, isTerminal: options.isTerminal).pieces(of: snapshot)
    case .tsv: DelimitedWriter(.tsv, isTerminal: options.isTerminal).pieces(of: snapshot)
    case .id: IDWriter(isTerminal: options.isTerminal).pieces(of: snapshot)
    case .json: ItemListWriter.array(snapshot)
    case .jsonl: ItemListWriter.lines(snapshot)
    }
  }
}
