public import Determinism
public import JSONValue

/// A provider's certificate as shown in the TLS handshake.
///
/// - Source: Apple, Establishing a certificate-based connection to APNs; the numbers of the extensions as in Pushy
public final class APNsClientCertificate: Sendable, Equatable {
    /// The certificate in DER.
    public let der: [UInt8]
    /// The subject's common name.
    public let commonName: String?
    /// The topics it may push to: those it lists, else the subject's user id alone.
    public let topics: [String]
    /// The environments it is for.
    public let environments: [APNsEnvironment]
    /// From when it is valid.
    public let validFrom: Timestamp
    /// Until when it is valid.
    public let validUntil: Timestamp
    /// Whether the world's authority issued it.
    public let isTrusted: Bool

    /// A certificate.
    ///
    /// Without listed topics it is for its user id alone; one that allows neither environment is for both.
    public init(
        der: [UInt8],
        commonName: String?,
        userId: String?,
        listedTopics: [String],
        allowsSandbox: Bool,
        allowsProduction: Bool,
        validFrom: Timestamp,
        validUntil: Timestamp,
        isTrusted: Bool
    ) {
        self.der = der
        self.commonName = commonName
        topics = listedTopics.isEmpty ? [userId].compactMap(\.self) : listedTopics
        let isForBoth = allowsSandbox == allowsProduction
        environments = APNsEnvironment.allCases.filter {
            isForBoth || ($0 == .sandbox) == allowsSandbox
        }
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.isTrusted = isTrusted
    }

    /// What stands for a missing `apns-topic`: the topic of a certificate that has only one.
    var defaultTopic: String? { topics.count == 1 ? topics.first : nil }

    /// Checks a push that came with the certificate.
    func check(
        _ request: APNsRequest,
        settings: APNsSettings,
        now: Timestamp,
        into findings: inout APNsFindings
    ) {
        if !isTrusted, settings.certificates == .own {
            findings.fail(
                .certificateInvalid,
                "the certificate is not by this world's authority; certificates: any takes it"
            )
        }
        if now < validFrom || now > validUntil {
            findings.fail(
                .certificateInvalid,
                "the certificate is valid from \(validFrom.rfc3339) to \(validUntil.rfc3339)"
            )
        }
        if topics.isEmpty {
            findings.fail(
                .certificateInvalid,
                "the certificate names no topic, neither as user id nor in a list"
            )
        }
        if !environments.contains(request.environment) {
            findings.fail(
                .certificateEnvironment,
                "the certificate is not for \(request.environment.rawValue)"
            )
        }
        if let topic = request.topic, !topic.isEmpty {
            if !topics.isEmpty, !topics.contains(topic) {
                findings.fail(.topicCertificate, "the certificate is for \(topics.joined(separator: ", "))")
            }
        } else if defaultTopic != nil {
            findings.fired.remove(.topicMissing)
        }
        if request.pushType == "location" {
            findings.fail(.topicDisallowed, "push type location needs a provider token")
        }
    }

    /// The facts as a push record shows them.
    public var json: JSONValue {
        [
            "commonName": .optional(commonName), "topics": .array(topics.map(JSONValue.string)),
            "environments": .array(environments.map { .string($0.rawValue) }),
            "validFrom": .string(validFrom.rfc3339), "validUntil": .string(validUntil.rfc3339),
            "trusted": .bool(isTrusted),
        ]
    }

    /// The certificate of ``json`` and its bytes; nil for other values.
    init?(json: JSONValue, der: [UInt8]) {
        guard let topics = json["topics"]?.arrayValue, let environments = json["environments"]?.arrayValue,
            let from = json["validFrom"]?.stringValue.flatMap(Timestamp.init(rfc3339:)),
            let until = json["validUntil"]?.stringValue.flatMap(Timestamp.init(rfc3339:)),
            let isTrusted = json["trusted"]?.boolValue
        else { return nil }
        self.der = der
        commonName = json["commonName"]?.stringValue
        self.topics = topics.compactMap(\.stringValue)
        self.environments = environments.compactMap {
            $0.stringValue.flatMap(APNsEnvironment.init(rawValue:))
        }
        validFrom = from
        validUntil = until
        self.isTrusted = isTrusted
    }

    /// Compares by content.
    public static func == (left: APNsClientCertificate, right: APNsClientCertificate) -> Bool {
        left === right || left.der == right.der && left.isTrusted == right.isTrusted
    }
}
