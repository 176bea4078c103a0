import Determinism
import Testing

@Suite("Random draws")
struct SeededGeneratorTests {
    @Test("a seed gives the published sequence of SplitMix64")
    func published() {
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(
            (0..<5).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }

    @Test("a purpose gives the same sequence in every process")
    func purposes() {
        var generator = SeededGenerator(seed: 7, purpose: "faults")
        #expect(
            (0..<3).map { _ in generator.next() } == [
                10_438_742_250_548_336_210, 16_772_554_783_052_846_949, 8_913_775_335_735_028_425,
            ]
        )
        #expect(
            (0..<3).map { SeededGenerator.fraction(seed: 7, purpose: "faults", index: $0) } == [
                0.670658395568867, 0.5658853513030364, 0.9092420166959017,
            ]
        )
    }

    @Test("purposes and seeds do not share their draws")
    func independence() {
        var seen: Set<UInt64> = []
        for seed in 0..<10 as Range<UInt64> {
            for purpose in ["", "a", "b", "ab", "ba"] {
                var generator = SeededGenerator(seed: seed, purpose: purpose)
                for _ in 0..<10 { seen.insert(generator.next()) }
            }
        }
        #expect(seen.count == 500)
    }

    @Test("fractions lie in [0, 1) and spread evenly")
    func fractions() {
        var buckets = [Int](repeating: 0, count: 10)
        for index in 0..<10_000 as Range<UInt64> {
            let fraction = SeededGenerator.fraction(seed: 3, purpose: "spread", index: index)
            #expect((0..<1).contains(fraction))
            buckets[Int(fraction * 10)] += 1
        }
        // Six standard deviations of a binomial draw of 10,000 at 0.1.
        #expect(buckets.allSatisfy { (820...1180).contains($0) })
    }

    @Test("bytes come in the number asked for and repeat with the seed")
    func bytes() {
        var first = SeededGenerator(seed: 9)
        var second = SeededGenerator(seed: 9)
        #expect(first.bytes(0).isEmpty)
        let drawn = first.bytes(1000)
        #expect(drawn == second.bytes(1000))
        #expect(Set(drawn).count > 200)
    }
}
