public import Foundation

/// A world's addresses, accounts and keys.
public struct WorldDescription: Sendable, Codable {
    /// `default`, or the id of a further world.
    public let id: String
    /// The seed of all its draws.
    public let seed: UInt64
    /// Whether every port answers.
    public let ready: Bool
    /// The height of its chain.
    public let height: Int
    /// Its nodes, in order.
    public let nodes: [NodeAddress]
    /// Its APNs.
    public let apns: APNsAddresses
    /// The proxy that leads Apple's names to APNs, with `--proxy`.
    public let proxy: URL?
    /// The control API.
    public let control: URL
    /// The certificate of the authority behind APNs and the nodes' TLS, in PEM.
    public let caFile: String
    /// The notification service's account.
    public let ans: ServiceAccount
    /// The accounts whose pass phrases are known.
    public let accounts: [Account]

    /// Where a node is.
    public struct NodeAddress: Sendable, Codable {
        /// Its name, such as `alpha`.
        public let name: String
        /// Its HTTP API.
        public let url: URL
        /// Its Socket.IO server.
        public let socketUrl: URL?
        /// Its HTTPS address, with `--node-tls`.
        public let tlsUrl: URL?
        /// The version it reports.
        public let version: String
    }

    /// Where APNs is.
    public struct APNsAddresses: Sendable, Codable {
        /// Its production environment.
        public let production: URL
        /// Its sandbox.
        public let sandbox: URL
    }

    /// The notification service's account; of a foreign one only the address is known.
    public struct ServiceAccount: Sendable, Codable {
        /// Where signals go.
        public let address: String
        /// The key that signals are sealed for, 64 hex digits.
        public let publicKey: String?
        /// Its pass phrase.
        public let passphrase: String?
        /// Its private key, 128 hex digits.
        public let privateKey: String?
    }

    /// An account by its name, such as `alice`.
    public func account(_ name: String) -> Account? { accounts.first { $0.name == name } }
}

/// An account; what nobody here knows of it is nil.
public struct Account: Sendable, Codable {
    /// What the world calls it.
    public let name: String?
    /// `U` and digits.
    public let address: String
    /// 64 hex digits.
    public let publicKey: String?
    /// A BIP-39 phrase of 12 words.
    public let passphrase: String?
    /// In units of 1e-8 ADM.
    public let balance: String
}

/// Another world of the same process.
public struct FurtherWorld: Sendable, Codable {
    /// Its name below `/worlds/`.
    public let id: String
    /// Its control API.
    public let control: URL
}
