import Determinism
import JSONValue
import Testing

@testable import APNsRules

@Suite("APNs: provider keys")
struct ProviderKeyTests {
    /// Takes signatures whose bytes are all the same as one, over the text as it was sent.
    private struct Verifier: ProviderKeyVerifier {
        let byte: UInt8

        func isValid(signature: [UInt8], message: [UInt8]) -> Bool {
            signature.allSatisfy { $0 == byte } && message.count { $0 == UInt8(ascii: ".") } == 1
        }
    }

    private static let team = "TEAM123456"
    private static let registered = APNsSettings(credentials: .registeredKeys)

    private static func push(
        key: String = "ABCDE12345",
        team: String = team,
        signedBy byte: UInt8 = 7,
        connection: Int = 1,
        topic: String = Push.topic
    ) -> Push {
        let token = ProviderTokenText(
            header: #"{"alg":"ES256","kid":"\#(key)"}"#,
            claims: ProviderTokenText.claims(issuedAt: "1790000000", team: team),
            signature: [UInt8](repeating: byte, count: 64)
        )
        return Push(authorization: "bearer \(token.text)", topic: topic, connection: connection)
    }

    private static func gateway(_ settings: APNsSettings, _ keys: [ProviderKey]) -> APNsGateway {
        var gateway = APNsGateway(settings: settings)
        for key in keys { gateway.setKey(key) }
        return gateway
    }

    private static func key(
        _ keyId: String = "ABCDE12345",
        byte: UInt8 = 7,
        environment: APNsEnvironment? = nil,
        topics: [String] = [],
        related: String? = nil,
        state: ProviderKey.State = .active
    ) -> ProviderKey {
        ProviderKey(
            keyId: keyId,
            teamId: team,
            verifier: Verifier(byte: byte),
            environment: environment,
            topics: topics,
            relatedKeyId: related,
            state: state
        )
    }

    @Test("checks the signature with the registered key, and tells exactly what is wrong")
    func checksSignature() {
        var gateway = Self.gateway(Self.registered, [Self.key()])
        #expect(Self.push().receive(by: &gateway).answer == "200")
        for (push, problem) in [
            (Self.push(signedBy: 8), "the signature is not by key ABCDE12345"),
            (Self.push(key: "OTHER12345"), "kid OTHER12345 is not registered"),
            (
                Self.push(team: "OTHERTEAM1", connection: 2),
                "iss OTHERTEAM1 is not TEAM123456, the team of key ABCDE12345"
            ),
        ] {
            let outcome = push.receive(by: &gateway)
            #expect(outcome.answer == "403 InvalidProviderToken")
            #expect(outcome.record.problems == [problem])
        }
        gateway.setKey(ProviderKey(keyId: "ABCDE12345", teamId: Self.team))
        let outcome = Self.push().receive(by: &gateway)
        #expect(outcome.record.problems == ["key ABCDE12345 is registered without its public half"])
    }

    @Test("does not check signatures with any-key, but what is declared of a key")
    func declaresKeys() {
        var gateway = Self.gateway(APNsSettings(), [Self.key(environment: .sandbox)])
        #expect(Self.push(signedBy: 8).receive(by: &gateway).answer == "403 BadEnvironmentKeyInToken")
        var push = Self.push(signedBy: 8)
        push.environment = .sandbox
        #expect(push.receive(by: &gateway).answer == "200")
        #expect(Self.push(key: "OTHER12345", connection: 2).receive(by: &gateway).answer == "200")
    }

    @Test("notices at once that a key was replaced or removed")
    func replaces() {
        var gateway = Self.gateway(Self.registered, [Self.key(byte: 8)])
        #expect(Self.push().receive(by: &gateway).answer == "403 InvalidProviderToken")
        gateway.setKey(Self.key())
        #expect(Self.push().receive(by: &gateway).answer == "200")
        let removals = [gateway.removeKey("ABCDE12345"), gateway.removeKey("ABCDE12345")]
        #expect(removals == [true, false])
        #expect(Self.push().receive(by: &gateway).answer == "403 InvalidProviderToken")
    }

    @Test("spells the reason for the other environment's key as on the wire, or as on Apple's page")
    func spells() {
        var gateway = Self.gateway(Self.registered, [Self.key(environment: .sandbox)])
        let outcome = Self.push().receive(by: &gateway)
        #expect(outcome.answer == "403 BadEnvironmentKeyInToken")
        #expect(outcome.record.problems == ["key ABCDE12345 is for sandbox"])
        gateway.settings.environmentReason = .page
        #expect(Self.push().receive(by: &gateway).answer == "403 BadEnvironmentKeyIdInToken")
    }

    @Test("refuses tokens of revoked keys and of disabled accounts")
    func refusesStates() {
        var gateway = Self.gateway(Self.registered, [Self.key(state: .revoked)])
        #expect(Self.push().receive(by: &gateway).answer == "403 InvalidProviderToken")
        gateway.setKey(Self.key(state: .disabled))
        #expect(Self.push().receive(by: &gateway).answer == "403 Forbidden")
    }

    @Test(
        "lets a topic-specific key push to its topics alone",
        arguments: [
            (Push.topic, "200"), (Push.topic + ".voip", "200"), ("other.app", "400 TopicDisallowed"),
        ]
    )
    func coversTopics(topic: String, answer: String) {
        var gateway = Self.gateway(Self.registered, [Self.key(topics: [Push.topic])])
        #expect(Self.push(topic: topic).receive(by: &gateway).answer == answer)
    }

    @Test(
        "holds a connection to the kind and the relations of its first key",
        arguments: [
            ("TEAMKEY001", "TEAMKEY002", "200"),
            ("TEAMKEY001", "TOPICKEY01", "403 UnrelatedKeyIdInToken"),
            ("TOPICKEY01", "TEAMKEY001", "403 UnrelatedKeyIdInToken"),
            ("TOPICKEY01", "TOPICKEY02", "200"), ("TOPICKEY02", "TOPICKEY01", "200"),
            ("TOPICKEY01", "TOPICKEY03", "403 UnrelatedKeyIdInToken"),
            ("UNKNOWN001", "TEAMKEY001", "200"),
            ("UNKNOWN001", "TOPICKEY01", "403 UnrelatedKeyIdInToken"),
        ]
    )
    func relates(first: String, second: String, answer: String) {
        var gateway = Self.gateway(
            APNsSettings(),
            [
                Self.key("TEAMKEY001"), Self.key("TEAMKEY002"), Self.key("TOPICKEY01", topics: [Push.topic]),
                Self.key("TOPICKEY02", topics: [Push.topic], related: "TOPICKEY01"),
                Self.key("TOPICKEY03", topics: [Push.topic]),
            ]
        )
        #expect(Self.push(key: first).receive(by: &gateway).answer == "200")
        let outcome = Self.push(key: second).receive(by: &gateway)
        #expect(outcome.answer == answer)
        if answer != "200" {
            #expect(
                outcome.record.problems == [
                    "key \(second) is not related to \(first), the connection's first"
                ]
            )
        }
        #expect(Self.push(key: second, connection: 2).receive(by: &gateway).answer == "200")
    }

    @Test("shows a key as the control API has it, and reads it again")
    func shows() throws {
        let key = ProviderKey(
            keyId: "K",
            teamId: "T",
            publicKeyPEM: "pem",
            environment: .sandbox,
            topics: ["a", "b"],
            relatedKeyId: "L",
            state: .revoked
        )
        #expect(try #require(ProviderKey(json: key.json)).json == key.json)
        #expect(key.json["topics"] == ["a", "b"])
        #expect(ProviderKey(json: [:]) == nil)
    }
}
