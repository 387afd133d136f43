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

  /// Appends elements a page at a time.
  @inlinable
  mutating func append(contentsOf elements: [Element]) {
    var start = 0
    while start < elements.count {
      // The first element of a page may add a level.
      append(elements[start])
      start += 1
      let end = min(elements.count, start + (1 << Self.elementBits - 1 - (count - 1) & (1 << Self.elementBits - 1)))
      if start < end { root.append(elements[start..<end], at: count, height: height) }
      count += end - start
      start = end
    }
  }
}

extension PagedVector.Page {
  @inlinable
  static func slot(of index: Int, height: Int) -> Int {
    (index >> (PagedVector.elementBits + PagedVector.pageBits * (height - 1))) & (1 << PagedVector.pageBits - 1)
  }

  @inlinable
  func element(at index: Int, height: Int) -> Element {
    if height == 0 { return elements[index & (1 << PagedVector.elementBits - 1)] }
    return withExtendedLifetime(self) {
      var height = height - 1
      var page = pages.address(of: Self.slot(of: index, height: height + 1))
      while height > 0 {
        page = page.pointee.pages.address(of: Self.slot(of: index, height: height))
        height -= 1
      }
      return page.pointee.elements.address(of: index & (1 << PagedVector.elementBits - 1)).pointee
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
  /// Caches the last page, for sequential reads. A reader is for one vector.
  @usableFromInline
  struct Reader: Sendable {
    @usableFromInline var page: [Element] = []
    @usableFromInline var number = -1

    @inlinable
    init() {}

    @inlinable
    mutating func element(at index: Int, of vector: PagedVector) -> Element {
      if index >> PagedVector.elementBits != number {
        number = index >> PagedVector.elementBits
        page = vector.root.page(with: index, height: vector.height)
      }
      return page[index & (1 << PagedVector.elementBits - 1)]
    }
  }
}

extension PagedVector.Page {
  @inlinable
  func page(with index: Int, height: Int) -> [Element] {
    if height == 0 { return elements }
    return pages[Self.slot(of: index, height: height)].page(with: index, height: height - 1)
  }
}
