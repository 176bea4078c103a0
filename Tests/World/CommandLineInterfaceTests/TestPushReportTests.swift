import JSONValue
import Testing

@testable import CommandLineInterface

@Suite("Command line: test pushes")
struct TestPushReportTests {
    private static let stations: JSONValue = [
        ["station": "posted", "at": "2026-01-01T00:00:00.000Z", "node": "alpha"],
        ["station": "accepted", "at": "2026-01-01T00:00:00.001Z"],
    ]

    @Test("tells a banner's two lines, and why it was only listed")
    func shown() {
        let answer: JSONValue = [
            "outcome": "shown", "afterMilliseconds": 512, "stations": Self.stations,
            "banner": ["lines": ["U1", "Hello"], "listed": true, "why": "quiet hours"],
        ]
        #expect(
            TestPushReport.text(of: answer) == """
                  2026-01-01T00:00:00.000Z  posted at alpha
                  2026-01-01T00:00:00.001Z  accepted
                listed silently after 512 ms: U1 | Hello (quiet hours)
                """
        )
    }

    @Test("tells where a message was lost, and why")
    func lost() {
        let answer: JSONValue = [
            "outcome": "lost", "lostAt": "polled", "cause": "no service has asked", "banner": .null,
            "stations": [],
        ]
        #expect(TestPushReport.text(of: answer) == "lost: never polled; no service has asked")
    }
}
