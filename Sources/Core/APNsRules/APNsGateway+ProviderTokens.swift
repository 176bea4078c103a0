import Determinism

// The checks of a push that came with a provider token. Members of the gateway, since a copy of what it knows would be
// paid for with each push.
extension APNsGateway {
    /// Age at which a provider token expires, and how far it may lie in the future.
    ///
    /// - Source: Apple, Establishing a token-based connection to APNs
    private static let tokenLifeMilliseconds: Int64 = 3_600_000

    /// Adds what is wrong with a provider token on a connection of such a binding.
    func check(
        _ facts: ProviderFacts,
        of request: APNsRequest,
        binding: ProviderBinding?,
        now: Timestamp,
        into findings: inout APNsFindings
    ) {
        if !facts.isWellFormed {
            for defect in facts.defects { findings.fail(.providerInvalid, defect) }
        }
        if settings.strict.contains(.providerToken) {
            for note in facts.notes where !facts.defects.contains(note) {
                findings.fail(.providerInvalid, "strict: \(note)")
            }
        }
        guard settings.credentials == .anyKey || settings.credentials == .registeredKeys else { return }
        checkAge(facts, binding: binding, now: now, into: &findings)
        if let team = facts.teamId, let first = binding?.teamId, first != team {
            findings.fail(.providerTeam, "iss \(team) is not the connection's first, \(first)")
        }
        guard !keys.isEmpty || settings.credentials == .registeredKeys else { return }
        checkKey(of: facts, request, binding: binding, into: &findings)
    }

    private func checkAge(
        _ facts: ProviderFacts,
        binding: ProviderBinding?,
        now: Timestamp,
        into findings: inout APNsFindings
    ) {
        if let issuedAt = facts.issuedAt {
            let age = now.milliseconds - issuedAt.milliseconds
            if age > Self.tokenLifeMilliseconds {
                findings.fail(.providerExpired, "iat is \(age / 1000) s old, more than 3600 s")
            }
            if age < -Self.tokenLifeMilliseconds {
                findings.fail(.providerInvalid, "iat lies \(-age / 1000) s ahead, more than 3600 s")
            }
        }
        if let binding, binding.isWedged, settings.wedgesOnExpired {
            findings.fail(.providerExpired, "the connection has seen an expired token")
        }
    }

    private func checkKey(
        of facts: ProviderFacts,
        _ request: APNsRequest,
        binding: ProviderBinding?,
        into findings: inout APNsFindings
    ) {
        guard let keyId = facts.keyId, let teamId = facts.teamId else { return }
        let known = keys[keyId]
        if settings.credentials == .registeredKeys {
            checkSignature(of: facts, known, keyId, into: &findings)
        }
        // A key of which nothing is declared counts as one for all topics of its team.
        let key = known ?? ProviderKey(keyId: keyId, teamId: teamId)
        if key.teamId != teamId {
            findings.fail(.providerInvalid, "iss \(teamId) is not \(key.teamId), the team of key \(keyId)")
        }
        switch key.state {
        case .active: break
        case .revoked: findings.fail(.providerInvalid, "key \(keyId) is revoked")
        case .disabled: findings.fail(.providerForbidden, "the account of key \(keyId) is disabled")
        }
        if let environment = key.environment, environment != request.environment {
            findings.fail(.providerEnvironment, "key \(keyId) is for \(environment.rawValue)")
        }
        if let firstId = binding?.keyId, let firstTeam = binding?.teamId,
            !key.isRelated(to: keys[firstId] ?? ProviderKey(keyId: firstId, teamId: firstTeam))
        {
            findings.fail(
                .providerUnrelated,
                "key \(keyId) is not related to \(firstId), the connection's first"
            )
        }
        if let topic = request.topic, !topic.isEmpty, !key.covers(topic: topic) {
            findings.fail(
                .topicDisallowed,
                "key \(keyId) is for \(key.topics.joined(separator: ", "))"
            )
        }
    }

    private func checkSignature(
        of facts: ProviderFacts,
        _ key: ProviderKey?,
        _ keyId: String,
        into findings: inout APNsFindings
    ) {
        if key == nil {
            findings.fail(.providerInvalid, "kid \(keyId) is not registered")
        } else if facts.isSignatureValid == nil {
            findings.fail(.providerInvalid, "key \(keyId) is registered without its public half")
        } else if facts.isSignatureValid == false {
            findings.fail(.providerInvalid, "the signature is not by key \(keyId)")
        }
    }
}
