/// How many of some lengths of time were not above each of some bounds.
struct Histogram: Sendable {
    /// The bounds of one kind of lengths.
    struct Scale: Sendable {
        /// Upper bounds in nanoseconds.
        fileprivate let nanoseconds: [Int64]
        /// The same in seconds.
        let seconds: [Double]

        private init(microseconds: [Int64]) {
            nanoseconds = microseconds.map { $0 * 1000 }
            seconds = microseconds.map { Double($0) / 1_000_000 }
        }

        /// What a server takes for an answer: 25 us to 10 s.
        static let answers = Scale(
            microseconds: [
                25, 50, 100, 250, 500, 1000, 2500, 10_000, 25_000, 100_000, 250_000, 1_000_000, 2_500_000,
                10_000_000,
            ]
        )
        /// What a message takes from one party to another: 0.1 s to 5 min.
        static let ways = Scale(
            microseconds: [
                100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 20_000_000,
                30_000_000, 60_000_000, 120_000_000, 300_000_000,
            ]
        )
    }

    let scale: Scale
    /// Not above each bound, and above the one before.
    private(set) var counts: [Int]
    private(set) var total = 0
    private(set) var seconds = 0.0

    init(_ scale: Scale) {
        self.scale = scale
        counts = Array(repeating: 0, count: scale.seconds.count)
    }

    /// Counts so many equal lengths of time.
    mutating func note(nanoseconds: Int64, count: Int = 1) {
        if let place = scale.nanoseconds.firstIndex(where: { nanoseconds <= $0 }) {
            counts[place] &+= count
        }
        total &+= count
        seconds += Double(max(0, nanoseconds)) / 1_000_000_000 * Double(count)
    }

    /// Counts a length of time.
    mutating func note(milliseconds: Int64) {
        let (nanoseconds, isLong) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        note(nanoseconds: isLong ? .max : nanoseconds)
    }
}
