/// Times and amounts as people write them.
public enum Quantity {
    private static let units = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]
    /// Units of 1e-8 in one ADM.
    public static let unitsPerADM: UInt64 = 100_000_000

    /// The milliseconds of a text such as `250ms`, `5s`, `2m`, `1h` or `30d`; nil for any other.
    public static func milliseconds(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let factor = units.first(where: { $0.0 == text.dropFirst(digits.count) })?.1,
            let number = Int(digits)
        else { return nil }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : milliseconds
    }

    /// A time in the largest unit that is exact, of hours, minutes, seconds and milliseconds.
    public static func duration(_ milliseconds: Int) -> String {
        let exact = units.dropFirst().first { milliseconds >= $0.1 && milliseconds.isMultiple(of: $0.1) }
        return exact.map { "\(milliseconds / $0.1)\($0.0)" } ?? "\(milliseconds)ms"
    }

    /// The units of 1e-8 of an amount in ADM with up to eight decimals; the most there can be when it is larger.
    public static func amountUnits(_ text: String) -> UInt64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = digits(parts[0]),
            parts.count == 1 || (1...8).contains(parts[1].utf8.count)
        else { return nil }
        let decimals = parts.count == 2 ? String(parts[1]) : "0"
        guard let fraction = digits(decimals + String(repeating: "0", count: 8 - decimals.utf8.count)) else {
            return nil
        }
        let (units, overflow) = whole.multipliedReportingOverflow(by: unitsPerADM)
        let (sum, carries) = units.addingReportingOverflow(fraction)
        return overflow || carries ? UInt64.max : sum
    }

    /// An amount in units of 1e-8, as ADM.
    public static func adm(_ units: UInt64) -> String {
        let fraction = String(units % unitsPerADM)
        var decimals = String(repeating: "0", count: 8 - fraction.count) + fraction
        while decimals.last == "0" { decimals.removeLast() }
        let whole = String(units / unitsPerADM)
        return decimals.isEmpty ? whole : "\(whole).\(decimals)"
    }

    private static func digits(_ text: some StringProtocol) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return UInt64(text)
    }
}
