import Determinism
import Foundation
import JSONValue
import TestSupport
import Testing

@Suite("Moments")
struct TimestampTests {
    @Test("epoch seconds and slots follow the vectors, before the epoch too")
    func epoch() throws {
        let vectors = try #require(Fixture.json("crypto/adamant-crypto.json")["epoch"]?.arrayValue)
        #expect(vectors.count == 6)
        for vector in vectors {
            let moment = Timestamp(unixMilliseconds: try #require(vector["unixMs"]?.intValue))
            #expect(moment.epochSeconds == vector["epochSeconds"]?.intValue)
            #expect(moment.milliseconds == vector["epochMs"]?.intValue)
            #expect(moment.slot == vector["slot"]?.intValue)
            #expect(moment.rfc3339 == vector["iso"]?.stringValue)
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
        }
    }

    @Test("text of 2000 moments is that of Foundation")
    func foundationText() throws {
        var random = SeededGenerator(seed: 1)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2000 {
            // 1600 to 9999.
            let milliseconds = Int64.random(in: -11_676_096_000_000...253_402_300_799_999, using: &random)
            let moment = Timestamp(unixMilliseconds: milliseconds)
            // The nearest double may lie below the millisecond, and the style cuts.
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000 + 0.0002)
            #expect(moment.rfc3339 == date.formatted(style))
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
        }
    }

    @Test(
        "text is read with any fraction and offset",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01 00:00:00.5Z", 500),
            ("1970-01-01T00:00:00.12Z", 120), ("1970-01-01T00:00:00.1239999999999999999999Z", 123),
            ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:30:00-00:30", 0),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)]
    )
    func reading(text: String, unixMilliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.unixMilliseconds == unixMilliseconds)
    }

    @Test(
        "what is no such text is refused",
        arguments: [
            "", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00Z ", "+026-01-01T00:00:00Z",
            "2026-1-01T00:00:00Z",
            "２026-01-01T00:00:00Z",
        ]
    )
    func refused(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("a moment stays within the years 0 to 9999")
    func clamped() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(first.rfc3339 == "0000-01-01T00:00:00.000Z")
        #expect(last.rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(unixMilliseconds: .min) == first)
        #expect(Timestamp(epochSeconds: .max) == last)
        #expect(last.adding(milliseconds: .max) == last)
        #expect(first.adding(milliseconds: -1) == first)
        #expect(first < last)
    }

    @Test("sums, differences and products end at the bounds")
    func clampedArithmetic() {
        #expect(Int64.max.addingClamped(1) == .max)
        #expect(Int64.min.addingClamped(-1) == .min)
        #expect(Int64.min.subtractingClamped(1) == .min)
        #expect(Int64.max.subtractingClamped(-1) == .max)
        #expect(Int64.max.multipliedClamped(by: 2) == .max)
        #expect(Int64.max.multipliedClamped(by: -2) == .min)
        #expect(Int64.min.multipliedClamped(by: -1) == .max)
        #expect((-7 as Int64).flooredDivision(by: 5) == -2)
        #expect((-10 as Int64).flooredDivision(by: 5) == -2)
        #expect((7 as Int64).flooredDivision(by: 5) == 1)
    }
}
