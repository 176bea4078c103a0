import Determinism
import Testing

@Suite("Fingerprints")
struct FingerprintTests {
    private static func number(_ bytes: [UInt8], _ range: Range<Int>? = nil, foldsCase: Bool = false)
        -> UInt64
    {
        var fingerprint = Fingerprint()
        fingerprint.add(bytes, range ?? bytes.indices, foldsCase: foldsCase)
        return fingerprint.value
    }

    @Test("letters count in either case where that is asked for, and nothing but letters", arguments: 0..<256)
    func folding(byte: Int) {
        let byte = UInt8(byte)
        let isCapital = (65...90).contains(byte)
        // At each place of a word, and in what is left behind the last whole one.
        for place in 0..<11 {
            var bytes = [UInt8](repeating: 0x39, count: 11)
            bytes[place] = byte
            var lower = bytes
            if isCapital { lower[place] = byte | 0x20 }
            #expect(Self.number(bytes, foldsCase: true) == Self.number(lower))
            #expect((Self.number(bytes) == Self.number(lower)) == !isCapital)
        }
    }

    @Test("a part of bytes has the number of the part alone, whatever lies around it")
    func parts() {
        let bytes = (0..<40).map { UInt8($0) }
        for start in 0..<10 {
            for end in start...40 {
                #expect(Self.number(bytes, start..<end) == Self.number(Array(bytes[start..<end])))
            }
        }
        _ = Self.number(bytes, 30..<90)
        _ = Self.number([], 5..<9)
    }

    @Test("what differs has other numbers")
    func differences() {
        var numbers: Set<UInt64> = []
        for value in 0..<20_000 {
            let digits = String(value, radix: 16)
            numbers.insert(Fingerprint.folded(String(repeating: "0", count: 64 - digits.count) + digits))
        }
        for length in 0..<100 { numbers.insert(Self.number([UInt8](repeating: 0, count: length))) }
        #expect(numbers.count == 20_100)
        #expect(Fingerprint.folded("U12ab") == Fingerprint.folded("u12AB"))
    }
}
