import AdamantLedger

extension NodeServer {
    static let stateRoutes = [
        Route(.get, lists: "/api/states/get", StateListRequest.parse),
        Route(.post, lists: "/api/states/get", StateListRequest.parse),
        Route("/api/states/store", takes: .statesStore),
    ]
}
