import Determinism

/// What tells a push from others, in numbers that are made without making a text of anything.
public struct PushFingerprints: Sendable {
    /// Of the device token, whatever the case of its digits; nil where the path holds none.
    public let token: UInt64?
    /// Of the payload's `push-recipient`, whatever the case of its `U`; nil unless it is an ADAMANT address.
    public let recipient: UInt64?
    /// The payload's `txn-id`; nil unless it is a number that fits.
    public let transaction: UInt64?
    /// Whether it is one of the messenger's, by its topic or its payload.
    public let isOfMessenger: Bool
    /// Of the payload but for the values of `push-recipient` and `txn-id`.
    public let template: UInt64
}

extension PushRecord {
    private static let messenger = Array("im.adamant.".utf8)

    /// What tells the push from others.
    public var fingerprints: PushFingerprints { content.request.fingerprints(messenger: Self.messenger) }
}

extension APNsRequest {
    fileprivate func fingerprints(messenger: [UInt8]) -> PushFingerprints {
        let isOfMessenger =
            payload.recipient != nil || payload.transactionId != nil
            || headers.value(.topic)?.starts(with: messenger) ?? false
        var template = Fingerprint()
        if isOfMessenger {
            var start = 0
            for gap in payload.places where gap.lowerBound >= start {
                template.add(body, start..<gap.lowerBound)
                start = gap.upperBound
            }
            template.add(body, start..<max(start, body.count))
        }
        return PushFingerprints(
            token: path.token.map { number(of: headers.bytes, $0) },
            recipient: addressNumber,
            transaction: transactionNumber,
            isOfMessenger: isOfMessenger,
            template: template.value
        )
    }

    private func number(of bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        var fingerprint = Fingerprint()
        fingerprint.add(bytes, range, foldsCase: true)
        return fingerprint.value
    }

    private var addressNumber: UInt64? {
        guard let range = payload.recipient else { return nil }
        guard let plain = PayloadScan.plain(body, range) else {
            guard let bytes = PayloadScan.text(body, range).map({ Array($0.utf8) }),
                Self.isAddress(bytes, bytes.indices)
            else { return nil }
            return number(of: bytes, bytes.indices)
        }
        return Self.isAddress(body, plain.indices) ? number(of: body, plain.indices) : nil
    }

    private static func isAddress(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard (2...22).contains(range.count), bytes[range.lowerBound] | 0x20 == UInt8(ascii: "u") else {
            return false
        }
        return bytes[range].dropFirst().allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
    }

    private var transactionNumber: UInt64? {
        guard let range = payload.transactionId else { return nil }
        let digits = PayloadScan.plain(body, range) ?? ArraySlice((PayloadScan.text(body, range) ?? "").utf8)
        guard !digits.isEmpty else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            let value = digit &- UInt8(ascii: "0")
            let (tens, isTooLong) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLarge) = tens.addingReportingOverflow(UInt64(value))
            guard value < 10, !isTooLong, !isTooLarge else { return nil }
            number = sum
        }
        return number
    }
}
