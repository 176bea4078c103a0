import ScenarioModel
import WorldRuntime

/// A value that a setting does not take; the reader adds which setting and where it was given.
struct ValueError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// How values are written on the command line, in variables and in the configuration file.
enum Value {
    /// An integer within bounds.
    static func integer<Number: FixedWidthInteger>(_ text: String, in range: ClosedRange<Number>)
        throws(ValueError) -> Number
    {
        guard let number = Number(text), range.contains(number) else {
            throw ValueError(
                "must be an integer from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return number
    }

    /// A number from 0 to 1.
    static func fraction(_ text: String) throws(ValueError) -> Double {
        guard let number = Double(text), (0...1).contains(number) else {
            throw ValueError("must be a number from 0 to 1, not '\(text)'")
        }
        return number
    }

    /// `true` or `false`.
    static func truth(_ text: String) throws(ValueError) -> Bool {
        guard let value = Bool(text) else { throw ValueError("must be true or false, not '\(text)'") }
        return value
    }

    /// A name or numeric address that a certificate can carry; the first part of a name may be `*`.
    static func certificateName(_ text: String) throws(ValueError) -> String {
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
            default: false
            }
        }
        guard isAllowed, (1...maximumNameBytes).contains(name.utf8.count) else {
            throw ValueError("must be a host name, *. and a domain, or a numeric address, not '\(text)'")
        }
        return text
    }

    /// A provider's key: its id, its team's, and its file.
    static func providerKey(_ text: String) throws(ValueError) -> WorldConfiguration.ProviderKeyFile {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(
            String.init
        )
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else {
            throw ValueError("must be KEYID:TEAMID:FILE, not '\(text)'")
        }
        return WorldConfiguration.ProviderKeyFile(keyId: parts[0], teamId: parts[1], path: parts[2])
    }

    /// Longest host name, less the two letters of `*.`.
    private static let maximumNameBytes = 251

    /// One of some words.
    static func word<Word: RawRepresentable & CaseIterable>(_ text: String, as type: Word.Type = Word.self)
        throws(ValueError) -> Word where Word.RawValue == String
    {
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValueError("must be one of \(known), not '\(text)'")
        }
        return word
    }

    /// A duration in milliseconds: `250ms`, `5s`, `2m` or `1h`.
    static func milliseconds(_ text: String, in range: ClosedRange<Int>) throws(ValueError) -> Int {
        guard let milliseconds = Quantity.milliseconds(text) else {
            throw ValueError("must be a duration such as 250ms, 5s or 2m, not '\(text)'")
        }
        guard range.contains(milliseconds) else {
            let bounds = "\(Quantity.duration(range.lowerBound)) to \(Quantity.duration(range.upperBound))"
            throw ValueError("must be a duration from \(bounds), not '\(text)'")
        }
        return milliseconds
    }

    /// An amount in ADM with up to eight decimals, in units of 1e-8.
    static func amountUnits(_ text: String) throws(ValueError) -> UInt64 {
        guard let units = Quantity.amountUnits(text) else {
            throw ValueError("must be an amount in ADM with up to 8 decimals, not '\(text)'")
        }
        guard units <= maximumUnits else {
            throw ValueError("must be at most \(maximumUnits / Quantity.unitsPerADM) ADM, not '\(text)'")
        }
        return units
    }

    /// An address: U and digits.
    static func address(_ text: String) throws(ValueError) -> String {
        guard isAddress(text) else {
            throw ValueError("must be an address, U and digits, not '\(text)'")
        }
        return text
    }

    /// Whether a text is an address.
    static func isAddress(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (2...22).contains(bytes.count) && bytes[0] | 0x20 == UInt8(ascii: "u")
            && bytes.dropFirst().allSatisfy { (48...57).contains($0) }
    }

    /// A text that is not empty.
    static func text(_ text: String) throws(ValueError) -> String {
        guard !text.isEmpty else { throw ValueError("must not be empty") }
        return text
    }

    /// A hundred million ADM: more than there will ever be.
    private static let maximumUnits: UInt64 = 100_000_000 * 100_000_000
}
