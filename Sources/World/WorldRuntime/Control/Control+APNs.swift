import APNsRules
import ControlServer
import Determinism
import JSONValue

extension World {
    var apnsRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/apns") { [self] _ throws(ControlError) in .json(apnsJSON) },
            ControlRoute("PATCH", "/v1/apns", members: ["tokens", "credentials"] + DeliverySettings.names) {
                [self] request throws(ControlError) in
                let delivery = try DeliveryChange(request.body)
                let tokens = try request.body.word("tokens", as: APNsSettings.Tokens.self)
                let credentials = try request.body.word("credentials", as: APNsSettings.Credentials.self)
                withState { state, _ in
                    var settings = state.gateway.settings
                    if let tokens { settings.tokens = tokens }
                    if let credentials { settings.credentials = credentials }
                    delivery.apply(to: &settings.delivery)
                    state.gateway.settings = settings
                    state.keep(.apns, settings.kept)
                }
                deliverWaiting()
                return .json(apnsJSON)
            },
            ControlRoute("GET", "/v1/apns/tokens") { [self] _ throws(ControlError) in
                let known = withState { state, _ in
                    state.gateway.knownTokens.map { $0.state.json(token: $0.token) }
                }
                return .json(["tokens": .array(known)])
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
