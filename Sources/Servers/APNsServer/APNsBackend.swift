public import APNsRules
public import FaultRules

/// The world behind an APNs server; called on the server's loop thread.
public protocol APNsBackend: AnyObject, Sendable {
    /// What is set of the gateway; asked for at the start of each connection.
    var gatewaySettings: APNsSettings { get }
    /// Whether any fault rule exists; while none does, ``decide(_:)`` is not called.
    var hasFaults: Bool { get }
    /// The fault that strikes a push, if any.
    func decide(_ request: FaultRequest) -> FaultDecision?
    /// Judges and records a push: ``APNsGateway/receive(_:fault:now:generator:)`` under the world's lock.
    func receive(_ request: APNsRequest, fault: APNsFault?) -> APNsReply
    /// Takes note of so many pushes that were answered together, and how long after they came, in nanoseconds.
    func noteAnswers(_ count: Int, after nanoseconds: Int64)
    /// Takes note of a client that could not push, and why; some times a second at most.
    func turnedAway(_ refusal: ClientRefusal)
    /// Runs an action, on any thread, once all that was recorded so far is kept; at once where nothing is kept.
    func afterDurable(_ action: @escaping @Sendable () -> Void)
}

extension APNsBackend {
    /// Times are not noted.
    public func noteAnswers(_ count: Int, after nanoseconds: Int64) {}
}
