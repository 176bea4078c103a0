import AdamantModel
import JSONValue
import SystemCryptography
import WorldRuntime

/// What `GET /v1/world` says, as the commands need it.
struct WorldAddresses: Sendable {
    /// One node.
    struct Node: Sendable, Equatable {
        let name: String
        let url: String
        let socketURL: String
        /// Empty where the node speaks no TLS.
        let tlsURL: String
        let version: String
    }

    /// The whole document.
    let document: JSONValue
    let nodes: [Node]

    init(_ document: JSONValue) {
        self.document = document
        nodes = (document["nodes"]?.arrayValue ?? []).map { node in
            Node(
                name: node["name"]?.stringValue ?? "",
                url: node["url"]?.stringValue ?? "",
                socketURL: node["socketUrl"]?.stringValue ?? "",
                tlsURL: node["tlsUrl"]?.stringValue ?? "",
                version: node["version"]?.stringValue ?? ""
            )
        }
    }

    var production: String { text("apns", "production") }
    var sandbox: String { text("apns", "sandbox") }
    /// Empty where there is none.
    var proxy: String { document["proxy"]?.stringValue ?? "" }
    var control: String { document["control"]?.stringValue ?? "" }
    var caFile: String { document["caFile"]?.stringValue ?? "" }
    var ansAddress: String { text("ans", "address") }
    var ansPublicKey: String { text("ans", "publicKey") }
    /// Empty where nobody here has it.
    var ansPassphrase: String { text("ans", "passphrase") }

    /// The 128 hexadecimal digits that the C# service wants; empty where nobody here has the passphrase.
    var ansPrivateKey: String {
        if let told = document["ans"]?["privateKey"]?.stringValue { return told }
        guard !ansPassphrase.isEmpty,
            let keys = KeyPair(phrase: ansPassphrase, cryptography: SystemCryptography())
        else { return "" }
        return Hex.encode(keys.privateKey)
    }

    /// The variables that tell a program where everything is.
    var variables: [(name: String, value: String)] {
        [
            ("MOCKNET_NODE_URL", nodes.first?.url ?? ""),
            ("MOCKNET_NODE_URLS", nodes.map(\.url).joined(separator: ",")),
            ("MOCKNET_NODE_TLS_URL", nodes.first?.tlsURL ?? ""),
            ("MOCKNET_NODE_TLS_URLS", nodes.map(\.tlsURL).filter { !$0.isEmpty }.joined(separator: ",")),
            ("MOCKNET_SOCKET_URL", nodes.first?.socketURL ?? ""),
            ("MOCKNET_APNS_URL", production),
            ("MOCKNET_APNS_SANDBOX_URL", sandbox),
            ("MOCKNET_PROXY_URL", proxy),
            ("MOCKNET_CONTROL_URL", control),
            ("MOCKNET_CA_FILE", caFile),
            ("MOCKNET_ANS_ADDRESS", ansAddress),
            ("MOCKNET_ANS_PUBLIC_KEY", ansPublicKey),
            ("MOCKNET_ANS_PASSPHRASE", ansPassphrase),
            ("MOCKNET_ANS_PRIVATE_KEY", ansPrivateKey),
        ]
    }

    /// The same world as seen from where loopback is another machine: by a name or address of this one.
    func reached(by host: String) -> WorldAddresses {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return WorldAddresses(Self.replacingLoopback(in: document, by: host))
    }

    private static func replacingLoopback(in value: JSONValue, by host: String) -> JSONValue {
        switch value {
        case .string(let text):
            let start = ["http://127.0.0.1:", "https://127.0.0.1:"].first { text.hasPrefix($0) }
            guard let start else { return value }
            let scheme = start.prefix { $0 != ":" }
            return .string("\(scheme)://\(host):" + text.dropFirst(start.count))
        case .array(let elements): return .array(elements.map { replacingLoopback(in: $0, by: host) })
        case .object(let object):
            return .object(
                JSONObject(object.members.map { ($0.key, replacingLoopback(in: $0.value, by: host)) })
            )
        case .null, .bool, .number: return value
        }
    }

    private func text(_ outer: String, _ inner: String) -> String {
        document[outer]?[inner]?.stringValue ?? ""
    }
}
