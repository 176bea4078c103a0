import AdamantModel
import Determinism
import HTTPClient
import JSONValue
import Simulators
import Threads

/// From push orders to HTTP/2 requests.
extension NotificationServiceDriver {
    /// Sends pushes in the background, those with the same delay side by side.
    func dispatch(_ operations: [ServiceOperation]) {
        var batches: [(delay: Int, pushes: [(id: Int, order: PushOrder)])] = []
        for operation in operations {
            guard case .push(let order, let delay) = operation.work else { continue }
            if let index = batches.firstIndex(where: { $0.delay == delay }) {
                batches[index].pushes.append((operation.id, order))
            } else {
                batches.append((delay, [(operation.id, order)]))
            }
        }
        for batch in batches {
            let pushes = batch.pushes
            let delay = batch.delay
            spawn { driver in driver.send(pushes, afterMilliseconds: delay) }
        }
    }

    private func send(_ pushes: [(id: Int, order: PushOrder)], afterMilliseconds: Int) {
        if afterMilliseconds > 0 {
            let deadline = MachineClock.monotonicMilliseconds() + Int64(afterMilliseconds)
            _ = condition.wait(until: deadline) { state in
                pushes.contains { state.service.isOutstanding($0.id) } ? nil : true
            }
        }
        let open = condition.withLock { state in pushes.filter { state.service.isOutstanding($0.id) } }
        guard !open.isEmpty else { return }
        let (client, isDeployed) = condition.withLock {
            ($0.pushClient, $0.service.configuration.behaviour == .asDeployed)
        }
        let requests = open.map { request($0.order, isFresh: isDeployed) }
        client.sendAll(requests) { index, result in
            guard open.indices.contains(index) else { return }
            self.note(open[index].id, Self.answer(result))
        }
    }

    private func note(_ id: Int, _ answer: PushAnswer) {
        let now = clock()
        let next = condition.update { state in
            defer { state.collectEvents() }
            return state.service.complete(id, .push(answer), now: now)
        }
        dispatch(next)
        tell()
    }

    private func request(_ order: PushOrder, isFresh: Bool) -> HTTPClientRequest {
        let base = order.isSandbox ? endpoints.sandbox ?? endpoints.production : endpoints.production
        var headers = [
            (name: "authorization", value: "bearer " + providerToken(issuedAt: order.providerTokenIssuedAt)),
            (name: "apns-id", value: order.id), (name: "apns-topic", value: order.topic),
            (name: "apns-priority", value: "10"), (name: "apns-expiration", value: String(order.expiration)),
        ]
        if let type = order.pushType { headers.append((name: "apns-push-type", value: type)) }
        return HTTPClientRequest(
            method: "POST",
            url: base + "/3/device/" + order.token,
            headers: headers,
            body: order.payload.bytes,
            usesFreshConnection: isFresh
        )
    }

    /// The token of a moment, signed once.
    private func providerToken(issuedAt: Int64) -> String {
        if let token = condition.withLock(\.providerToken), token.issuedAt == issuedAt { return token.text }
        let text = ProviderToken.make(
            keyId: endpoints.keyId,
            teamId: endpoints.teamId,
            issuedAt: issuedAt,
            signer: endpoints.signer
        )
        condition.withLock { $0.providerToken = (issuedAt, text) }
        return text
    }

    private static func answer(_ result: Result<HTTPClientResponse, HTTPClientError>) -> PushAnswer {
        switch result {
        case .success(let response):
            let json = (try? JSONValue(parsing: response.body)) ?? .null
            return .answered(
                status: response.status,
                reason: json["reason"]?.stringValue,
                timestampMilliseconds: json["timestamp"]?.intValue,
                hasObject: json.objectValue != nil
            )
        case .failure(let error): return .failed(TransportFailure(error))
        }
    }
}
