import AdamantLedger

extension NodeServer {
    static let chatRoutes = [
        Route(.get, "/api/chats/get") { server, call throws(NodeRefusal) in
            try server.list(ChatListRequest.parse(call.parameters, profile: call.profile), call)
        },
        Route("/api/chats/process", takes: .chatsProcess),
    ]
}
