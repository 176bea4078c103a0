import Foundation
import JSONValue
import Testing

@Suite("What the world tells programs of itself", .timeLimit(.minutes(2)))
struct DescribedTests {
    @Test("OpenAPI's validator takes the document, and Prometheus's parser the figures", .withPythonClients)
    func documentAndFigures() async throws {
        _ = try await Mocknet.client("described.py", [Mocknet.binary])
    }

    @Test("--log json prints each event as a line, and keeps standard output for the result")
    func log() async throws {
        let world = try await RunningWorld(["--log", "json", "--json", "--forging", "manual"])
        _ = try await world.call(
            "POST",
            "/v1/transactions",
            ["from": "zero", "to": "bob", "amount": "1"],
            expecting: 422
        )
        _ = try await world.call("POST", "/v1/chain/forge")
        try await waitUntil("the block is logged", within: 10) {
            world.program.errors.contains("block.forged")
        }
        let lines = try world.program.errors.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(lines.map { $0["seq"]?.intValue } == (1...lines.count).map { Int64($0) })
        let refusal = try #require(lines.first { $0["kind"] == "transaction.refused" })
        #expect(refusal["level"] == "warn")
        #expect(refusal["time"]?.stringValue?.hasSuffix("Z") == true)
        #expect(lines.first { $0["kind"] == "block.forged" }?["level"] == "info")
        #expect(try JSONValue(parsing: world.program.output)["control"]?.stringValue == world.control)
    }

    @Test("--log takes no other form")
    func refusal() async throws {
        let ending = try await Mocknet.run(["up", "--port-base", "0", "--log", "xml"])
        #expect(ending.status == 64)
        #expect(ending.errors.contains("--log"))
    }
}
