import Determinism

/// How long a fault waits, drawn anew for each firing.
enum FaultDelay: Sendable, Equatable {
    case none
    case fixed(milliseconds: Int)
    case uniform(minMilliseconds: Int, maxMilliseconds: Int)
    case logNormal(medianMilliseconds: Double, sigma: Double)

    /// The members that describe a delay.
    static let members = [
        "milliseconds", "minMilliseconds", "maxMilliseconds", "medianMilliseconds", "sigma",
    ]
    /// Longest delay: an hour.
    static let maximumMilliseconds = 3_600_000
    /// Largest sigma; e^10 is beyond any use.
    private static let maximumSigma = 10.0

    /// Reads the members of a delay from those of an effect.
    init(_ reader: MemberReader) throws(FaultRuleError) {
        let range = 0...Int64(Self.maximumMilliseconds)
        let fixed = try reader.integer("milliseconds", in: range)
        let minimum = try reader.integer("minMilliseconds", in: range)
        let maximum = try reader.integer("maxMilliseconds", in: range)
        let median = try reader.number("medianMilliseconds", in: 0...Double(Self.maximumMilliseconds))
        let sigma = try reader.number("sigma", in: 0...Self.maximumSigma)
        let forms = [fixed != nil, minimum != nil || maximum != nil, median != nil || sigma != nil]
        guard forms.count(where: { $0 }) <= 1 else {
            let message =
                "give milliseconds, or minMilliseconds and maxMilliseconds, or medianMilliseconds and sigma"
            throw reader.error(Self.members.last(where: reader.has) ?? "milliseconds", message)
        }
        if let fixed {
            self = .fixed(milliseconds: Int(fixed))
        } else if forms[1] {
            guard let minimum else { throw reader.error("minMilliseconds", "is missing") }
            guard let maximum else { throw reader.error("maxMilliseconds", "is missing") }
            guard minimum <= maximum else {
                throw reader.error("maxMilliseconds", "must not be less than minMilliseconds")
            }
            self = .uniform(minMilliseconds: Int(minimum), maxMilliseconds: Int(maximum))
        } else if forms[2] {
            guard let median else { throw reader.error("medianMilliseconds", "is missing") }
            guard let sigma else { throw reader.error("sigma", "is missing") }
            self = .logNormal(medianMilliseconds: median, sigma: sigma)
        } else {
            self = .none
        }
    }

    /// The delay for a draw in [0, 1), which is made where it is needed.
    func milliseconds(draw: () -> Double) -> Int {
        switch self {
        case .none: return 0
        case .fixed(let milliseconds): return milliseconds
        case .uniform(let minimum, let maximum):
            let width = Double(maximum - minimum + 1)
            return min(maximum, minimum + Int(draw() * width))
        case .logNormal(let median, let sigma):
            let value = median * LogNormal.factor(draw: draw(), sigma: sigma)
            return Int(min(value, Double(Self.maximumMilliseconds)).rounded())
        }
    }
}
