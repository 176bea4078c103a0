/// Amounts of ADM, kept in units of 1e-8.
public enum Amount {
    /// Units in one ADM.
    public static let unitsPerADM: Int64 = 100_000_000

    /// The amount in ADM as JavaScript prints it: no trailing zeros, `1e-8` and the like below 0.000001.
    ///
    /// Exact for every amount, as the big-number package of the node is.
    /// - Source: adamant:logic/transaction.js (`checkBalance`)
    public static func adm(_ units: Int64) -> String {
        let sign = units < 0 ? "-" : ""
        let magnitude = units.magnitude
        guard magnitude >= 100 || magnitude == 0 else {
            let (first, second) = (magnitude / 10, magnitude % 10)
            if first == 0 { return "\(sign)\(second)e-8" }
            return second == 0 ? "\(sign)\(first)e-7" : "\(sign)\(first).\(second)e-7"
        }
        let whole = magnitude / unitsPerADM.magnitude
        let fraction = String(magnitude % unitsPerADM.magnitude)
        var digits = String(repeating: "0", count: 8 - fraction.count) + fraction
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole)" + (digits.isEmpty ? "" : "." + digits)
    }

    /// The units of an amount of ADM in plain decimal, such as `12` or `0.5`; nil for anything finer or else.
    public static func units(adm text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ isDigits($0) }) else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.utf8.count <= 8 else { return nil }
        let padded = fraction + String(repeating: "0", count: 8 - fraction.utf8.count)
        return Int64(parts[0] + padded)
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    }
}
