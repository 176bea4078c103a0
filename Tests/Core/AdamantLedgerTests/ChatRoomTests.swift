import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: chat rooms")
struct ChatRoomTests {
    private static let new = NodeProfile(version: "0.10")!
    private static let old = NodeProfile(version: "0.9")!

    private static func rooms(_ query: ChatRoomQuery, _ ledger: Ledger, _ profile: NodeProfile = new) throws
        -> (elements: [JSONValue], count: Int)
    {
        var output = Array("[".utf8)
        let count = ledger.rooms(query, profile: profile, into: &output)
        return (try JSONValue(parsing: output + Array("]".utf8)).arrayValue ?? [], count)
    }

    private static func messages(_ query: ChatRoomQuery, _ ledger: Ledger, _ profile: NodeProfile = new)
        throws
        -> (elements: [JSONValue], count: Int, participants: JSONValue)
    {
        var output = Array("[".utf8)
        let (summary, participants) = ledger.messages(query, profile: profile, into: &output)
        let elements = try JSONValue(parsing: output + Array("]".utf8)).arrayValue ?? []
        return (elements, summary.count, try JSONValue(parsing: participants))
    }

    private static func id(_ room: JSONValue) -> String? { room["lastTransaction"]?["id"]?.stringValue }

    @Test("rooms and messages are those of a plain scan", arguments: 1...12)
    func matchesScan(seed: Int) throws {
        var random = RandomChain(seed: UInt64(seed))
        random.run(steps: 300)
        let ledger = random.world.ledger
        let scan = RoomScan(ledger)
        for _ in 0..<40 {
            var query = ChatRoomQuery(user: TestWorld.address(random.number(0...6)))
            query.chatType = random.number(0...2) == 0 ? random.number(0...4) : nil
            query.includesTransfers = random.number(0...3) > 0
            query.isSentByUser = random.number(0...4) == 0
            query.isReceivedByUser = random.number(0...4) == 0
            query.isDescending = random.number(0...3) > 0
            query.offset = random.element([0, 0, 1, 3])
            query.limit = random.element([1, 2, 25])
            let rooms = try Self.rooms(query, ledger)
            let expected = scan.rooms(query)
            #expect(rooms.elements.map(Self.id) == expected.ids && rooms.count == expected.count, "\(query)")
            query.companion = TestWorld.address(random.number(0...6))
            let messages = try Self.messages(query, ledger)
            let found = scan.messages(query)
            #expect(messages.elements.map { $0["id"]?.stringValue } == found.ids, "\(query)")
            #expect(messages.count == found.count)
        }
    }

