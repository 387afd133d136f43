/// An array whose copies share pages. Reading and replacing an element cost O(log32 n), and so does
/// the first write to a copy.
///
/// Pages are plain values that contain arrays, so the arrays implement copy-on-write, and no
/// references are managed here.
@usableFromInline
struct PagedVector<Element: Sendable>: Sendable {
  @usableFromInline
  struct Page: Sendable {
    @usableFromInline var elements: [Element] = []
    @usableFromInline var pages: [Page] = []

    @inlinable init() {}
  }

  @usableFromInline var root = Page()
  @usableFromInline var count = 0
  /// The number of levels of pages above the elements.
  @usableFromInline var height = 0

  @inlinable init() {}

  @usableFromInline static var elementBits: Int { 6 }
  @usableFromInline static var pageBits: Int { 5 }

  @inlinable
  subscript(index: Int) -> Element {
    get { root.element(at: index, height: height) }
    set { root.replace(at: index, height: height, by: newValue) }
  }

  @inlinable
  mutating func append(_ element: Element) {
    if count == 1 << (Self.elementBits + Self.pageBits * height) {
      var top = Page()
      top.pages = [root]
      root = top
      height += 1
    }
    root.append(element, at: count, height: height)
    count += 1
  }

  @inlinable
  mutating func append(contentsOf elements: [Element]) {
    var start = 0
    while start < elements.count {
      // The first element of a page may add a level.
      append(elements[start])
      start += 1
      let end = min(
        elements.count, start + (1 << Self.elementBits - 1 - (count - 1) & (1 << Self.elementBits - 1)))
      if start < end { root.append(elements[start..<end], at: count, height: height) }
      count += end - start
      start = end
    }
  }
}

extension PagedVector.Page {
  @inlinable
  static func slot(of index: Int, height: Int) -> Int {
    (index >> (PagedVector.elementBits + PagedVector.pageBits * (height - 1)))
      & (1 << PagedVector.pageBits - 1)
  }

  @inlinable
  func element(at index: Int, height: Int) -> Element {
    if height == 0 { return elements[index & (1 << PagedVector.elementBits - 1)] }
    return withExtendedLifetime(self) {
      page(with: index, height: height).pointee.elements.address(
        of: index & (1 << PagedVector.elementBits - 1)
      ).pointee
    }
  }

  @inlinable
  mutating func replace(at index: Int, height: Int, by element: Element) {
    if height == 0 {
      elements[index & (1 << PagedVector.elementBits - 1)] = element
    } else {
      pages[Self.slot(of: index, height: height)].replace(at: index, height: height - 1, by: element)
    }
  }

  @inlinable
  mutating func append(_ element: Element, at index: Int, height: Int) {
    if height == 0 {
      // Growth by doubling would leave up to half of a full page unused.
      if elements.isEmpty, index > 0 { elements.reserveCapacity(1 << PagedVector.elementBits) }
      elements.append(element)
      return
    }
    let slot = Self.slot(of: index, height: height)
    if slot == pages.count { pages.append(PagedVector.Page()) }
    pages[slot].append(element, at: index, height: height - 1)
  }

  /// Appends elements to the page of the last one, which has room for them.
  @inlinable
  mutating func append(_ new: ArraySlice<Element>, at index: Int, height: Int) {
    if height == 0 {
      elements += new
    } else {
      pages[Self.slot(of: index, height: height)].append(new, at: index, height: height - 1)
    }
  }
}

extension PagedVector {
  /// Reads elements of a vector and remembers the last page, for elements that are mostly neighbours.
  ///
  /// Unchecked because of the address. It points into the vector, which the reader holds, so nobody
  /// changes what is there.
  @usableFromInline
  struct Reader: @unchecked Sendable {  // The address points into the vector that it holds.
    @usableFromInline let vector: PagedVector
    @usableFromInline var page: UnsafePointer<Page>?
    @usableFromInline var number = -1

    @inlinable
    init(_ vector: PagedVector) { self.vector = vector }

