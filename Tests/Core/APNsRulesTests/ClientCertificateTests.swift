import Determinism
import JSONValue
import Testing

@testable import APNsRules

@Suite("APNs: client certificates")
struct ClientCertificateTests {
    private static func push(_ certificate: APNsClientCertificate) -> Push {
        Push(authorization: nil, clientCertificate: certificate)
    }

    @Test("needs no provider token, and ignores one that comes along", arguments: [nil, "bearer nonsense"])
    func needsNoToken(authorization: String?) {
        let outcome = Push(authorization: authorization, clientCertificate: .sample()).outcome()
        #expect(outcome.answer == "200")
        #expect(outcome.record.provider.kind == .certificate)
        let json = outcome.record.json["provider"]?["certificate"]
        #expect(json?["topics"] == ["im.example.messenger"])
        #expect(json?["environments"] == ["production", "sandbox"])
        #expect(json?["commonName"] == "Apple Push Services: im.example.messenger")
        #expect(json?["trusted"] == true)
    }

    @Test("takes the user id for the topic of a push without one, unless several are listed")
    func hasDefaultTopic() {
        var push = Self.push(.sample())
        push.topic = nil
        #expect(push.answer() == "200")
        push.clientCertificate = .sample(topics: [Push.topic, Push.topic + ".voip"])
        #expect(push.answer() == "400 MissingTopic")
        push.clientCertificate = nil
        push.authorization = "bearer \(ProviderTokenText().text)"
        #expect(push.answer() == "400 MissingTopic")
    }

    @Test("judges the token's topic by the certificate's where the push has none")
    func judgesDefaultTopic() {
        var gateway = APNsGateway()
        gateway.setState(DeviceTokenState(.active, since: Push.now, topic: "other.app"), ofToken: Push.token)
        var push = Self.push(.sample())
        push.topic = nil
        #expect(push.receive(by: &gateway).answer == "400 DeviceTokenNotForTopic")
    }

    @Test(
        "refuses topics that the certificate does not list",
        arguments: [
            ("im.example.messenger", "200"), ("im.example.messenger.voip", "200"),
            ("im.example.messenger.complication", "400 BadTopic"), ("other.app", "400 BadTopic"),
        ]
    )
    func refusesTopics(topic: String, answer: String) {
        var push = Self.push(.sample(topics: [Push.topic, Push.topic + ".voip"]))
        push.topic = topic
        #expect(push.answer() == answer)
    }

    @Test(
        "refuses a certificate that is not good, and tells why",
        arguments: [
            (
                APNsClientCertificate.sample(isTrusted: false), "BadCertificate",
                "the certificate is not by this world's authority; certificates: any takes it"
            ),
            (
                .sample(validUntil: Push.now.adding(milliseconds: -1)), "BadCertificate",
                "the certificate is valid from 2026-09-20T14:13:20.000Z to 2026-09-21T14:13:19.999Z"
            ),
            (
                .sample(validFrom: Push.now.adding(milliseconds: 1)), "BadCertificate",
                "the certificate is valid from 2026-09-21T14:13:20.001Z to 2026-09-22T14:13:20.000Z"
            ),
            (
                .sample(userId: nil), "BadCertificate",
                "the certificate names no topic, neither as user id nor in a list"
            ),
            (
                .sample(isForSandboxAlone: true), "BadCertificateEnvironment",
                "the certificate is not for production"
            ),
        ]
    )
    func refuses(certificate: APNsClientCertificate, reason: String, problem: String) {
        let outcome = Self.push(certificate).outcome()
        #expect(outcome.answer == "403 \(reason)")
        #expect(outcome.record.problems == [problem])
        #expect(outcome.record.json["provider"]?["problems"]?.arrayValue?.first?.stringValue == problem)
    }

    @Test("takes a certificate in the environments that it allows")
    func hasEnvironments() {
        for (certificate, production, sandbox) in [
            (APNsClientCertificate.sample(), "200", "200"),
            (.sample(isForSandboxAlone: true, isForProductionAlone: true), "200", "200"),
            (.sample(isForProductionAlone: true), "200", "403 BadCertificateEnvironment"),
            (.sample(isForSandboxAlone: true), "403 BadCertificateEnvironment", "200"),
        ] {
            var push = Self.push(certificate)
            #expect(push.answer() == production)
            push.environment = .sandbox
            #expect(push.answer() == sandbox)
        }
    }

    @Test("takes one of any authority where it is told to, and none at all is looked at without credentials")
    func takesAny() {
        let push = Self.push(.sample(isTrusted: false))
        var settings = APNsSettings()
        settings.certificates = .any
        #expect(push.answer(settings) == "200")
        #expect(push.answer(APNsSettings(credentials: .off)) == "200")
    }

    @Test("refuses a location push, which needs a provider token")
    func refusesLocation() {
        var push = Self.push(.sample(userId: Push.topic + ".location-query"))
        push.topic = Push.topic + ".location-query"
        push.headers = [("apns-push-type", "location")]
        #expect(push.answer() == "400 TopicDisallowed")
        push.clientCertificate = nil
        push.authorization = "bearer \(ProviderTokenText().text)"
        #expect(push.answer() == "200")
    }
}
