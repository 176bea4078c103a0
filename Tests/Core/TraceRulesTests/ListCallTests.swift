import AdamantLedger
import AdamantModel
import Determinism
import Testing
import TraceRules

/// A call of a list by a service, answered from a chain of a height.
func listCall(
    _ scope: TransactionQuery.Scope,
    _ required: [TransactionFilter] = [],
    number: Int = 1,
    event: Int = 100,
    height: Int? = 200,
    status: Int? = 200,
    limit: Int = 100,
    node: String = "alpha",
    agent: String? = nil,
    faultId: String? = nil
) -> ListCall {
    var query = TransactionQuery(scope)
    query.required = required
    query.limit = limit
    return ListCall(
        number: number,
        event: event,
        at: Timestamp(milliseconds: Int64(event) * 10),
        node: node,
        client: "127.0.0.1",
        agent: agent,
        target: "/api/list",
        query: query,
        status: status,
        faultId: faultId,
        height: height
    )
}

@Suite("Traces: what the answer to a list call held")
struct ListCallTests {
    private static let chats = TransactionQuery.Scope.chats(includesTransfers: false)
    private static let message = ListedTransaction(SignalChain.message("aa", type: 1))
    private static let signal = ListedTransaction(SignalChain.message("aa", type: 3))

    @Test("heights are exclusive for chats and inclusive for transactions")
    func heights() {
        func miss(_ scope: TransactionQuery.Scope, _ filter: TransactionFilter, at height: Int) -> ListMiss? {
            listCall(scope, [filter]).miss(of: Self.message, at: height)
        }
        #expect(miss(Self.chats, .aboveHeight(120), at: 120) == .asksAbove(120, isExclusive: true))
        #expect(miss(Self.chats, .aboveHeight(119), at: 120) == nil)
        #expect(miss(.transactions, .fromHeight(120), at: 120) == nil)
        #expect(miss(.transactions, .fromHeight(121), at: 120) == .asksAbove(121, isExclusive: false))
        #expect(miss(.transactions, .toHeight(119), at: 120) == .asksBelow(119))
        #expect(miss(.transactions, .toHeight(120), at: 120) == nil)
        #expect(miss(Self.chats, .aboveHeight(.max), at: 120) == .asksAbove(.max, isExclusive: true))
    }

    @Test("a chain that ends below the block cannot hold it, nor can an answer that was none")
    func views() {
        #expect(listCall(Self.chats, height: 117).miss(of: Self.message, at: 120) == .behind(117))
        let failed = listCall(Self.chats, height: nil, status: 503, faultId: "f1")
        #expect(failed.miss(of: Self.message, at: 120) == .failed(status: 503, faultId: "f1"))
        let silent = listCall(Self.chats, height: nil, status: nil)
        #expect(silent.miss(of: Self.message, at: 120) == .failed(status: nil, faultId: nil))
        #expect(listCall(Self.chats, status: 304).miss(of: Self.message, at: 120) == nil)
    }

    @Test("kinds: chats hide signals unless asked for, and transfers")
    func kinds() {
        var transfer = Self.message
        transfer.type = Transaction.Kind.transfer
        transfer.chatType = nil
        #expect(listCall(Self.chats).miss(of: Self.signal, at: 5) == .otherKind)
        #expect(listCall(Self.chats, [.chatType(3)]).miss(of: Self.signal, at: 5) == nil)
        #expect(listCall(Self.chats, [.chatType(3)]).miss(of: Self.message, at: 5) == .otherKind)
        #expect(listCall(Self.chats).miss(of: transfer, at: 5) == .otherKind)
        #expect(listCall(.chats(includesTransfers: true)).miss(of: transfer, at: 5) == nil)
        #expect(listCall(.transactions, [.type(0)]).miss(of: Self.message, at: 5) == .otherKind)
        #expect(listCall(.transactions, [.type(0)]).miss(of: transfer, at: 5) == nil)
        #expect(listCall(.states).miss(of: Self.message, at: 5) == .otherKind)
        #expect(listCall(.transactions, [.minAmount(1)]).miss(of: Self.message, at: 5) == .otherKind)
    }

    @Test("terms that are joined by or let in what any of them does")
    func alternatives() {
        var query = TransactionQuery(.transactions)
        query.add(.fromHeight(500), .or)
        query.add(.type(8), .or)
        var call = listCall(.transactions)
        call.query = query
        #expect(call.miss(of: Self.message, at: 5) == nil)
        query.add(.sender("U1"), .and)
        call.query = query
        #expect(call.miss(of: Self.message, at: 5) == .otherCondition)
    }

    @Test("a service reads everybody's, or signals to it; an app reads its own")
    func audiences() {
        let service = SignalChain.service.address
        let own = listCall(Self.chats, [.party("U123456")])
        #expect(!own.isServicePoll(for: Self.message, service: service))
        #expect(listCall(Self.chats).isServicePoll(for: Self.message, service: service))
        let signals = listCall(Self.chats, [.chatType(3), .party(service.text)])
        #expect(signals.isServicePoll(for: Self.signal, service: service))
        #expect(signals.isSignalPoll(service: service))
        #expect(!signals.isMessagePoll)
        #expect(!signals.isServicePoll(for: Self.message, service: service))
        let probe = listCall(.transactions, limit: 1)
        #expect(probe.isHeightProbe)
        #expect(!probe.isServicePoll(for: Self.message, service: service))
        let all = listCall(.transactions, [.fromHeight(3), .toHeight(4)])
        #expect(all.isSignalPoll(service: service))
        #expect(all.isMessagePoll)
        #expect(all.heights == 3...4)
        #expect(listCall(.transactions, [.fromHeight(5), .toHeight(4)]).heights == nil)
    }
}
