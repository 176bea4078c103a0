import Determinism
import HTTPClient
import JSONValue
import OpenSSLCrypto
import SimulatorDrivers

/// Pushes to APNs over HTTP/2, as a service does that alerts its own users.
final class DirectPusher: Sendable {
    private static let keyId = "SCENARIO01"
    private static let teamId = "MOCKNETRUN"

    private let hosts: [String: String]
    private let client: HTTPClient
    private let key = try? P256PrivateKey()

    /// - Parameter world: what `GET /v1/world` says.
    init(world: JSONValue) {
        hosts = ["production", "sandbox"].reduce(into: [:]) { hosts, name in
            hosts[name] = world["apns"]?[name]?.stringValue
        }
        client = HTTPClient(
            options: HTTPClient.Options(caFile: world["caFile"]?.stringValue, httpVersion: .http2)
        )
    }

    /// Sends one push and tells the answer: `status`, `reason` and `apnsId`.
    ///
    /// The provider token tells `now`, the world's time.
    func push(
        _ payload: JSONValue,
        token: String,
        headers: [(name: String, value: String)],
        environment: String,
        now: Timestamp
    ) throws(ControlFailure) -> JSONValue {
        let authorization = "bearer " + (try providerToken(now))
        let request = HTTPClientRequest(
            method: "POST",
            url: (hosts[environment] ?? "") + "/3/device/" + token,
            headers: [("authorization", authorization)] + headers,
            body: payload.bytes
        )
        do throws(HTTPClientError) {
            let response = try client.send(request)
            let body = (try? JSONValue(parsing: response.body)) ?? .null
            return [
                "status": .int(response.status), "reason": body["reason"] ?? .null,
                "timestamp": body["timestamp"] ?? .null, "apnsId": .optional(response.header("apns-id")),
            ]
        } catch {
            return ["status": .null, "reason": .string("\(error)"), "apnsId": .null]
        }
    }

    private func providerToken(_ now: Timestamp) throws(ControlFailure) -> String {
        guard let key else { throw ControlFailure(message: "OpenSSL gives no key for provider tokens") }
        return ProviderToken.make(
            keyId: Self.keyId,
            teamId: Self.teamId,
            issuedAt: now.unixMilliseconds / 1000,
            signer: { message in (try? key.signature(of: message)) ?? [] }
        )
    }
}
