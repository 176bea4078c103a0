import Foundation
import Testing

@Suite("Dashboard", .timeLimit(.minutes(8)))
struct DashboardTests {
    @Test("works in a browser: views, actions, live, over a restart, against hostile texts", .withBrowser)
    func browser() async throws {
        let environment = ProcessInfo.processInfo.environment
        let browser = try #require(environment["MOCKNET_TEST_BROWSER"])
        let pictures = environment["MOCKNET_TEST_SCREENSHOTS"].map { ["--screenshots", $0] } ?? []
        _ = try await Mocknet.client(
            "dashboard.py",
            [Mocknet.binary, browser] + pictures,
            python: environment["MOCKNET_TEST_PLAYWRIGHT"],
            within: 400
        )
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs the browser and the Python with its driver that `scripts/test` installs.
    fileprivate static var withBrowser: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["MOCKNET_TEST_BROWSER"] != nil,
            "needs the browser of scripts/test (MOCKNET_TEST_BROWSER, MOCKNET_TEST_PLAYWRIGHT)"
        )
    }
}
