import ArgumentParser
import Files
import Glibc
import SystemPackage

/// A text for an editor, in a new folder that only this user can read.
struct EditorDraft {
  let path: String
  let folder: String

  /// Writes the draft.
  ///
  /// - Parameter name: the name of the file, by which an editor recognizes the format.
  init(_ text: [UInt8], named name: String) throws(Failure) {
    let parent = Environment.value(of: "TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/notes-watch-XXXXXX".utf8CString)  // mkdtemp(3) replaces the six letters.
    guard mkdtemp(&template) != nil else {
      throw Failure(.cannotCreate, "A folder for the text in \(parent)", .current, act: "created")
    }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = "\(folder)/\(name)"
    do throws(Failure) {
      try write(text)
    } catch {
      remove()
      throw error
    }
  }

  private func write(_ text: [UInt8]) throws(Failure) {
    do throws(Errno) {
      try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).write(all: text)
    } catch {
      throw Failure(.cannotCreate, "The file \(path)", error, act: "written")
    }
  }

  /// A sentence that says where the draft is.
  var keptMessage: String { "The text is kept in \(path)." }

  /// Reads the text that the editor left.
  func read(upTo maximum: Int) throws(Failure) -> [UInt8] { try InputFile.read(path, upTo: maximum) }

  /// True if the editor keeps files beside the draft, such as vim's swap file.
  var hasOtherFiles: Bool {
    guard let entries = opendir(folder) else { return false }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      // A backup remains after the editor has ended, so it is not a sign of an open editor.
      if name.starts(with: ".".utf8), name.contains(where: { $0 != UInt8(ascii: ".") }),
        name.suffix(4).starts(with: ".sw".utf8)
      {
        return true
      }
      if name.starts(with: ".#".utf8) { return true }
    }
    return false
  }

  /// Removes the folder if it is empty, and returns true if it is gone.
  func removeEmpty() -> Bool { rmdir(folder) == 0 }

  /// Removes the folder and all files in it.
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
