import JSONValue

/// What a push's payload says, in all forms in which it may say it.
struct PayloadContent {
    /// Why a payload tells too much.
    enum Leak: Equatable {
        /// It holds text of the message, in a form and at a place.
        case text(fragment: String, form: String, place: String)
        /// It holds the sender's address.
        case sender(form: String, place: String)
        /// It holds text where the key of a localised text belongs.
        case freeText(place: String, text: String)
    }

    /// A text in the payload, decoded in some way.
    private struct Reading {
        let text: [UInt8]
        let form: String
        let place: String
    }

    /// Shorter texts are looked for only where they fill a field.
    private static let shortestFragment = 4
    /// So many letters in common are text of the message.
    private static let fragment = 12
    /// How deep codings may lie in each other.
    private static let greatestDepth = 3
    /// Values of a payload beyond this many are not read.
    private static let mostValues = 500

    private let root: JSONValue?
    private var fields: [(place: String, text: String)] = []

    /// Reads a payload.
    init(_ bytes: [UInt8]) {
        root = try? JSONValue(parsing: bytes)
        if let root {
            collect(root, at: "")
        } else {
            fields = [("payload", String(decoding: bytes, as: UTF8.self))]
        }
    }

    private mutating func collect(_ value: JSONValue, at place: String) {
        guard fields.count < Self.mostValues else { return }
        switch value {
        case .string(let text): fields.append((place, text))
        case .number(let number): fields.append((place, number.literal))
        case .array(let elements):
            for (index, element) in elements.enumerated() { collect(element, at: "\(place)[\(index)]") }
        case .object(let object):
            for member in object.members {
                let name = place.isEmpty ? member.key : "\(place).\(member.key)"
                fields.append(("a key of \(place.isEmpty ? "the payload" : place)", member.key))
                collect(member.value, at: name)
            }
        case .bool, .null: break
        }
    }

    /// Text where the key of a localised text belongs.
    func freeText() -> Leak? {
        guard let alert = root?["aps"]?["alert"], !alert.isNull else { return nil }
        if let text = alert.stringValue, !text.isEmpty {
            return .freeText(place: "aps.alert", text: text)
        }
        for name in ["title", "subtitle", "body", "launch-image", "summary-arg"] {
            if let text = alert[name]?.stringValue, !text.isEmpty {
                return .freeText(place: "aps.alert.\(name)", text: text)
            }
        }
        for name in ["loc-key", "title-loc-key", "subtitle-loc-key"] {
            if let text = alert[name]?.stringValue, text.contains(where: \.isWhitespace) {
                return .freeText(place: "aps.alert.\(name)", text: text)
            }
        }
        for name in ["loc-args", "title-loc-args", "subtitle-loc-args"] {
            guard let texts = alert[name]?.arrayValue, !texts.isEmpty else { continue }
            return .freeText(place: "aps.alert.\(name)", text: texts.map(\.text).joined(separator: ", "))
        }
        return nil
    }

    /// Whether it tells who sent the message, or what it says; the names of the transaction itself are no secret.
    func leak(of secret: SecretContent) -> Leak? {
        let readings = readings()
        let sender = Array(secret.sender.dropFirst().utf8)
        if sender.count >= 6, let found = readings.first(where: { $0.text.contains(sender) }) {
            return .sender(form: found.form, place: found.place)
        }
        guard let text = secret.text else { return nil }
        for needle in Self.needles(text) {
            if let leak = Self.find(needle, in: readings) { return leak }
        }
        return nil
    }

    /// The texts to look for: the message, and those inside a rich one.
    private static func needles(_ text: String) -> [String] {
        var needles = [text]
        if let object = (try? JSONValue(parsing: text))?.objectValue {
            needles += object.members.compactMap(\.value.stringValue)
        }
        return needles.filter { !$0.isEmpty }
    }

    private static func find(_ needle: String, in readings: [Reading]) -> Leak? {
        let wanted = Array(needle.folded.utf8)
        guard wanted.count >= shortestFragment else {
            let found = readings.first { $0.text == wanted && $0.place != "aps.sound" }
            return found.map { .text(fragment: needle, form: $0.form, place: $0.place) }
        }
        let length = min(wanted.count, fragment)
        var windows: Set<ArraySlice<UInt8>> = []
        for start in 0...(wanted.count - length) { windows.insert(wanted[start..<start + length]) }
        for reading in readings where reading.text.count >= length {
            for start in 0...(reading.text.count - length) {
                let window = reading.text[start..<start + length]
                if windows.contains(window) {
                    let fragment = String(decoding: window, as: UTF8.self)
                    return .text(fragment: fragment, form: reading.form, place: reading.place)
                }
            }
        }
        return nil
    }

    /// Every field, all of them together, and what they are when decoded.
    private func readings() -> [Reading] {
        let secretFree = ["push-recipient", "txn-id"]
        let told = fields.filter { !secretFree.contains($0.place) }
        var readings: [Reading] = []
        for (place, text) in told {
            Self.read(text, form: "as it is", place: place, depth: 0, into: &readings)
        }
        let values = told.filter { !$0.place.hasPrefix("a key of") }.map(\.text)
        guard values.count > 1 else { return readings }
        Self.read(values.joined(), form: "split over fields", place: "the payload", depth: 0, into: &readings)
        // Codings that were cut into pieces, whatever else stands between these.
        let custom = told.filter { !$0.place.hasPrefix("aps") && !$0.place.hasPrefix("a key of") }.map(\.text)
        Self.read(custom.joined(), form: "split over fields", place: "the payload", depth: 0, into: &readings)
        return readings
    }

    private static func read(
        _ text: String,
        form: String,
        place: String,
        depth: Int,
        into readings: inout [Reading]
    ) {
        readings.append(Reading(text: Array(text.folded.utf8), form: form, place: place))
        if depth == 0, let reversed = TextCoding.backwards(text) {
            readings.append(Reading(text: Array(reversed.folded.utf8), form: "backwards", place: place))
        }
        guard depth < greatestDepth else { return }
        for (coding, decoded) in TextCoding.decodings(of: text) {
            let name = form == "as it is" ? coding : "\(form), \(coding)"
            read(decoded, form: name, place: place, depth: depth + 1, into: &readings)
        }
    }
}

extension String {
    /// The text without regard to case.
    fileprivate var folded: String { lowercased() }
}
