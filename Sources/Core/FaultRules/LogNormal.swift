/// Draws from a log-normal distribution by IEEE basic operations alone, so that every machine draws the same.
enum LogNormal {
    /// The factor on the median for a uniform draw in [0, 1).
    static func factor(draw: Double, sigma: Double) -> Double {
        exponential(sigma * inverseNormal(draw))
    }

    /// The standard normal quantile, within a relative error of 1.15e-9; the tails are cut at 2^-54.
    ///
    /// - Source: Acklam: An algorithm for computing the inverse normal cumulative distribution function (2003)
    static func inverseNormal(_ probability: Double) -> Double {
        let lowest = 0x1p-54
        let value = min(max(probability, lowest), 1 - lowest)
        if value < 0.02425 { return tail((-2 * logarithm(value)).squareRoot()) }
        if value > 1 - 0.02425 { return -tail((-2 * logarithm(1 - value)).squareRoot()) }
        let offset = value - 0.5
        let square = offset * offset
        return offset * polynomial(central, square) / polynomial(centralDivisor, square)
    }

    /// The natural logarithm of a positive number.
    static func logarithm(_ value: Double) -> Double {
        var mantissa = value.significand
        var exponent = Double(value.exponent)
        if mantissa > 1.414_213_562_373_095_1 {
            mantissa /= 2
            exponent += 1
        }
        // ln m = 2 artanh((m - 1) / (m + 1)); the argument is at most 0.172.
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var sum = 0.0
        for odd in stride(from: 21, through: 1, by: -2) { sum = sum * square + 1 / Double(odd) }
        return exponent * naturalLogarithmOf2 + 2 * ratio * sum
    }

    /// e to the power of a number within ±700; others are cut to these.
    static func exponential(_ power: Double) -> Double {
        let bounded = min(max(power, -700), 700)
        let exponent = (bounded / naturalLogarithmOf2).rounded()
        let rest = bounded - exponent * naturalLogarithmOf2
        var sum = 1.0
        for index in stride(from: 16, through: 1, by: -1) { sum = 1 + sum * rest / Double(index) }
        return Double(sign: .plus, exponent: Int(exponent), significand: sum)
    }

    private static let naturalLogarithmOf2 = 0.693_147_180_559_945_31

    private static let central = [
        -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
        1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00,
    ]
    private static let centralDivisor = [
        -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
        6.680131188771972e+01, -1.328068155288572e+01, 1,
    ]
    private static let outer = [
        -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
        -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00,
    ]
    private static let outerDivisor = [
        7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1,
    ]

    private static func tail(_ root: Double) -> Double {
        polynomial(outer, root) / polynomial(outerDivisor, root)
    }

    private static func polynomial(_ coefficients: [Double], _ variable: Double) -> Double {
        coefficients.reduce(0) { $0 * variable + $1 }
    }
}
