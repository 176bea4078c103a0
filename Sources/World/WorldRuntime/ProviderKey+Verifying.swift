import APNsRules
import OpenSSLCrypto

/// Checks signatures with OpenSSL.
private struct P256Verifier: ProviderKeyVerifier {
    let key: P256PublicKey

    func isValid(signature: [UInt8], message: [UInt8]) -> Bool {
        key.isValid(signature: signature, message: message)
    }
}

extension ProviderKey {
    /// The key with what checks its signatures; nil when its public half is no P-256 key.
    var readyToVerify: ProviderKey? {
        guard let publicKeyPEM else { return self }
        guard let key = try? P256PublicKey(pem: publicKeyPEM) else { return nil }
        var ready = self
        ready.verifier = P256Verifier(key: key)
        return ready
    }

    /// The public half, as PEM text, of PEM text that holds a public or a private key; nil for anything else.
    static func publicHalf(ofPEM text: String) -> String? {
        if let key = try? P256PublicKey(pem: text) { return try? key.pem() }
        return try? P256PrivateKey(pem: text).publicKey().pem()
    }
}
