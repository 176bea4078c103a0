import JSONValue
import Testing

@Suite("Decimal digits")
struct DecimalDigitsTests {
    @Test(
        "a number is appended as Swift prints it",
        arguments: [0, 7, 10, -1, 120, 99_999, 1_000_000, .max, .min] as [Int64]
    )
    func digits(value: Int64) {
        var text = Array("x".utf8)
        text.append(decimal: value)
        #expect(String(decoding: text, as: UTF8.self) == "x" + String(value))
    }
}
