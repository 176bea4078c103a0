import Foundation
import Testing

@testable import FaultRules

@Suite("Faults: numbers for log-normal draws")
struct LogNormalTests {
    @Test("takes logarithms as the C library does")
    func logarithm() {
        let values = (-60...60).flatMap { exponent in
            (0..<50).map { Double(sign: .plus, exponent: exponent, significand: 1 + Double($0) / 50) }
        }
        let errors = values.map { (LogNormal.logarithm($0) - log($0)).magnitude / max(1, log($0).magnitude) }
        #expect(errors.max() ?? 1 < 1e-15)
    }

    @Test("takes exponentials as the C library does")
    func exponential() {
        let powers = (-7000...7000).map { Double($0) / 10 }
        let errors = powers.map { (LogNormal.exponential($0) / exp($0) - 1).magnitude }
        #expect(errors.max() ?? 1 < 1e-13)
        #expect(LogNormal.exponential(1e9).isFinite)
        #expect(LogNormal.exponential(-1e9) >= 0)
    }

    @Test("inverts the normal distribution as its error function does")
    func inverseNormal() {
        let probabilities = (1..<10_000).map { Double($0) / 10_000 }
        let errors = probabilities.map { probability in
            let quantile = LogNormal.inverseNormal(probability)
            return (erfc(-quantile / 2.0.squareRoot()) / 2 - probability).magnitude
        }
        #expect(errors.max() ?? 1 < 1e-9)
        #expect(LogNormal.inverseNormal(0).isFinite)
        #expect(LogNormal.inverseNormal(1).isFinite)
        #expect(LogNormal.inverseNormal(0.5) == 0)
    }
}
