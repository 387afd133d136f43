package import Files

/// The bytes of a file at one moment, and the stamp that it had then.
package struct FileVersion: Sendable {
  package let bytes: [UInt8]
  package let stamp: FileStamp

  package init(bytes: [UInt8], stamp: FileStamp) {
    (self.bytes, self.stamp) = (bytes, stamp)
  }
}
