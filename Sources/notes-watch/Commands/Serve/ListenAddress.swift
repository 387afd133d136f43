import ArgumentParser

/// An address and a port: `127.0.0.1:7747`, `[::1]:7747`, `localhost:8080`, or only a port.
struct ListenAddress: ExpressibleByArgument, Hashable, CustomStringConvertible {
  /// The IP address, without brackets.
  let address: String
  /// The port; 0 for any that is free.
  let port: Int

  /// The address without `--listen`.
  static let standard = ListenAddress(address: "127.0.0.1", port: 7_747)

  /// True if only programs of this machine can connect.
  var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }

  /// True for all addresses of the machine.
  var isAny: Bool { ["0.0.0.0", "::"].contains(address) }

  /// The names by which browsers of this machine can reach the server.
  var loopbackNames: [String] {
    switch address {
    case "::1", "::": ["[::1]", "localhost"]
    case "127.0.0.1", "0.0.0.0": ["127.0.0.1", "localhost"]
    default: [address]
    }
  }

  /// The address as a URL has it, with the port.
  var description: String { "\(address.contains(":") ? "[\(address)]" : address):\(port)" }

  /// Returns the address with another port.
  func at(port: Int) -> ListenAddress { ListenAddress(address: address, port: port) }
}

extension ListenAddress {
  init?(argument: String) {
    let (host, digits): (Substring, Substring)
    if let colon = argument.lastIndex(of: ":"), !argument.hasSuffix("]") {
      (host, digits) = (argument[..<colon], argument[argument.index(after: colon)...])
    } else {
      (host, digits) = ("127.0.0.1", argument[...])
    }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else { return nil }
    let isBracketed = host.first == "[" && host.last == "]"
    let address = host == "localhost" ? "127.0.0.1" : isBracketed ? String(host.dropFirst().dropLast()) : String(host)
    // Without brackets, the last part of such an address could be the port.
    guard !address.isEmpty, isBracketed == address.contains(":") else { return nil }
    self.init(address: address, port: Int(port))
  }
}
