import AdamantModel
import JSONValue
import Testing

@Suite("Amounts, fees and rewards")
struct AmountTests {
    @Test("a balance is printed as the node prints it")
    func balanceText() throws {
        for vector in try Vectors().list("balanceErrorText", count: 8) {
            let units = try #require(Int64(vector.text("balance")))
            let text = "Account does not have enough ADM: U1 balance: " + Amount.adm(units)
            #expect(try text == vector.text("rendered"))
        }
    }

    @Test(
        "an amount keeps all its digits",
        arguments: [
            (99, "9.9e-7"), (12, "1.2e-7"), (101, "0.00000101"), (-1, "-1e-8"), (-150_000_000, "-1.5"),
            (9_800_000_000_000_001, "98000000.00000001"), (.max, "92233720368.54775807"),
            (.min, "-92233720368.54775808"),
        ] as [(Int64, String)]
    )
    func digits(units: Int64, text: String) {
        #expect(Amount.adm(units) == text)
    }

    @Test(
        "an amount is read from plain decimal",
        arguments: [
            ("1", 100_000_000), ("0.5", 50_000_000), ("0.00000001", 1), ("12.30", 1_230_000_000),
            ("0.000000001", nil), ("", nil), (".5", nil), ("1.", nil), ("-1", nil), ("1e3", nil), ("1 ", nil),
            ("92233720368.54775807", .max), ("92233720368.54775808", nil), ("1.2.3", nil),
        ] as [(String, Int64?)]
    )
    func reading(text: String, units: Int64?) {
        #expect(Amount.units(adm: text) == units)
    }

    @Test("reward, milestone and supply follow the heights of the vectors")
    func rewards() throws {
        for vector in try Vectors().list("rewards", count: 20) {
            let height = Int(try vector.integer("height"))
            #expect(try Int64(Rewards.milestone(height: height)) == vector.integer("milestone"), "\(height)")
            #expect(try Rewards.reward(height: height) == vector.integer("reward"), "\(height)")
            #expect(try Rewards.supply(height: height) == vector.integer("supply"), "\(height)")
        }
    }

    @Test(
        "a message costs one unit up to 764 bytes, two from 765, three from 1148",
        arguments: [(0, 1), (764, 1), (765, 2), (1147, 2), (1148, 3)]
    )
    func messageFee(bytes: Int, units: Int64) {
        let message = String(repeating: "ab", count: bytes)
        let chat = { Asset.chat(message: message, ownMessage: nil, type: $0) }
        #expect(Fees.fee(asset: chat(1), amount: 0) == units * 100_000)
        #expect(Fees.fee(asset: chat(0), amount: 0) == units * 500_000)
        #expect(Fees.fee(asset: chat(1), amount: 1) == 50_000_000)
        #expect(Fees.fee(asset: .state(value: message, key: nil, type: 0), amount: 0) == units * 100_000)
    }
}
