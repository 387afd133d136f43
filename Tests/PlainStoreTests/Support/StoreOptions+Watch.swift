@testable import Store
import Watch

extension StoreOptions {
  init(watch: WatchOptions) {
    self.init()
    self.watch = watch
  }

  init(readers: Int, onProgress: @escaping @Sendable (_ filesRead: Int) -> Void) {
    self.init(onProgress: onProgress)
    self.readers = readers
  }
}
