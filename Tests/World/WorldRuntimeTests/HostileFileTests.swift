import AdamantModel
import Determinism
import JSONValue
import Recording
import SystemCryptography
import TestSupport
import Testing

@testable import WorldRuntime

/// Numbers from a folder or a file that nobody wrote who meant well: each is refused or bounded, and no world ends.
@Suite("World: numbers from a hostile file")
struct HostileFileTests {
    private static let largest = "9223372036854775807"

    /// A log as it is read, over a fresh world of one node.
    private static func replay(_ world: World) -> LogReplay {
        LogReplay(
            state: world.settings.freshState(isKept: false, cryptography: world.cryptography),
            settings: world.settings,
            cryptography: world.cryptography
        )
    }

    private static func held(id: String, node: Int) throws -> HeldTransaction {
        let alice = try #require(TestAccounts.all.first { $0.name == "alice" })
        let transaction = Transaction(
            signing: .none,
            type: Transaction.Kind.transfer,
            timestamp: 1,
            recipient: alice.address,
            amount: 1,
            by: alice.keyPair,
            cryptography: SystemCryptography()
        )
        return HeldTransaction(
            id: id,
            seq: 1,
            ruleId: "f1",
            node: node,
            transaction: transaction,
            posted: JSONObject(),
            at: .epoch
        )
    }

    @Test(
        "a world of no node, of more nodes than there are names, or of no possible height is refused",
        arguments: [(-1, 1), (0, 1), (25, 1), (4000, 1), (1, -1), (1, 0), (1, Int.max), (1, 2_000_000_001)]
    )
    func configurations(nodes: Int, startHeight: Int) {
        var configuration = WorldConfiguration()
        configuration.nodeCount = nodes
        configuration.startHeight = startHeight
        #expect(KeptConfiguration(KeptConfiguration(configuration).text) == nil)
    }

    @Test("the largest worlds are read", arguments: [(1, 2_000_000_000), (24, 1)])
    func largestConfigurations(nodes: Int, startHeight: Int) {
        var configuration = WorldConfiguration()
        configuration.nodeCount = nodes
        configuration.startHeight = startHeight
        let kept = KeptConfiguration(configuration)
        #expect(KeptConfiguration(kept.text) == kept)
    }

    @Test("a folder whose configuration makes no sense is refused, not begun anew")
    func configurationOfFolder() throws {
        let folder = try TemporaryFolder()
        try RunningWorld { $0.dataDirectory = folder.path }.world.stop()
        let text = try Self.change(folder) { log in
            let text = log.meta(KeptConfiguration.key) ?? ""
            log.setMeta(
                KeptConfiguration.key,
                text.replacing(#""nodes":1"#, with: #""nodes":-1"#)
            )
            return text
        }
        #expect(text.contains(#""nodes":1"#))
        let error = #expect(throws: WorldError.self) { try RunningWorld { $0.dataDirectory = folder.path } }
        #expect(error?.message.contains("cannot be read") == true)
    }

    @Test("a held transaction of a node that is not there is refused", arguments: [-1, 1, .max] as [Int])
    func heldNode(node: Int) throws {
        let running = try RunningWorld()
        var replay = Self.replay(running.world)
        replay.apply(number: 1, kind: LogEntry.Kind.held.rawValue, try Self.held(id: "h1", node: 0).kept)
        #expect(replay.damage == nil && replay.state.held.all.count == 1)
        replay.apply(number: 2, kind: LogEntry.Kind.held.rawValue, try Self.held(id: "h2", node: node).kept)
        #expect(replay.damage == "row 2, of kind 7, cannot be read")
    }

    @Test("ids are counted on only from numbers that leave room")
    func ids() throws {
        #expect("d17".numberOfId == 17)
        for id in ["d\(Self.largest)", "d-1", "d4611686018427387903", "d99999999999999999999", "d", "", "dx"]
        {
            #expect(id.numberOfId == 0, "\(id)")
        }
        var held = HeldTransactions()
        held.restore(try Self.held(id: "h\(Self.largest)", node: 0))
        let next = held.add(
            try Self.held(id: "", node: 0).transaction,
            posted: JSONObject(),
            node: 0,
            ruleId: "f1",
            seq: 1,
            at: .epoch
        )
        #expect(next?.id == "h1")
        let running = try RunningWorld()
        var state = Self.replay(running.world).state
        #expect(state.takeSnapshot(id: "s\(Self.largest)", name: nil, at: .epoch) != nil)
        #expect(state.snapshots.nextId == "s1")
    }

    @Test("a push with a number from which no event can follow is refused")
    func pushNumber() throws {
        let folder = try TemporaryFolder()
        let running = try RunningWorld { $0.dataDirectory = folder.path }
        _ = try running.push(someToken())
        let number = try #require(try running.list("pushes", "/v1/pushes").first?["seq"]?.intValue)
        running.world.stop()
        let row = try Self.change(folder) { log in try #require(try Self.rows(log, of: .push).last) }
        for (seq, isRead) in [
            ("\(number)", true), (Self.largest, false), ("4611686018427387903", false), ("0", false),
            ("-1", false),
        ] {
            var replay = Self.replay(running.world)
            let text = String(decoding: row, as: UTF8.self)
                .replacing(#""seq":\#(number),"#, with: #""seq":\#(seq),"#)
            replay.apply(number: 1, kind: LogEntry.Kind.push.rawValue, Array(text.utf8))
            #expect((replay.damage == nil) == isRead, "\(seq)")
        }
    }

    @Test("a folder that tells of more events than there can be is refused")
    func eventNumber() throws {
        let folder = try TemporaryFolder()
        try RunningWorld { $0.dataDirectory = folder.path }.world.stop()
        try Self.change(folder) { $0.setMeta(WorldStorage.eventsKey, Self.largest) }
        let error = #expect(throws: WorldError.self) { try RunningWorld { $0.dataDirectory = folder.path } }
        #expect(error?.message.contains(Self.largest) == true)
    }

    @Test("devices go on with the largest numbers that a row can hold, and further ones are made")
    func devices() throws {
        let folder = try TemporaryFolder()
        let running = try RunningWorld { $0.dataDirectory = folder.path }
        try running.post("/v1/devices", status: 201)
        running.world.stop()
        try Self.change(folder) { log in
            let row = try #require(try Self.rows(log, of: .device).last)
            let text = String(decoding: row, as: UTF8.self)
                .replacing(#""d1""#, with: #""d\#(Self.largest)""#)
                .replacing(#""lostSinceDelivery":0"#, with: #""lostSinceDelivery":\#(Self.largest)"#)
            log.append(kind: LogEntry.Kind.device.rawValue, body: Array(text.utf8))
        }
        let again = try RunningWorld { $0.dataDirectory = folder.path }
        #expect(try again.post("/v1/devices", status: 201).text("id") == "d2")
        #expect(try again.get("/v1/devices/d\(Self.largest)")["lostSinceDelivery"] == 0)
    }

    /// Works on the log of a world that has stopped.
    @discardableResult
    private static func change<Result>(
        _ folder: TemporaryFolder,
        _ body: (WorldLog) throws -> Result
    ) throws -> Result {
        let log = try WorldLog(directory: folder.path) { Issue.record("\($0)") }
        defer { log.close() }
        return try body(log)
    }

    private static func rows(_ log: WorldLog, of kind: LogEntry.Kind) throws -> [[UInt8]] {
        var rows: [[UInt8]] = []
        try log.replay { if $0.kind == kind.rawValue { rows.append($0.body) } }
        return rows
    }
}
