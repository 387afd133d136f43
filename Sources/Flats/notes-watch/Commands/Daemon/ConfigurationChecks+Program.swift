import Browse
import Daemon
import Serve

extension ConfigurationChecks {
  /// The checks of this program.
  static let program = ConfigurationChecks(keys: { KeyMap.reading($0).mistakes }, listen: mistake)

  /// Checks the address for browsers, and what belongs to it.
  @Sendable private static func mistake(in listen: ListenConfiguration) -> (key: String?, message: String)? {
    guard let address = ListenAddress(parsing: listen.address) else {
      return ("address", ListenAddress.refusal(of: listen.address))
    }
    if let origin = listen.origins.first(where: { WebOrigin(parsing: $0) == nil }) {
      return ("origin", ServeCommand.refusal(ofOrigin: origin))
    }
    if address.isLoopback { return nil }
    let missing = [(listen.origins.isEmpty, "`origin`"), (listen.tokenFile == nil, "`token-file`")]
      .filter(\.0).map(\.1)
    if missing.isEmpty { return nil }
    return (
      nil, "\(address) lets other machines connect. Give \(missing.joined(separator: " and ")), too."
    )
  }
}
