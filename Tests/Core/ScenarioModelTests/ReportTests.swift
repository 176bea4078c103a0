import JSONValue
import ScenarioModel
import Testing

@Suite("Scenarios: reports")
struct ReportTests {
    private static func result(_ file: String, seed: Int, _ outcome: String) -> JSONValue {
        var result = JSONObject([
            ("name", "A <story> & \"more\""), ("file", .string(file)), ("seed", .int(seed)),
            ("outcome", .string(outcome)),
        ])
        if outcome != "passed" {
            result["failure"] = ["place": "a.yml:3:5", "step": "a push", "reason": "not so within 5s"]
            result["repeat"] = "mocknet run --seed 1 a.yml"
        }
        result["measured"] = [
            "milliseconds": 1234, "nearest": ["nearest: status 410"], "timeline": ["+0.000s  a\u{1}b"],
        ]
        return .object(result)
    }

    @Test("results are counted by their outcome")
    func counts() {
        let report = ScenarioReport([
            Self.result("a.yml", seed: 1, "passed"), Self.result("a.yml", seed: 2, "failed"),
            Self.result("b.yml", seed: 1, "error"),
        ])
        #expect(report.json["passed"] == 1)
        #expect(report.json["failed"] == 1)
        #expect(report.json["errors"] == 1)
        #expect(ScenarioReport(json: report.json) == report)
    }

    @Test(
        "what is no report is refused",
        arguments: [
            "{}", "[]", #"{"format":"x","results":[]}"#, #"{"format":"mocknet scenario report 1"}"#,
            #"{"format":"mocknet scenario report 1","results":[{}]}"#,
            #"{"format":"mocknet scenario report 1","results":[{"name":"n","outcome":"maybe"}]}"#,
        ]
    )
    func noReport(text: String) throws {
        #expect(ScenarioReport(json: try JSONValue(parsing: text)) == nil)
    }

    @Test("the order of merged results does not depend on who played which")
    func merging() {
        let all = [("a.yml", 2), ("a.yml", 10), ("b.yml", 1), ("b.yml", 2)].map { file, seed in
            Self.result(file, seed: seed, "passed")
        }
        let left = ScenarioReport([all[3], all[0]])
        let right = ScenarioReport([all[2], all[1]])
        #expect(ScenarioReport(merging: [left, right]).results == all)
        #expect(ScenarioReport(merging: [right, left]).results == all)
    }

    @Test("JUnit XML has a suite for each file, and texts that XML cannot hold are escaped or replaced")
    func junit() {
        let report = ScenarioReport([
            Self.result("a.yml", seed: 1, "passed"), Self.result("a.yml", seed: 2, "failed"),
        ])
        #expect(
            report.junit == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="mocknet" tests="2" failures="1" errors="0" time="2.468">
                  <testsuite name="a.yml" tests="2" failures="1" errors="0" time="2.468">
                    <testcase name="A &lt;story&gt; &amp; &quot;more&quot; (seed 1)" classname="a.yml" time="1.234"/>
                    <testcase name="A &lt;story&gt; &amp; &quot;more&quot; (seed 2)" classname="a.yml" time="1.234">
                      <failure message="a push: not so within 5s" type="failed">a.yml:3:5: a push: not so within 5s&#10;nearest: status 410&#10;repeat with: mocknet run --seed 1 a.yml</failure>
                      <system-out>+0.000s  a\u{FFFD}b</system-out>
                    </testcase>
                  </testsuite>
                </testsuites>

                """
        )
    }

    @Test("a report without results is well-formed")
    func empty() {
        #expect(
            ScenarioReport([]).junit
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mocknet\" tests=\"0\" failures=\"0\" errors=\"0\" time=\"0.000\">\n</testsuites>\n"
        )
    }
}
