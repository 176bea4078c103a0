/// One of Apple's two push services, each with device tokens of its own.
public enum APNsEnvironment: String, Sendable, CaseIterable {
    /// `api.push.apple.com`
    case production
    /// `api.sandbox.push.apple.com`
    case sandbox
}
