import Files
import Glibc

/// The examples in the documentation comments of `Files`, copied line by line.
struct FilesExamples {
  // Files/Paths/RelativePath.swift
  func relativePath(_ root: Int32) {
    let path = RelativePath(bytes: Array("friends/50%.yaml".utf8))
    print(path)  // friends/50%25.yaml
    print(path.name, path.parent ?? .root)  // 50%25.yaml friends
    _ = path.withCString { unlinkat(root, $0, 0) }  // the file's true name
  }
}
