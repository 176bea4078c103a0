public import AdamantLedger
import JSONValue

extension NodeCall {
    /// What a call of a list of transactions asked for; nil for any other call, and for one that a node refuses.
    ///
    /// Read when somebody wants to know: taking a call down costs no more than its text.
    public func query(profile: NodeProfile) -> TransactionQuery? {
        guard method == "GET" else { return nil }
        var path = path.lowercased()
        if path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        let parameters = QueryString.parameters(query)
        do throws(NodeRefusal) {
            switch path {
            case "/api/chats/get": return try ChatListRequest.parse(parameters, profile: profile)
            case "/api/transactions": return try TransactionListRequest.parse(parameters, profile: profile)
            default: return nil
            }
        } catch {
            return nil
        }
    }
}
