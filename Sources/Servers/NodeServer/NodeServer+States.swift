import AdamantLedger

extension NodeServer {
    static let stateRoutes = [
        Route(.get, "/api/states/get") { server, call throws(NodeRefusal) in
            try server.list(StateListRequest.parse(call.parameters, profile: call.profile), call)
        },
        Route(.post, "/api/states/get") { server, call throws(NodeRefusal) in
            try server.list(StateListRequest.parse(call.parameters, profile: call.profile), call)
        },
        Route("/api/states/store", takes: .statesStore),
    ]
}
