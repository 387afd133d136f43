import Glibc

/// A text in a folder of its own, for an editor, that nobody else can read.
struct Draft {
  let path: String
  private let folder: String

  /// - Parameter name: of the file, by which an editor knows what it is.
  init(_ text: [UInt8], named name: String) throws(InputFileError) {
    let place = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(place)/notes-watch-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw InputFileError("A draft in \(place)", errno) }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = "\(folder)/\(name)"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw InputFileError("The draft \(path)", errno) }
    defer { close(file) }
    var rest = text[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw InputFileError("The draft \(path)", errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// What it holds now.
  func read(upTo maximum: Int) throws(InputFileError) -> [UInt8] { try InputFile.read(path, upTo: maximum) }

  /// The folder goes with all that the editor left in it.
  func remove() {
    guard let entries = opendir(folder) else { return }
    while let entry = readdir(entries) {
      _ = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { unlinkat(dirfd(entries), $0, 0) }
      }
    }
    closedir(entries)
    rmdir(folder)
  }
}
