import JSONValue

/// What `up` prints once every port answers.
struct Banner {
    let world: WorldAddresses
    let origins: [ConfiguredWorld.Origin]
    let version: String
    /// The token that control calls need; nil for none.
    let controlToken: String?

    /// All lines, the last without `ready`.
    var text: String {
        let seed = world.document["seed"]?.text ?? "?"
        let isGiven = origins.contains { $0.key == "seed" }
        let height = world.document["height"]?.text ?? "?"
        var lines = ["\(version), seed \(seed)\(isGiven ? "" : " (drawn)"), height \(height)", ""]
        lines.append(TextTable.text(["what", "address", ""], addresses, indentation: "  "))
        lines += ["", "  funded accounts"]
        lines.append(
            TextTable.text(["name", "address", "balance", "passphrase"], accounts, indentation: "  ")
        )
        lines += ["", "  notification service (ANS)"]
        lines += service.map { "  " + padded($0.0, to: 11) + $0.1 }
        if !origins.isEmpty {
            lines += ["", "  not by default"]
            lines += origins.map { origin in
                "  \(origin.key)\(origin.value.map { " " + $0 } ?? "") from \(origin.source)"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var addresses: [[String]] {
        var rows = world.nodes.flatMap { node in
            let secure = node.tlsURL.isEmpty ? [] : [["  TLS", node.tlsURL, "the same, sockets too"]]
            return [
                ["node \(node.name)", node.url, "version \(node.version)"],
                ["  sockets", node.socketURL, "Socket.IO"],
            ] + secure
        }
        rows.append(["APNs", world.production, "production"])
        rows.append(["APNs", world.sandbox, "sandbox"])
        if !world.proxy.isEmpty { rows.append(["proxy", world.proxy, "leads Apple's names to APNs"]) }
        rows.append(["control", world.control, controlToken.map { "bearer token \($0)" } ?? "API below /v1"])
        let token = controlToken.map { "#token=\($0)" } ?? ""
        rows.append(["dashboard", world.control + "/" + token, "everything at a glance"])
        rows.append(["authority", world.caFile, "mocknet ca tells how to trust it"])
        return rows
    }

    private var accounts: [[String]] {
        (world.document["accounts"]?.arrayValue ?? []).map { account in
            [
                TextTable.cell(account, "name"), TextTable.cell(account, "address"),
                TextTable.adm(account, "balance"), TextTable.cell(account, "passphrase"),
            ]
        }
    }

    private var service: [(String, String)] {
        [
            ("address", world.ansAddress),
            ("public key", world.ansPublicKey.isEmpty ? "-" : world.ansPublicKey),
            ("passphrase", world.ansPassphrase.isEmpty ? "-" : world.ansPassphrase),
        ]
    }
}
