import Browse
import Daemon

extension BrowseConfiguration {
  /// The keys of the full screen, and the mistakes in the bindings.
  var keyMap: (map: KeyMap, mistakes: [KeyMistake]) {
    let (map, mistakes) = KeyMap.reading(bindings.map { ($0.action, $0.keys) })
    return (map, mistakes.map { KeyMistake($0.action, key: $0.key, $0.message) })
  }
}
