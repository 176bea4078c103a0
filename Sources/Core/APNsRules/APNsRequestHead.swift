/// A request's header list with what it tells by itself; one serves all requests that repeat the list.
public final class APNsRequestHead: Sendable {
    /// The header list in order, pseudo-headers included.
    let headers: APNsHeaders
    /// What the path is.
    let path: APNsPath
    /// The rules that the list fails whatever the gateway knows.
    let failedRules: APNsRuleSet

    /// Reads a header list.
    public init(_ headers: APNsHeaders) {
        self.headers = headers
        path = APNsPath(headers)
        var failed = APNsRuleSet()
        HeaderRules.check(headers, fired: &failed)
        switch path {
        case .unknown: failed.insert(.path)
        case .broadcast:
            failed.insert(.path)
            // Some of its calls are not POST.
            failed.remove(.method)
        case .withoutToken: failed.insert(.tokenMissing)
        case .device(let range):
            if !DeviceToken.isWellFormed(headers.bytes, in: range) { failed.insert(.tokenMalformed) }
        }
        failedRules = failed
    }
}
