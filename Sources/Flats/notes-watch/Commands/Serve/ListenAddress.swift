import Glibc

/// An address and a port: `127.0.0.1:7747`, `[::1]:7747`, `localhost:8080`, or only a port.
struct ListenAddress: Hashable, CustomStringConvertible {
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

  /// Returns the sentence about a text that is not an address.
  static func refusal(of text: String) -> String {
    "`\(text)` is not an IP address with a port. Write one such as 127.0.0.1:7747 or [::1]:7747, localhost:7747, or only a port."
  }

  /// Returns the address with another port.
  func at(port: Int) -> ListenAddress { ListenAddress(address: address, port: port) }
}

extension ListenAddress {
  /// Reads an address; nil if the text is none. Names other than `localhost` are not looked up.
  init?(parsing text: String) {
    let (host, digits): (Substring, Substring)
    if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
      (host, digits) = (text[..<colon], text[text.index(after: colon)...])
    } else {
      (host, digits) = ("127.0.0.1", text[...])
    }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else { return nil }
    let isBracketed = host.first == "[" && host.last == "]"
    let address =
      host == "localhost" ? "127.0.0.1" : isBracketed ? String(host.dropFirst().dropLast()) : String(host)
    // Without brackets, the last part of such an address could be the port.
    guard isBracketed == address.contains(":"),
      let address = ListenAddress.canonical(address, isBracketed ? AF_INET6 : AF_INET)
    else {
      return nil
    }
    self.init(address: address, port: Int(port))
  }

  /// Returns an IP address as the system writes it: `::1` for `0:0::1`; nil for anything else.
  private static func canonical(_ text: String, _ family: CInt) -> String? {
    var address = in6_addr()
    var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_pton(family, text, &address) == 1,
      inet_ntop(family, &address, &name, socklen_t(name.count)) != nil
    else { return nil }
    return name.withUnsafeBufferPointer { name in name.baseAddress.map { String(cString: $0) } }
  }
}
