import Determinism

@testable import APNsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A push to be judged: correct until a test spoils it.
struct Push {
    static let now = Timestamp(unixMilliseconds: 1_790_000_000_000)
    static let token = String(repeating: "0123456789abcdef", count: 4)
    static let id = "123e4567-e89b-12d3-a456-426614174000"
    static let topic = "im.example.messenger"

    var method = "POST"
    var path = "/3/device/\(Push.token)"
    var authorization: String? = "bearer \(ProviderTokenText().text)"
    var topic: String? = Push.topic
    var headers: [(name: String, value: String)] = []
    var body = Array(#"{"push-recipient":"U1","txn-id":"7","aps":{"alert":"x"}}"#.utf8)
    var bodyCount: Int?
    var environment = APNsEnvironment.production
    var connection = 1
    var stream: Int32 = 1
    var clientCertificate: APNsClientCertificate?
    var peer = "127.0.0.1:40000"

    var request: APNsRequest {
        var fields: [(name: String, value: String)] = [
            (":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost"),
        ]
        if let authorization { fields.append(("authorization", authorization)) }
        if let topic { fields.append(("apns-topic", topic)) }
        return APNsRequest(
            head: APNsRequestHead(APNsHeaders(fields + headers)),
            body: body,
            bodyCount: bodyCount,
            environment: environment,
            stream: stream,
            transport: APNsTransport(
                connection: connection,
                peer: peer,
                clientCertificate: clientCertificate
            )
        )
    }

    func receive(
        by gateway: inout APNsGateway,
        fault: APNsFault? = nil,
        at now: Timestamp = Push.now
    ) -> APNsGateway.Outcome {
        var generator = SeededGenerator(seed: 1)
        return gateway.receive(request, fault: fault, now: now, generator: &generator)
    }

    /// The outcome at a fresh gateway.
    func outcome(_ settings: APNsSettings = APNsSettings(), fault: APNsFault? = nil) -> APNsGateway.Outcome {
        var gateway = APNsGateway(settings: settings)
        return receive(by: &gateway, fault: fault)
    }

    /// Status and reason at a fresh gateway, for example `400 BadPriority`.
    func answer(_ settings: APNsSettings = APNsSettings()) -> String { outcome(settings).answer }
}

extension APNsClientCertificate {
    /// A certificate that is good for a day around ``Push/now`` unless told otherwise.
    static func sample(
        userId: String? = Push.topic,
        topics: [String] = [],
        isForSandboxAlone: Bool = false,
        isForProductionAlone: Bool = false,
        validFrom: Timestamp = Push.now.adding(milliseconds: -86_400_000),
        validUntil: Timestamp = Push.now.adding(milliseconds: 86_400_000),
        isTrusted: Bool = true
    ) -> APNsClientCertificate {
        APNsClientCertificate(
            der: [1, 2, 3],
            commonName: "Apple Push Services: \(Push.topic)",
            userId: userId,
            listedTopics: topics,
            allowsSandbox: isForSandboxAlone,
            allowsProduction: isForProductionAlone,
            validFrom: validFrom,
            validUntil: validUntil,
            isTrusted: isTrusted
        )
    }
}

extension APNsGateway.Outcome {
    var answer: String { "\(reply.status)" + (record.reason.map { " \($0)" } ?? "") }
}

/// A provider token, written without any code of the module under test.
struct ProviderTokenText {
    var header = #"{"alg":"ES256","kid":"ABCDE12345"}"#
    var claims = ProviderTokenText.claims(issuedAt: "1790000000")
    var signature = [UInt8](repeating: 7, count: 64)
    var isPlain = false

    static func claims(issuedAt: String, team: String = "TEAM123456") -> String {
        #"{"iss":"\#(team)","iat":\#(issuedAt)}"#
    }

    var text: String {
        [Array(header.utf8), Array(claims.utf8), signature].map(encode).joined(separator: ".")
    }

    private func encode(_ bytes: [UInt8]) -> String {
        let plain = Data(bytes).base64EncodedString()
        guard !isPlain else { return plain }
        return plain.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.map(String.init)
            .joined()
    }
}
