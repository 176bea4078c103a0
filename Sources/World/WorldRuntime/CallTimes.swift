import NodeServer

/// How long nodes took for calls, by node, by what the calls were about, and whether they posted something.
struct CallTimes: Sendable {
    /// In the order of nodes, and of groups in each; nil where there was no call yet.
    private var histograms: [Histogram?] = []

    /// Counts a call.
    mutating func note(_ time: CallTime) {
        let place = (time.node * RouteGroup.allCases.count + time.group.rawValue) * 2 + (time.isPost ? 1 : 0)
        while histograms.count <= place { histograms.append(nil) }
        if histograms[place] == nil { histograms[place] = Histogram(.answers) }
        histograms[place]?.note(nanoseconds: time.nanoseconds)
    }

    /// What was counted, in one order.
    var all: [(node: Int, group: RouteGroup, isPost: Bool, times: Histogram)] {
        histograms.enumerated().compactMap { place, times in
            guard let times, let group = RouteGroup(rawValue: place / 2 % RouteGroup.allCases.count) else {
                return nil
            }
            return (place / 2 / RouteGroup.allCases.count, group, place % 2 == 1, times)
        }
    }
}
