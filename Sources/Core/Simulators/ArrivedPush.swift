import APNsRules

/// Names a push to people and programs.
public struct PushName: Hashable, Sendable {
    /// The id of its record.
    public var id: String
    /// The number of its record.
    public var number: Int

    /// A name.
    public init(id: String, number: Int) {
        self.id = id
        self.number = number
    }
}

/// A push as it reaches a device.
public struct ArrivedPush: Hashable, Sendable {
    /// The payload's bytes, as the provider sent them.
    public var payload: [UInt8]
    /// Its record; nil where there is none.
    public var name: PushName?
    /// The value of `apns-collapse-id`.
    public var collapseId: String?
    /// The value of `apns-priority`.
    public var priority: Int

    /// A push of the usual priority unless told otherwise.
    public init(payload: [UInt8], name: PushName? = nil, collapseId: String? = nil, priority: Int = 10) {
        self.payload = payload
        self.name = name
        self.collapseId = collapseId
        self.priority = priority
    }
}
