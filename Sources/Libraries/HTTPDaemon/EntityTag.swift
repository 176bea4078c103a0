/// Weak entity tags in the form of Express.
public enum EntityTag {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let multipliers: [UInt64] = [
        0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3,
    ]

    /// A tag that changes with the body, for example `W/"2a-Vv0Yp…"`.
    ///
    /// The form is Express's; the digest is not SHA-1, which would cost more than sending the body.
    /// - Source: etag (length in hexadecimal, 27 characters of Base64)
    public static func weak(_ body: [UInt8]) -> String {
        weak(length: body.count, digest: digest(body))
    }

    /// The tag of a body of this length that has been digested in another way.
    public static func weak(length: Int, digest: UInt64) -> String {
        let digits = max(1, (Int.bitWidth - length.leadingZeroBitCount + 3) / 4)
        // In place: this is done for each answer.
        return unsafe String(unsafeUninitializedCapacity: digits + 32) { text in
            var count = 0
            func append(_ byte: UInt8) {
                unsafe text[count] = byte
                count += 1
            }
            append(UInt8(ascii: "W"))
            append(UInt8(ascii: "/"))
            append(UInt8(ascii: "\""))
            for digit in (0..<digits).reversed() {
                let value = UInt8(truncatingIfNeeded: length >> (digit * 4) & 15)
                append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value)
            }
            append(UInt8(ascii: "-"))
            var bits = digest
            for part in 0..<3 {
                if part > 0 { bits = mix(bits ^ multipliers[part], multipliers[3]) }
                for index in 0..<9 {
                    append(alphabet[Int(truncatingIfNeeded: bits >> (UInt64(index) * 6) & 63)])
                }
            }
            append(UInt8(ascii: "\""))
            return count
        }
    }

    /// Whether an `If-None-Match` field names a tag; weak and strong ones are the same here.
    public static func list(_ field: String, contains tag: String) -> Bool {
        let wanted = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        return field.split(separator: ",").contains { part in
            let name = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return name == "*" || name == wanted || (name.hasPrefix("W/") && name.dropFirst(2) == wanted)
        }
    }

    /// A digest of four lanes, each with a 64-bit product for every 16 bytes: faster than sending them.
    private static func digest(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { buffer in
            var lanes = (multipliers[0], multipliers[1], multipliers[2], multipliers[3])
            func mixed(_ lane: UInt64, _ offset: Int, _ multiplier: UInt64) -> UInt64 {
                mix(
                    unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ multiplier,
                    unsafe buffer.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) ^ lane
                )
            }
            var offset = 0
            while offset + 64 <= buffer.count {
                lanes.0 = mixed(lanes.0, offset, 0xE703_7ED1_A0B4_28DB)
                lanes.1 = mixed(lanes.1, offset + 16, 0x8EBC_6AF0_9C88_C6E3)
                lanes.2 = mixed(lanes.2, offset + 32, 0x5899_65CC_7537_4CC3)
                lanes.3 = mixed(lanes.3, offset + 48, 0xA076_1D64_78BD_642F)
                offset += 64
            }
            var rest = UInt64(truncatingIfNeeded: buffer.count)
            while offset + 16 <= buffer.count {
                rest = mixed(rest, offset, 0xE703_7ED1_A0B4_28DB)
                offset += 16
            }
            while offset < buffer.count {
                rest = mix(rest ^ UInt64(unsafe buffer[offset]), 0xE703_7ED1_A0B4_28DB)
                offset += 1
            }
            return mix(mix(lanes.0 ^ rest, lanes.1 | 1), mix(lanes.2, lanes.3 | 1) | 1)
        }
    }

    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
