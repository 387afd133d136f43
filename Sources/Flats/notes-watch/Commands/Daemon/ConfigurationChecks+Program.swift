import Daemon
import Serve

extension ConfigurationChecks {
  /// The checks of this program.
  static let program = ConfigurationChecks(keys: \.keyMap.mistakes, listen: mistake)

  /// Checks the address for browsers, and what belongs to it.
  @Sendable private static func mistake(in listen: ListenConfiguration) -> ListenConfiguration.Mistake? {
    guard let address = ListenAddress(parsing: listen.address) else {
      return ListenConfiguration.Mistake(ListenAddress.refusal(of: listen.address), key: "address")
    }
    for origin in listen.origins where WebOrigin(parsing: origin) == nil {
      return ListenConfiguration.Mistake(ServeCommand.refusal(ofOrigin: origin), key: "origin")
    }
    if address.isLoopback { return nil }
    let missing = [(listen.origins.isEmpty, "`origin`"), (listen.tokenFile == nil, "`token-file`")]
      .filter(\.0).map(\.1)
    if missing.isEmpty { return nil }
    return ListenConfiguration.Mistake(
      "\(address) lets other machines connect. Give \(missing.joined(separator: " and ")), too.")
  }
}
