/// The keys that are known, by their ids.
struct ProviderKeys: Sendable {
    private var keys: [String: ProviderKey] = [:]

    var isEmpty: Bool { keys.isEmpty }
    /// The keys in the order of their ids.
    var all: [ProviderKey] { keys.values.sorted { $0.keyId < $1.keyId } }

    subscript(keyId: String) -> ProviderKey? {
        get { keys.isEmpty ? nil : keys[keyId] }
        set { keys[keyId] = newValue }
    }
}
