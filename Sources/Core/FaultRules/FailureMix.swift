public import JSONValue

/// How a node's failures spread over their kinds; the parts add up to 1.
public struct FailureMix: Sendable, Equatable {
    /// Share of answers 503 with the HTML page of a proxy.
    public let status503: Double
    /// Share of resets before anything was processed.
    public let resetBefore: Double
    /// Share of calls never answered and not processed.
    public let timeout: Double
    /// Share of calls that were applied and whose answer was lost by a reset.
    public let resetAfter: Double

    /// Half 503, the rest spread evenly over the others.
    public static let standard = FailureMix(
        unchecked: 0.5,
        resetBefore: 0.5 / 3,
        timeout: 0.5 / 3,
        resetAfter: 0.5 / 3
    )

    private static let names = ["status503", "resetBefore", "timeout", "resetAfter"]
    /// How far the parts may be from adding up to 1.
    private static let tolerance = 1e-6

    private init(unchecked status503: Double, resetBefore: Double, timeout: Double, resetAfter: Double) {
        self.status503 = status503
        self.resetBefore = resetBefore
        self.timeout = timeout
        self.resetAfter = resetAfter
    }

    /// Reads `{"status503": …, "resetBefore": …, "timeout": …, "resetAfter": …}`; an absent part is 0.
    public init(_ value: JSONValue, field: String = "failureMix") throws(FaultRuleError) {
        let reader = try MemberReader(value, at: field)
        try reader.refuseOthers(than: Self.names)
        var parts: [Double] = []
        for name in Self.names { parts.append(try reader.number(name, in: 0...1) ?? 0) }
        let sum = parts.reduce(0, +)
        guard (sum - 1).magnitude <= Self.tolerance else {
            throw FaultRuleError(field: field, message: "the parts must add up to 1, not \(sum)")
        }
        self.init(unchecked: parts[0], resetBefore: parts[1], timeout: parts[2], resetAfter: parts[3])
    }

    /// The mix as JSON.
    public var json: JSONValue {
        .object(
            JSONObject(
                zip(Self.names, [status503, resetBefore, timeout, resetAfter]).map { name, part in
                    (name, JSONNumber(part).map(JSONValue.number) ?? .null)
                }
            )
        )
    }

    /// What the parts call the effect of a failure.
    static func name(of effect: FaultEffect) -> String {
        switch effect {
        case .reset(.before): names[1]
        case .timeout: names[2]
        case .reset(.after): names[3]
        default: names[0]
        }
    }

    /// The effect that a part stands for.
    static func effect(named name: String) -> FaultEffect? {
        switch name {
        case names[0]: .serviceUnavailable
        case names[1]: .reset(.before)
        case names[2]: .timeout(.before, seconds: FaultRule.defaultTimeoutSeconds)
        case names[3]: .reset(.after)
        default: nil
        }
    }

    /// The kind for a draw in [0, 1).
    func effect(draw: Double) -> FaultEffect {
        if draw < status503 { return .serviceUnavailable }
        if draw < status503 + resetBefore { return .reset(.before) }
        if draw < status503 + resetBefore + timeout {
            return .timeout(.before, seconds: FaultRule.defaultTimeoutSeconds)
        }
        // Rounding must not turn a share of 0 into a firing.
        if resetAfter > 0 { return .reset(.after) }
        if timeout > 0 { return .timeout(.before, seconds: FaultRule.defaultTimeoutSeconds) }
        return resetBefore > 0 ? .reset(.before) : .serviceUnavailable
    }
}
