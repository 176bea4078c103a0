/// The names of Apple's hosts.
public enum APNsNames {
    /// Server names that select the sandbox on any port.
    public static let sandbox = ["api.sandbox.push.apple.com", "api.development.push.apple.com"]

    /// The DNS names and addresses that the server's certificate carries, so that every client can be redirected.
    ///
    /// - Source: Apple, Sending notification requests to APNs; the older host is still compiled into clients
    public static let certificateNames = [
        "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com", "localhost", "127.0.0.1",
        "::1",
    ]
}
