import HTTPDaemon

extension HTTPRequest {
    private static let overridable: Set<String> = ["GET", "PUT", "PATCH", "DELETE"]

    /// The method that the node's router goes by: a POST may name another one in a field.
    ///
    /// - Source: method-override (`X-HTTP-Method-Override`, POST only), adamant:app.js
    var routedMethod: String {
        guard method == "POST", let name = header("X-HTTP-Method-Override")?.uppercased(),
            Self.overridable.contains(name)
        else { return method }
        return name
    }
}
