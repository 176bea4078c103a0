extension Timestamp {
    /// The moment as RFC 3339 text in UTC with milliseconds, for example `2026-01-01T00:00:00.000Z`.
    public var rfc3339: String {
        let days = unixMilliseconds.flooredDivision(by: 86_400_000)
        let time = unixMilliseconds - days * 86_400_000
        let (year, month, day) = Self.civil(fromDays: days)
        let hour = time / 3_600_000
        let minute = time / 60_000 % 60
        let second = time / 1000 % 60
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T"
            + "\(pad(hour, 2)):\(pad(minute, 2)):\(pad(second, 2)).\(pad(time % 1000, 3))Z"
    }

    /// Reads RFC 3339 text: date, `T`, time, optional fraction, `Z` or a numeric offset.
    public init?(rfc3339 text: String) {
        var reader = DigitReader(Array(text.utf8))
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
            let second = reader.number(2), (1...12).contains(month), (1...31).contains(day), hour < 24,
            minute < 60, second < 60
        else { return nil }
        let fraction = reader.fractionMilliseconds()
        guard let fraction, let offsetMinutes = reader.offsetMinutes(), reader.isAtEnd else { return nil }
        let days = Self.days(fromYear: year, month: month, day: day)
        guard Self.civil(fromDays: days) == (year, month, day) else { return nil }
        let seconds = days * 86_400 + hour * 3600 + (minute - offsetMinutes) * 60 + second
        self.init(unixMilliseconds: seconds * 1000 + fraction)
    }

    /// Year, month and day of a number of days since 1970 in the proleptic Gregorian calendar.
    private static func civil(fromDays days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredDivision(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func days(fromYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.flooredDivision(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

private func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Reads fixed-width digits from ASCII text.
private struct DigitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(_ width: Int) -> Int64? {
        guard bytes.count - position >= width else { return nil }
        var value: Int64 = 0
        for byte in bytes[position..<position + width] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 48)
        }
        position += width
        return value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
        position += 1
        return true
    }

    mutating func fractionMilliseconds() -> Int64? {
        guard skip(".") else { return 0 }
        var value: Int64 = 0
        var digits = 0
        while position < bytes.count, (48...57).contains(bytes[position]) {
            if digits < 3 { value = value * 10 + Int64(bytes[position] - 48) }
            digits += 1
            position += 1
        }
        guard digits > 0 else { return nil }
        return digits == 1 ? value * 100 : digits == 2 ? value * 10 : value
    }

    mutating func offsetMinutes() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64 = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
