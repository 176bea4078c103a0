import AdamantLedger

extension NodeServer {
    static let chatRoutes = [
        Route(.get, lists: "/api/chats/get", ChatListRequest.parse),
        Route("/api/chats/process", takes: .chatsProcess),
    ]
}
