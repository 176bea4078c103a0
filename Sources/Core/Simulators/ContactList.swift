import AdamantModel
import JSONValue

/// The names that an account gave to its partners, as its apps keep them on the chain, sealed for itself.
///
/// - Source: adamant-iOS:NotificationServiceExtension, step "contact_list"; adamant-im:src/store/modules/partners
struct ContactList: Sendable {
    /// The key they are stored under.
    static let key = "contact_list"

    private var names: [String: String] = [:]

    /// Nobody has a name.
    init() {}

    /// Reads a stored value; what is not readable leaves partners without a name.
    init(value: String, of owner: KeyPair, cryptography: some Cryptography) {
        let payload = KVSBox(value: value)?.open(privateKey: owner.privateKey, cryptography: cryptography)
        for member in payload?.objectValue?.members ?? [] {
            guard let name = member.value["displayName"]?.stringValue, !name.isEmpty else { continue }
            names[member.key] = name
        }
    }

    /// The name of a partner; nil where there is none.
    func name(of address: String) -> String? { names[address] }
}
