/// The ports of a world's listeners; 0 takes a free one.
struct PortAssignment: Sendable {
    let control: UInt16
    let nodes: [UInt16]
    let sockets: [UInt16]
    /// Empty unless the nodes speak TLS too.
    let secureNodes: [UInt16]
    let apnsProduction: UInt16
    let apnsSandbox: UInt16

    /// The ports of a plan; fails when they do not fit below 65536.
    init(_ plan: WorldConfiguration.PortPlan, nodes count: Int, withTLS: Bool = false) throws(WorldError) {
        switch plan {
        case .free:
            control = 0
            nodes = Array(repeating: 0, count: count)
            sockets = nodes
            apnsProduction = 0
            apnsSandbox = 0
        case .standard:
            control = 36_600
            nodes = (0..<count).map { UInt16(36_666 + 10 * $0) }
            sockets = nodes.map { $0 + Self.socketOffset }
            apnsProduction = 2197
            apnsSandbox = 2198
        case .base(let base):
            let highest = Int(base) + 66 + 10 * (count - 1) + Int(Self.secureOffset)
            guard base > 0, highest <= Int(UInt16.max) else {
                throw WorldError(
                    "--port-base \(base) leaves no room for \(count) nodes below 65536",
                    exitCode: 64
                )
            }
            control = base
            nodes = (0..<count).map { base + 66 + 10 * UInt16($0) }
            sockets = nodes.map { $0 + Self.socketOffset }
            apnsProduction = base + 20
            apnsSandbox = base + 21
        }
        secureNodes = withTLS ? nodes.map { $0 == 0 ? 0 : $0 + Self.secureOffset } : []
    }

    /// What a node's Socket.IO port lies above its HTTP port.
    private static let socketOffset: UInt16 = 2
    /// What a node's TLS port lies above its HTTP port.
    private static let secureOffset: UInt16 = 3
}
