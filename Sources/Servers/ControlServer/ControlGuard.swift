/// Who may call: the rules against DNS rebinding, cross-site calls and strangers.
struct ControlGuard: Sendable {
    /// The bearer token that calls must carry; nil when listening on loopback only.
    let token: String?

    /// Lets a call pass or says why not.
    ///
    /// - Parameters:
    ///   - isOpen: whether the route answers without the token.
    ///   - header: the value of a header of the call.
    /// - Throws: ``ControlError`` with 401 without the token, with 403 for a foreign host or origin.
    func check(isOpen: Bool, header: (String) -> String?) throws(ControlError) {
        let carriesToken = token != nil && header("Authorization").map(isBearer) == true
        if let token, !token.isEmpty, !carriesToken, !isOpen {
            throw ControlError(
                status: 401,
                code: "unauthorized",
                message: "this control API needs its token: Authorization: Bearer <control token>"
            )
        }
        guard carriesToken || (isOpen && token != nil) || header("Host").map(Self.isLoopback) != false else {
            throw ControlError(
                status: 403,
                code: "forbiddenHost",
                message: "Host must be a loopback name such as localhost or 127.0.0.1"
            )
        }
        // Whoever follows a link to what tells nothing of the world is welcome.
        guard !isOpen || header("Sec-Fetch-Mode") != "navigate" else { return }
        try checkOrigin(header: header)
    }

    private func checkOrigin(header: (String) -> String?) throws(ControlError) {
        if let origin = header("Origin"), origin != "http://" + (header("Host") ?? "") {
            throw ControlError(
                status: 403,
                code: "forbiddenOrigin",
                message: "calls from pages of another origin are refused"
            )
        }
        if let site = header("Sec-Fetch-Site"), site != "same-origin", site != "none" {
            throw ControlError(
                status: 403,
                code: "forbiddenOrigin",
                message: "calls from pages of another site are refused"
            )
        }
    }

    /// Compares in a time that does not depend on how much of the token fits.
    private func isBearer(_ value: String) -> Bool {
        let expected = Array(("bearer " + (token ?? "")).utf8)
        var given = Array(value.utf8)
        guard given.count == expected.count else { return false }
        for index in 0..<min(7, given.count) where (65...90).contains(given[index]) { given[index] |= 0x20 }
        return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether a `Host` value names this machine.
    static func isLoopback(_ host: String) -> Bool {
        let lower = host.lowercased()
        let name: Substring
        if lower.hasPrefix("[") {
            guard let end = lower.firstIndex(of: "]") else { return false }
            name = lower[lower.index(after: lower.startIndex)..<end]
        } else {
            name = lower.prefix { $0 != ":" }
        }
        if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