    @Test("a room shows its last transaction without signatures, and both parties")
    func roomMembers() throws {
        var world = TestWorld()
        world.wait(3)
        let id = try world.post(world.chat(1, TestWorld.address(2), "ab", nonce: nil))
        let block = world.forge()
        let rooms = try Self.rooms(ChatRoomQuery(user: TestWorld.address(2)), world.ledger)
        let (one, two) = (TestWorld.pairs[1].publicKey, TestWorld.pairs[2].publicKey)
        let transaction =
            #"{"id":"\#(id)","height":2,"blockId":"\#(block.id)","type":8,"block_timestamp":300000000,"#
            + #""timestamp":300000003,"timestampMs":null,"senderPublicKey":"\#(Hex.encode(one))","#
            + #""senderId":"\#(TestWorld.address(1))","recipientId":"\#(TestWorld.address(2))","#
            + #""recipientPublicKey":"\#(Hex.encode(two))","amount":0,"fee":100000,"signatures":[],"#
            + #""confirmations":1,"asset":{"chat":{"message":"ab","own_message":null,"type":1}}}"#
        let participants =
            #"[{"address":"\#(TestWorld.address(1))","publicKey":"\#(Hex.encode(one))"},"#
            + #"{"address":"\#(TestWorld.address(2))","publicKey":"\#(Hex.encode(two))"}]"#
        let room = #"{"lastTransaction":\#(transaction),"participants":\#(participants)}"#
        #expect(rooms.elements.first?.text == room)
        #expect(rooms.count == 2)

        var query = ChatRoomQuery(user: TestWorld.address(2), companion: TestWorld.address(1))
        let found = try Self.messages(query, world.ledger)
        let signature = Hex.encode(try #require(world.ledger.transaction(id)).signature)
        let message = transaction.replacing(#""senderId""#, with: #""requesterPublicKey":null,"senderId""#)
            .replacing(
                #""fee":100000,"#,
                with: #""fee":100000,"signature":"\#(signature)","signSignature":null,"#
            )
        #expect(found.elements.map(\.text) == [message])
        #expect(found.participants.text == participants && found.count == 1)
        query.companion = TestWorld.address(3)
        #expect(try Self.messages(query, world.ledger).participants == [])
        let old = try Self.rooms(ChatRoomQuery(user: TestWorld.address(2)), world.ledger, Self.old)
        #expect(old.elements.first?.text == room.replacing(#""timestampMs":null,"#, with: ""))
    }

    @Test("the epoch's start is null in messages and 0 in the list, and a keyless recipient's key is null")
    func genesisRooms() throws {
        let keyless = GenesisAccount(name: "", address: TestWorld.address(5), publicKey: nil, balance: 5)
        let world = TestWorld(extra: [keyless])
        let room = try #require(
            try Self.rooms(ChatRoomQuery(user: TestWorld.address(5)), world.ledger).elements.first
        )
        #expect(room["lastTransaction"]?["block_timestamp"] == 0)
        #expect(room["lastTransaction"]?["recipientPublicKey"] == .null)
        #expect(room["participants"]?.arrayValue?.last?["publicKey"] == .null)
        let query = ChatRoomQuery(user: TestWorld.address(5), companion: TestWorld.address(0))
        #expect(try Self.messages(query, world.ledger).elements.first?["block_timestamp"] == .null)
    }

    @Test("companions are told apart by the stored text")
    func spellings() throws {
        var world = TestWorld()
        let lower = try #require(Address("u" + TestWorld.address(2).text.dropFirst()))
        let first = try world.post(world.chat(1, lower, "aa"))
        let second = try world.post(world.chat(1, TestWorld.address(2), "bb"))
        world.forge()
        let mine = try Self.rooms(ChatRoomQuery(user: TestWorld.address(1)), world.ledger)
        #expect(
            Set(mine.elements.compactMap(Self.id)).isSuperset(of: [first.description, second.description])
        )
        #expect(mine.count == 3)
        let theirs = try Self.rooms(ChatRoomQuery(user: TestWorld.address(2)), world.ledger)
        #expect(theirs.count == 2 && !theirs.elements.contains { Self.id($0) == first.description })
    }

    @Test("0.9 shows the newest own message and recipient's key that are not null")
    func mixedColumns() throws {
        var world = TestWorld(versions: ["0.9"])
        try world.post(world.chat(2, TestWorld.address(1), "aa", nonce: "1234"))
        world.forge()
        world.wait(5)
        try world.post(world.chat(1, TestWorld.address(2), "bb", nonce: nil))
        world.forge()
        let query = ChatRoomQuery(user: TestWorld.address(1))
        func own(_ profile: NodeProfile) throws -> JSONValue? {
            try Self.rooms(query, world.ledger, profile).elements.first?["lastTransaction"]?["asset"]?["chat"]
        }
        #expect(try own(Self.new) == ["message": "bb", "own_message": nil, "type": 1])
        #expect(try own(Self.old) == ["message": "bb", "own_message": "1234", "type": 1])
        world.wait(5)
        try world.post(world.transfer(1, TestWorld.address(2), 3))
        world.forge()
        let room = try #require(try Self.rooms(query, world.ledger, Self.old).elements.first)
        #expect(room["lastTransaction"]?["asset"] == [:] && room["lastTransaction"]?["type"] == 0)
    }

    @Test("waiting transactions join the rooms, an older one taking the place of a newer")
    func unconfirmed() throws {
        var world = TestWorld()
        let confirmed = try world.post(world.chat(2, TestWorld.address(1), "aa"))
        world.forge()
        world.wait(6)
        let waiting = try world.post(world.chat(1, TestWorld.address(2), "bb"))
        let value = try world.post(world.state(1, "v", key: "k"))
        let signal = try world.post(world.chat(1, TestWorld.address(3), "cc", type: 3))
        world.ledger.fillPool(node: 0)
        var query = ChatRoomQuery(user: TestWorld.address(1))
        #expect(try Self.rooms(query, world.ledger).count == 2)
        query.unconfirmed = UnconfirmedRoomConditions(chatType: nil, excludesAll: false)
        let merged = try Self.rooms(query, world.ledger)
        let ids = merged.elements.compactMap(Self.id)
        #expect(merged.count == 2 + 3 && merged.elements.count == 4)
        #expect(ids.contains(confirmed.description) && !ids.contains(waiting.description))
        #expect(ids.contains(value.description) && ids.contains(signal.description))
        let state = try #require(merged.elements.first { Self.id($0) == value.description })
        #expect(state["participants"]?.arrayValue?.last == [:])
        query.isDescending = false
        #expect(
            try Self.rooms(query, world.ledger).elements.compactMap(Self.id).contains(waiting.description)
        )
        query.unconfirmed?.excludesAll = true
        #expect(try Self.rooms(query, world.ledger).count == 2)