    @inlinable
    mutating func element(at index: Int) -> Element {
      if index >> PagedVector.elementBits == number, let page {
        return page.pointee.elements.address(of: index & (1 << PagedVector.elementBits - 1)).pointee
      }
      guard vector.height > 0 else { return vector.root.elements[index] }
      let found = vector.root.page(with: index, height: vector.height)
      page = found
      number = index >> PagedVector.elementBits
      return found.pointee.elements.address(of: index & (1 << PagedVector.elementBits - 1)).pointee
    }
  }

  /// Reads elements in any order, for so many that listing all pages first is cheaper than finding
  /// each page.
  ///
  /// The addresses point into the vector, which this holds.
  @usableFromInline
  struct RandomReader {
    @usableFromInline let vector: PagedVector
    @usableFromInline var pages: [UnsafePointer<Page>] = []

    @inlinable
    init(_ vector: PagedVector) {
      self.vector = vector
      if vector.height == 0 { return }
      for start in stride(from: 0, to: vector.count, by: 1 << PagedVector.elementBits) {
        pages.append(vector.root.page(with: start, height: vector.height))
      }
    }

    @inlinable
    func element(at index: Int) -> Element {
      if pages.isEmpty { return vector.root.elements[index] }
      return pages[index >> PagedVector.elementBits].pointee.elements.address(
        of: index & (1 << PagedVector.elementBits - 1)
      ).pointee
    }
  }
}

extension PagedVector.Page {
  /// Returns the address of the page with an element, below this page.
  @inlinable
  func page(with index: Int, height: Int) -> UnsafePointer<Self> {
    var height = height - 1
    var page = pages.address(of: Self.slot(of: index, height: height + 1))
    while height > 0 {
      page = page.pointee.pages.address(of: Self.slot(of: index, height: height))
      height -= 1
    }
    return page
  }
}

extension Array {
  /// Returns the address of an element, which is valid as long as the array exists and is not changed.
  ///
  /// Reading a part of an element through it counts no references. A subscript would retain the
  /// arrays in the element, which costs more than the read.
  @inlinable
  func address(of index: Int) -> UnsafePointer<Element> {
    withUnsafeBufferPointer { elements in
      guard elements.indices.contains(index), let first = elements.baseAddress else {
        preconditionFailure("The index \(index) is out of range.")
      }
      return first + index
    }
  }
}

/// Assigns small numbers, reuses released ones, and stores one value below 2^31 per number in use.
///
/// Released numbers form a linked list through their own entries, so a pool shares structure as its
/// vector does.
@usableFromInline
struct NumberPool: Sendable {
  private static let freeBit: UInt32 = 1 << 31
  /// The value for "no number", also the end of the list of free numbers.
  static let none: UInt32 = freeBit - 1

  private var entries = PagedVector<UInt32>()
  private var firstFree = Self.none

  /// One more than the highest number assigned so far.
  var limit: Int { entries.count }

  subscript(number: UInt32) -> UInt32 {
    get { entries[Int(number)] }
    set { entries[Int(number)] = newValue }
  }

  /// The elements by their numbers, with those of released numbers. Setting them makes new pages, which no
  /// copy shares. O(n).
  var values: [UInt32] {
    get {
      var reader = PagedVector<UInt32>.Reader(entries)
      return (0..<entries.count).map { reader.element(at: $0) }
    }
    set {
      entries = PagedVector()
      entries.append(contentsOf: newValue)
    }
  }

  func isInUse(_ number: UInt32) -> Bool {
    Int(number) < entries.count && entries[Int(number)] & Self.freeBit == 0
  }

  mutating func allocate(_ value: UInt32) -> UInt32 {
    guard firstFree != Self.none else {
      entries.append(value)
      return UInt32(entries.count - 1)
    }
    let number = firstFree
    firstFree = entries[Int(number)] & ~Self.freeBit
    entries[Int(number)] = value
    return number
  }

  /// Allocates numbers for values. No number may have been released before.
  mutating func allocate(_ values: [UInt32]) {
    entries.append(contentsOf: values)
  }

  mutating func release(_ number: UInt32) {
    entries[Int(number)] = firstFree | Self.freeBit
    firstFree = number
  }
}
