import JSONValue

/// What a kept world was made with and stays the same for good.
struct KeptConfiguration: Sendable, Equatable {
    /// The key under which a world's log holds it.
    static let key = "configuration"

    let startHeight: Int
    let nodeCount: Int
    let accounts: [WorldConfiguration.Account]
    let ansPassphrase: String?
    let foreignANSAddress: String?

    /// What is to be kept of a configuration.
    init(_ configuration: WorldConfiguration) {
        startHeight = configuration.startHeight
        nodeCount = configuration.nodeCount
        accounts = configuration.extraAccounts
        ansPassphrase = configuration.ansPassphrase
        foreignANSAddress = configuration.foreignANSAddress
    }

    /// What ``text`` holds; nil for any other text.
    init?(_ text: String) {
        guard let json = try? JSONValue(parsing: Array(text.utf8)),
            let accounts = json["accounts"]?.arrayValue,
            let startHeight = json["startHeight"]?.intValue.flatMap({ Int(exactly: $0) }),
            let nodeCount = json["nodes"]?.intValue.flatMap({ Int(exactly: $0) }),
            (1...WorldConfiguration.maximumStartHeight).contains(startHeight),
            (1...WorldConfiguration.maximumNodes).contains(nodeCount)
        else { return nil }
        self.startHeight = startHeight
        self.nodeCount = nodeCount
        self.accounts = accounts.compactMap { WorldConfiguration.Account(kept: $0) }
        ansPassphrase = json["ansPassphrase"]?.stringValue
        foreignANSAddress = json["foreignANS"]?.stringValue
        guard self.accounts.count == accounts.count else { return nil }
    }

    var text: String {
        let json: JSONValue = [
            "startHeight": .int(startHeight), "nodes": .int(nodeCount),
            "accounts": .array(accounts.map(\.kept)), "ansPassphrase": .optional(ansPassphrase),
            "foreignANS": .optional(foreignANSAddress),
        ]
        return json.text
    }

    /// The configuration under which the kept world goes on: what was not given is as it was.
    func resumed(by given: WorldConfiguration, place: String) throws(WorldError) -> WorldConfiguration {
        let standard = WorldConfiguration()
        if given.startHeight != standard.startHeight, given.startHeight != startHeight {
            throw WorldError("\(place) begins at height \(startHeight), not at \(given.startHeight)")
        }
        if given.nodeCount != standard.nodeCount, given.nodeCount != nodeCount {
            throw WorldError("\(place) has \(nodeCount) nodes, not \(given.nodeCount)")
        }
        for account in given.extraAccounts where !accounts.contains(where: { $0.isGranted(as: account) }) {
            let name = account.name.map { " '\($0)'" } ?? ""
            throw WorldError(
                "\(place) was made without the account\(name) given, or with another balance for it"
            )
        }
        if let phrase = given.ansPassphrase, phrase != ansPassphrase {
            throw WorldError("\(place) was made with another account of the ANS than --ans-account gives")
        }
        if let address = given.foreignANSAddress, address != foreignANSAddress {
            let made = foreignANSAddress.map { "the foreign ANS \($0)" } ?? "an ANS of its own"
            throw WorldError("\(place) was made with \(made), not with --foreign-ans \(address)")
        }
        var configuration = given
        configuration.startHeight = startHeight
        configuration.nodeCount = nodeCount
        configuration.extraAccounts = accounts
        configuration.ansPassphrase = ansPassphrase
        configuration.foreignANSAddress = foreignANSAddress
        return configuration
    }
}

extension WorldConfiguration.Account {
    fileprivate init?(kept json: JSONValue) {
        guard let passphrase = json["passphrase"]?.stringValue,
            let amount = json["amount"]?.stringValue.flatMap({ UInt64($0) })
        else { return nil }
        self.init(passphrase: passphrase, name: json["name"]?.stringValue, amountUnits: amount)
    }

    fileprivate var kept: JSONValue {
        [
            "passphrase": .string(passphrase), "name": .optional(name),
            "amount": .string(String(amountUnits)),
        ]
    }

    fileprivate func isGranted(as other: Self) -> Bool {
        passphrase == other.passphrase && amountUnits == other.amountUnits
    }
}
