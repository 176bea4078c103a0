import ScenarioModel
import Testing

@Suite("Scenarios: times and amounts")
struct QuantityTests {
    @Test(
        "times are read exactly",
        arguments: [
            ("0s", 0), ("250ms", 250), ("5s", 5000), ("2m", 120_000), ("1h", 3_600_000),
            ("30d", 2_592_000_000),
        ]
    )
    func times(text: String, milliseconds: Int) {
        #expect(Quantity.milliseconds(text) == milliseconds)
    }

    @Test(
        "what is no time is refused",
        arguments: ["", "s", "5", "5 s", "-5s", "1.5s", "9999999999999999d", "٥s"]
    )
    func noTimes(text: String) {
        #expect(Quantity.milliseconds(text) == nil)
    }

    @Test(
        "an amount beyond all amounts is the largest there can be",
        arguments: ["999999999999", "184467440737.09551616"]
    )
    func hugeAmounts(text: String) {
        #expect(Quantity.amountUnits(text) == UInt64.max)
    }
}
