import APNsRules
import ControlServer
import Determinism
import JSONValue

extension World {
    var apnsRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/apns") { [self] _ throws(ControlError) in .json(apnsJSON) },
            ControlRoute("PATCH", "/v1/apns", members: APNsSettingsForm.members) {
                [self] request throws(ControlError) in
                let form = try APNsSettingsForm(request.body)
                withState { state, _ in
                    form.apply(to: &state.gateway.settings)
                    state.keepGateway()
                }
                deliverWaiting()
                return .json(apnsJSON)
            },
            ControlRoute("GET", "/v1/apns/keys") { [self] _ throws(ControlError) in
                let keys = withState { state, _ in state.gateway.knownKeys.map(\.json) }
                return .json(["keys": .array(keys)])
            },
            ControlRoute("PUT", "/v1/apns/keys/{keyId}", members: ProviderKeyForm.members) {
                [self] request throws(ControlError) in
                let key = try ProviderKeyForm.key(request.parameter("keyId"), request.body)
                withState { state, _ in
                    state.gateway.setKey(key)
                    state.keepGateway()
                }
                return .json(key.json)
            },
            ControlRoute("DELETE", "/v1/apns/keys/{keyId}") { [self] request throws(ControlError) in
                let keyId = request.parameter("keyId")
                let wasKnown = withState { state, _ in
                    let wasKnown = state.gateway.removeKey(keyId)
                    state.keepGateway()
                    return wasKnown
                }
                guard wasKnown else { throw .notFound("no key '\(keyId)' is registered") }
                return .empty
            },
            ControlRoute("GET", "/v1/apns/tokens", parameters: ListQuery.pageParameters) {
                [self] request throws(ControlError) in
                let page = try page(request.query, limit: .max)
                let known = withState { state, _ in state.gateway.knownTokens }
                let document = Self.document("tokens", page, of: known) { $0.state.json(token: $0.token) }
                return .json(.object(document))
            },
            ControlRoute(
                "PUT",
                "/v1/apns/tokens/{token}",
                members: ["state", "since", "topic", "environment"]
            ) {
                [self] request throws(ControlError) in
                let token = request.parameter("token").lowercased()
                return .json(try setToken(token, request.body))
            },
        ]
    }

    private var apnsJSON: JSONValue { withState { state, _ in state.gateway.settings.json } }

    private func setToken(_ token: String, _ body: ControlBody) throws(ControlError) -> JSONValue {
        guard DeviceToken.isWellFormed(token) else {
            throw .badRequest(
                "a device token is 64 to 200 hexadecimal digits, an even number of them",
                field: "token"
            )
        }
        guard let kind = try body.word("state", as: DeviceTokenState.Kind.self) else {
            let known = DeviceTokenState.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("state", "state is required: one of \(known)")
        }
        var since: Timestamp?
        if let text = try body.string("since") {
            guard let moment = Timestamp(rfc3339: text) else {
                throw .invalid("since", "since must be RFC 3339 text such as 2026-01-01T00:00:00.000Z")
            }
            since = moment
        }
        let topic = try body.string("topic")
        let environment = try body.word("environment", as: APNsEnvironment.self)
        return withState { state, now in
            let known = state.gateway.state(ofToken: token)
            let new = DeviceTokenState(
                kind,
                since: since ?? now,
                topic: topic ?? known?.topic,
                environment: environment ?? known?.environment
            )
            state.setToken(new, token)
            return new.json(token: token)
        }
    }
}
