import Determinism
import Threads

/// The certificate authority that the worlds of this machine share.
public enum LocalAuthority {
    /// The path of its certificate, which is made when it is not there yet.
    public static func file(of configuration: WorldConfiguration) throws(WorldError) -> String {
        let store = try CertificateStore(folder: StateFolder.path(of: configuration))
        _ = try store.serverIdentity(now: Timestamp(unixMilliseconds: MachineClock.unixMilliseconds()))
        return store.authorityPath
    }
}
