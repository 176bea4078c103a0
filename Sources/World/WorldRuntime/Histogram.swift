/// How many of some lengths of time were not above each bound.
struct Histogram: Sendable {
    /// Upper bounds in seconds.
    static let bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300]

    /// Not above each bound, and above the one before.
    private(set) var counts = [Int](repeating: 0, count: bounds.count)
    private(set) var total = 0
    private(set) var seconds = 0.0

    /// Counts a length of time.
    mutating func note(milliseconds: Int64) {
        let length = Double(max(0, milliseconds)) / 1000
        if let place = Self.bounds.firstIndex(where: { length <= $0 }) { counts[place] += 1 }
        total += 1
        seconds += length
    }
}
