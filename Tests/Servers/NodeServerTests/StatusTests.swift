import AdamantLedger
import Determinism
import JSONValue
import NodeServer
import Synchronization
import Testing

@Suite("Node: status and height")
struct StatusTests {
    private static let nethash = "20d3707bbc3aa75eb9c95a0f19fa92fd2ac0d5aa1810b354a407d666aaff4ac5"

    @Test("tells what 0.9 tells, in its order")
    func old() throws {
        let world = try TestWorld(version: "0.9.0")
        #expect(
            try world.body("/api/node/status")
                == #"{"success":true,"nodeTimestamp":275000100,"loader":{"loaded":true,"now":1,"syncing":false,"#
                + #""consensus":100,"blocks":0,"blocksCount":1},"network":{"broadhash":"\#(Self.nethash)","#
                + #""epoch":"2017-09-02T17:00:00.000Z","height":1,"fee":50000000,"milestone":0,"#
                + #""nethash":"\#(Self.nethash)","reward":0,"supply":9800000000000000},"#
                + #""version":{"build":"","commit":"","version":"0.9.0"},"wsClient":{"enabled":true,"port":36668}}"#
        )
        #expect(
            try world.body("/api/blocks/getHeight")
                == #"{"success":true,"nodeTimestamp":275000100,"height":1}"#
        )
    }

    @Test("adds what 0.10 adds, and the exact time")
    func new() throws {
        let world = try TestWorld(version: "0.10")
        world.state.withLock { state in
            state.now = Timestamp(milliseconds: 275_000_100_250)
            state.status.socketPort = nil
        }
        #expect(
            try world.body("/api/node/status")
                == #"{"success":true,"nodeTimestamp":275000100,"loader":{"loaded":true,"now":1,"syncing":false,"#
                + #""consensus":100,"blocks":0,"blocksCount":1},"network":{"broadhash":"\#(Self.nethash)","#
                + #""epoch":"2017-09-02T17:00:00.000Z","height":1,"consensusCodeName":null,"fee":50000000,"#
                + #""milestone":0,"nethash":"\#(Self.nethash)","reward":0,"supply":9800000000000000},"#
                + #""consensusSchedule":{"activationHeights":{"fairSystem":4359465,"spaceship":100000000}},"#
                + #""milestoneSchedule":{"offset":2000000,"distance":6300000,"milestones":[50000000,45000000,"#
                + #"40000000,35000000,30000000,25000000,20000000,15000000,10000000]},"#
                + #""version":{"build":"","commit":"","version":"0.10.3"},"nodeTimestampMs":275000100250,"#
                + #""unixTimestampMs":1779371700250,"wsClient":{"enabled":false}}"#
        )
    }

    @Test("follows the chain: height and broadhash move, the hash of the net stays")
    func follows() throws {
        let world = try TestWorld()
        world.forge()
        world.forge()
        let status = try JSONValue(parsing: world.body("/api/node/status"))
        #expect(status["network"]?["height"] == 3)
        #expect(status["network"]?["nethash"]?.stringValue == Self.nethash)
        #expect(status["network"]?["broadhash"]?.stringValue != Self.nethash)
        #expect(status["loader"]?["now"] == 1)
    }

    @Test("says that it is catching up")
    func syncing() throws {
        let world = try TestWorld()
        world.state.withLock { $0.status.profile.situation.isSyncing = true }
        let status = try JSONValue(parsing: world.body("/api/node/status"))
        #expect(status["loader"]?["syncing"] == true)
        #expect(status["loader"]?["blocks"] == 1)
    }
}