        query = ChatRoomQuery(user: TestWorld.address(2), companion: TestWorld.address(1))
        query.unconfirmed = UnconfirmedRoomConditions(chatType: nil, excludesAll: false)
        let messages = try Self.messages(query, world.ledger)
        #expect(messages.count == 2)
        #expect(messages.elements.map { $0["id"] } == [.string("\(waiting)"), .string("\(confirmed)")])
        #expect(messages.elements[0]["confirmations"] == 0)
        #expect(messages.participants.arrayValue?.last == ["address": .string(TestWorld.address(2).text)])
        query.unconfirmed?.chatType = 2
        #expect(try Self.messages(query, world.ledger).count == 1)
        #expect(try Self.messages(query, world.ledger, Self.old).count == 1)
    }

    @Test("a page of many rooms looks at that page alone")
    func cost() throws {
        let (short, long) = (
            SyntheticChain(transactions: 1_000).ledger, SyntheticChain(transactions: 40_000).ledger
        )
        var query = ChatRoomQuery(user: SyntheticChain.address(3))
        query.limit = 5
        query.offset = 6
        for ledger in [short, long] {
            #expect(ledger.roomSelection(query).visitedRows == 5)
            var messages = query
            messages.companion = SyntheticChain.address(4)
            messages.offset = 0
            #expect(ledger.roomSelection(messages).visitedRows <= 8)
        }
    }
}

/// The calls as the reference words them, over a plain list of all transactions.
struct RoomScan {
    private let rows: [(transaction: Transaction, height: Int, place: Int)]

    init(_ ledger: Ledger) {
        var rows: [(Transaction, Int, Int)] = []
        for height in ledger.startHeight...ledger.height {
            for transaction in ledger.transactions(height: height) {
                rows.append((transaction, height, rows.count))
            }
        }
        self.rows = rows
    }

    func rooms(_ query: ChatRoomQuery) -> (ids: [String], count: Int) {
        let user = query.user.text
        var newest: [String: (transaction: Transaction, height: Int, place: Int)] = [:]
        for row in rows where matches(row.transaction, query) {
            let (sender, recipient) = (row.transaction.sender.text, row.transaction.recipient?.text ?? "")
            guard sender == user || recipient == user else { continue }
            let companion = sender == user ? recipient : sender
            if let before = newest[companion],
                (row.height, row.transaction.timestamp) <= (before.height, before.transaction.timestamp)
            {
                continue
            }
            newest[companion] = row
        }
        return page(Array(newest.values), query)
    }

    func messages(_ query: ChatRoomQuery) -> (ids: [String], count: Int) {
        let parties = [query.user.text, query.companion?.text ?? ""]
        return page(
            rows.filter { row in
                guard matches(row.transaction, query) else { return false }
                let both = [row.transaction.sender.text, row.transaction.recipient?.text ?? ""]
                return both == parties || both == parties.reversed()
            },
            query
        )
    }

    private func matches(_ transaction: Transaction, _ query: ChatRoomQuery) -> Bool {
        if query.isSentByUser, transaction.sender.text != query.user.text { return false }
        if query.isReceivedByUser, transaction.recipient?.text != query.user.text { return false }
        guard case .chat(_, _, let type) = transaction.asset else {
            return transaction.type == 0 && query.includesTransfers && query.chatType == nil
        }
        guard let chatType = query.chatType else { return type != 3 }
        return chatType == Int(type) && (query.companion != nil || type != 3)
    }

    private func page(_ rows: [(transaction: Transaction, height: Int, place: Int)], _ query: ChatRoomQuery)
        -> (ids: [String], count: Int)
    {
        let sorted = rows.sorted { left, right in
            let (first, second) = (left.transaction.timestamp, right.transaction.timestamp)
            return first == second ? left.place < right.place : (first > second) == query.isDescending
        }
        return (
            sorted.dropFirst(query.offset).prefix(query.limit).map(\.transaction.id.description), rows.count
        )
    }
}
