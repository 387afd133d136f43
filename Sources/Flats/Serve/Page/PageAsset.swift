import CWebPage
import CZlib
import HTTPTypes
import Store
import Streams

/// A file of the web page, which is embedded in the program.
struct PageAsset {
  /// Its path below `/assets/`.
  let name: String
  let bytes: [UInt8]
  /// Names its bytes: browsers ask for them again only if they changed.
  let tag: EntityTag
  /// Its bytes as gzip and their tag; nil if they are not fewer.
  let compressed: (bytes: [UInt8], tag: EntityTag)?

  static let all: [PageAsset] = {
    var assets: [PageAsset] = []
    while let asset = CWebPageAssetAt(assets.count) { assets.append(PageAsset(asset.pointee)) }
    return assets
  }()

  /// The page itself, in which the server writes the name of the folder.
  static let page = "index.html"

  var type: String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    tag = EntityTag(opaque: ContentDigest(of: bytes).text)
    compressed = bytes.gzipped.map { ($0, EntityTag(opaque: ContentDigest(of: $0).text)) }
  }

  private init(_ asset: CWebPageAsset) {
    let name = String(cString: asset.name)
    let bytes = asset.data
    self.init(
      name: name,
      bytes: name.hasSuffix(".svg") ? bytes : PageAsset.shortened(bytes, isScript: name.hasSuffix(".js")))
  }

  /// Leaves out indentation and comments: a fourth of the page is only for its authors. Texts of several
  /// lines would change, so the assets have none.
  private static func shortened(_ bytes: [UInt8], isScript: Bool) -> [UInt8] {
    var kept: [UInt8] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      // A style sheet has rules that begin with `*`, and its comments are single lines.
      if text.starts(with: "/*".utf8)
        || isScript && (text.starts(with: "//".utf8) || text.starts(with: "*".utf8))
      {
        continue
      }
      kept += text + [UInt8(ascii: "\n")]
    }
    return kept
  }

  /// Answers a request for the file, as gzip if the client accepts that: 400 if `If-None-Match` is malformed.
  func response(to request: ServerRequest) throws(ProblemDocument) -> ServerResponse {
    let packed = request.head.headerFields.acceptsGzip ? compressed : nil
    let (bytes, tag) = packed ?? (bytes, tag)
    var fields: HTTPFields = [
      .contentType: type, .eTag: "\(tag)", .cacheControl: "no-cache", .vary: "Accept-Encoding",
    ]
    if packed != nil { fields[.contentEncoding] = "gzip" }
    if let condition = try TagCondition(.ifNoneMatch, in: request.head.headerFields),
      condition.matchesWeakly(tag)
    {
      return ServerResponse(.notModified, fields)
    }
    return ServerResponse(.ok, fields, .bytes(bytes))
  }
}

extension CWebPageAsset {
  var data: [UInt8] { Array(UnsafeRawBufferPointer(start: bytes, count: count)) }
}

extension [UInt8] {
  /// The bytes as gzip (RFC 1952), as small as zlib can; nil if they are not shorter, or if memory is
  /// exhausted. Equal bytes give equal results.
  var gzipped: [UInt8]? {
    var stream = z_stream()
    // 31: a window of 15 bits, and 16 for gzip. 9 is the largest memory level.
    let begun = deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard let size = UInt32(exactly: count) else { return nil }
    let compressed = withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: count) { output, written in
        // zlib reads from this address only.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = size
        stream.next_out = output.baseAddress
        stream.avail_out = size
        written = deflate(&stream, Z_FINISH) == Z_STREAM_END ? count - Int(stream.avail_out) : 0
      }
    }
    return compressed.isEmpty ? nil : compressed
  }
}
