import Glibc
import LinuxFiles
import SystemPackage

/// A text in a folder of its own, for an editor, that nobody else can read.
struct Draft {
  let path: String
  let folder: String

  /// - Parameter name: of the file, by which an editor knows what it is.
  init(_ text: [UInt8], named name: String) throws(InputFileError) {
    let place = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(place)/notes-watch-XXXXXX".utf8CString)  // mkdtemp(3) puts a name into the six letters.
    guard mkdtemp(&template) != nil else { throw InputFileError("A draft in \(place)", .current, act: "created") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = "\(folder)/\(name)"
    do throws(InputFileError) {
      try write(text)
    } catch {
      remove()
      throw error
    }
  }

  private func write(_ text: [UInt8]) throws(InputFileError) {
    do throws(Errno) {
      try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).write(all: text)
    } catch {
      throw InputFileError("The draft \(path)", error, act: "written")
    }
  }

  /// A sentence.
  var isKept: String { "The text is kept in \(path)." }

  /// What it holds now.
  func read(upTo maximum: Int) throws(InputFileError) -> [UInt8] { try InputFile.read(path, upTo: maximum) }

  /// True if the editor keeps files beside it, such as vim's swap file.
  var hasOtherFiles: Bool {
    guard let entries = opendir(folder) else { return false }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      // Only what is open while the editor is: a backup of the text stays when it ends.
      if name.starts(with: ".".utf8), name.contains(where: { $0 != UInt8(ascii: ".") }), name.suffix(4).starts(with: ".sw".utf8) {
        return true
      }
      if name.starts(with: ".#".utf8) { return true }
    }
    return false
  }

  /// Takes the folder away, unless the editor left something in it. Answers whether it is gone.
  func removeEmpty() -> Bool { rmdir(folder) == 0 }

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
