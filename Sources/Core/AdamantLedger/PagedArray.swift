/// An array in pages: growing never moves what is there, and a copy shares the pages that neither side changes.
struct PagedArray<Element: Sendable>: Sendable {
    private static var shift: Int { 12 }
    private static var pageLength: Int { 1 << shift }

    private var pages: [[Element]] = []
    /// How many elements there are.
    private(set) var count = 0

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        if count & (Self.pageLength - 1) == 0 {
            pages.append([])
            pages[pages.count - 1].reserveCapacity(pages.count > 1 ? Self.pageLength : 64)
        }
        pages[pages.count - 1].append(element)
        count += 1
    }

    /// Shows the first elements alone, or again all of them; none goes, and none may be added before all are shown.
    mutating func show(first count: Int) {
        self.count = count
    }

    /// Takes the last element off; there must be one.
    mutating func removeLast() {
        count -= 1
        if count & (Self.pageLength - 1) == 0 {
            pages.removeLast()
        } else {
            pages[pages.count - 1].removeLast()
        }
    }

    /// The element at an index below ``count``.
    subscript(index: Int) -> Element {
        get { pages[index >> Self.shift][index & (Self.pageLength - 1)] }
        _modify { yield &pages[index >> Self.shift][index & (Self.pageLength - 1)] }
    }

    /// The element at a 32-bit index below ``count``.
    subscript(index: UInt32) -> Element {
        get { self[Int(index)] }
        _modify { yield &self[Int(index)] }
    }

    /// The last element.
    var last: Element? { count == 0 ? nil : self[count - 1] }
}
