import AdamantLedger
import AdamantModel
import ControlServer

/// What `POST /v1/transactions` asks for, checked.
struct TransactionOrderForm {
    let sender: KnownAccount
    let recipient: Address
    let amount: Int64
    let message: String?
    let chatType: Int32
    let node: Int

    private enum Kind: String, CaseIterable { case message, signal, transfer }

    /// The order to send a message.
    init(sender: KnownAccount, recipient: Address, message: String, node: Int) {
        self.sender = sender
        self.recipient = recipient
        self.message = message
        self.node = node
        amount = 0
        chatType = Transaction.ChatKind.ordinary
    }

    init(_ body: ControlBody, world: World) throws(ControlError) {
        let from = try body.requiredString("from")
        sender = try world.signer(from, field: "from")
        recipient = try world.address(of: try body.requiredString("to"), field: "to")
        message = try body.string("message")
        amount = try body.amount("amount") ?? 0
        node = try world.nodeIndex(try body.string("node"), field: "node")
        let kind = try body.word("kind", as: Kind.self) ?? (message == nil ? .transfer : .message)
        chatType = kind == .signal ? Transaction.ChatKind.signal : Transaction.ChatKind.ordinary
        if kind != .transfer, message == nil {
            throw .invalid("message", "a \(kind.rawValue) needs a message")
        }
        if kind == .transfer, amount == 0 { throw .invalid("amount", "a transfer needs an amount above 0") }
    }
}
