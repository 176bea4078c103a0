import Determinism
import JSONValue

/// Records as bytes, all together: what several share is there once, and each can be read alone.
///
/// It begins with the number of records and where each lies; a header list or a frame lies before the first record
/// that has it. Numbers have their lowest byte first.
public struct PushBlock: Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// How many records it holds.
    public let count: Int
    /// The frame read last, and where it lies.
    private var frame: (place: Int, frame: PushRecord.Frame)?
    /// The header list read last, and where it lies.
    private var head: (place: Int, head: APNsRequestHead)?

    /// A block of records.
    public init(_ records: [PushRecord]) {
        var writer = Writer(count: records.count)
        for record in records { writer.append(record) }
        bytes = writer.bytes
        count = records.count
    }

    /// A block of its bytes; other bytes hold no record.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
        var reader = Reader(bytes: bytes, place: 0)
        count = reader.number(4).map { Int($0) } ?? 0
    }

    /// The record of an index, from 0 on; nil where there is none.
    public mutating func record(at index: Int) -> PushRecord? {
        guard index >= 0, index < count else { return nil }
        var table = Reader(bytes: bytes, place: 4 + 4 * index)
        guard let place = table.number(4) else { return nil }
        var reader = Reader(bytes: bytes, place: Int(place))
        guard let flags = reader.number(1).map({ Flags(rawValue: UInt8(truncatingIfNeeded: $0)) }),
            let sequence = reader.number(8), let at = reader.number(8), let id = reader.uuid(),
            let head = reader.number(4).flatMap({ head(at: Int($0)) }),
            let frame = reader.number(4).flatMap({ frame(at: Int($0)) }),
            let stream = reader.number(4), let bodyCount = reader.number(8), let body = reader.text()
        else { return nil }
        let request = APNsRequest(
            head: head,
            body: body,
            bodyCount: Int(clamping: Int64(bitPattern: bodyCount)),
            environment: frame.environment,
            stream: Int32(truncatingIfNeeded: stream),
            transport: frame.transport
        )
        var record = PushRecord(
            restoring: PushRecord.Content(
                id: id,
                receivedAt: Timestamp(milliseconds: Int64(bitPattern: at)),
                request: request,
                ownId: flags.contains(.ownId) ? reader.uuid() : nil,
                uniqueId: flags.contains(.uniqueId) ? reader.uuid() : nil,
                provider: frame.provider,
                exception: frame.exception
            )
        )
        record.sequence = Int64(bitPattern: sequence)
        if flags.contains(.delivery), let delivery = reader.text() {
            record.delivery = PushRecord.delivery(try? JSONValue(parsing: delivery))
        }
        return record
    }

    private mutating func head(at place: Int) -> APNsRequestHead? {
        if let head, head.place == place { return head.head }
        var reader = Reader(bytes: bytes, place: place)
        guard let count = reader.number(4), let list = reader.text() else { return nil }
        let head = APNsRequestHead(APNsHeaders(bytes: list, count: Int(count)))
        self.head = (place, head)
        return head
    }

    private mutating func frame(at place: Int) -> PushRecord.Frame? {
        if let frame, frame.place == place { return frame.frame }
        var reader = Reader(bytes: bytes, place: place)
        guard let text = reader.text(), let value = try? JSONValue(parsing: text),
            let frame = PushRecord.Frame(value)
        else { return nil }
        self.frame = (place, frame)
        return frame
    }

    /// What a record has beside what all have.
    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let ownId = Flags(rawValue: 1)
        static let uniqueId = Flags(rawValue: 2)
        static let delivery = Flags(rawValue: 4)
    }

    /// Makes the bytes.
    private struct Writer {
        /// What records with one frame have in common.
        private struct FrameKey: Hashable {
            let transport: ObjectIdentifier
            let provider: ObjectIdentifier
            let exception: ObjectIdentifier?
            let environment: APNsEnvironment
        }

        private(set) var bytes: [UInt8] = []
        private var written = 0
        private var heads: [ObjectIdentifier: Int] = [:]
        private var frames: [FrameKey: Int] = [:]

        init(count: Int) {
            bytes.reserveCapacity(64 + count * 512)
            append(UInt64(count), bytes: 4)
            for _ in 0..<count { append(0, bytes: 4) }
        }

        mutating func append(_ record: PushRecord) {
            let head = place(of: record.request.head)
            let frame = placeOfFrame(record)
            let start = bytes.count
            for offset in 0..<4 {
                bytes[4 + 4 * written + offset] = UInt8(truncatingIfNeeded: start >> (8 * offset))
            }
            written += 1
            let content = record.content
            var flags = Flags()
            if content.ownId != nil { flags.insert(.ownId) }
            if content.uniqueId != nil { flags.insert(.uniqueId) }
            let delivery = record.storedDelivery
            if !delivery.isNull { flags.insert(.delivery) }
            bytes.append(flags.rawValue)
            append(UInt64(bitPattern: record.sequence), bytes: 8)
            append(UInt64(bitPattern: record.receivedAt.milliseconds), bytes: 8)
            append(record.id)
            append(UInt64(head), bytes: 4)
            append(UInt64(frame), bytes: 4)
            append(UInt64(UInt32(bitPattern: record.request.stream)), bytes: 4)
            append(UInt64(bitPattern: Int64(record.request.bodyCount)), bytes: 8)
            append(text: record.request.body)
            if let id = content.ownId { append(id) }
            if let id = content.uniqueId { append(id) }
            if !delivery.isNull { append(text: delivery.bytes) }
        }

        private mutating func place(of head: APNsRequestHead) -> Int {
            let key = ObjectIdentifier(head)
            if let place = heads[key] { return place }
            let place = bytes.count
            heads[key] = place
            append(UInt64(head.headers.count), bytes: 4)
            append(text: head.headers.bytes)
            return place
        }

        private mutating func placeOfFrame(_ record: PushRecord) -> Int {
            let key = FrameKey(
                transport: ObjectIdentifier(record.request.transport),
                provider: ObjectIdentifier(record.provider),
                exception: record.content.exception.map { ObjectIdentifier($0) },
                environment: record.request.environment
            )
            if let place = frames[key] { return place }
            let place = bytes.count
            frames[key] = place
            append(text: JSONValue.object(record.storedFrame).bytes)
            return place
        }

        private mutating func append(_ id: APNsUUID) {
            append(id.high, bytes: 8)
            append(id.low, bytes: 8)
        }

        private mutating func append(text: [UInt8]) {
            append(UInt64(text.count), bytes: 4)
            bytes.append(contentsOf: text)
        }

        private mutating func append(_ number: UInt64, bytes count: Int) {
            for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
        }
    }

    /// Reads the bytes; nil beyond their end.
    private struct Reader {
        let bytes: [UInt8]
        var place: Int

        mutating func number(_ count: Int) -> UInt64? {
            guard place >= 0, bytes.count - place >= count else { return nil }
            var number: UInt64 = 0
            for offset in 0..<count { number |= UInt64(bytes[place + offset]) << UInt64(8 * offset) }
            place += count
            return number
        }

        mutating func uuid() -> APNsUUID? {
            guard let high = number(8), let low = number(8) else { return nil }
            return APNsUUID(high: high, low: low)
        }

        mutating func text() -> [UInt8]? {
            guard let count = number(4).map({ Int($0) }), bytes.count - place >= count else { return nil }
            defer { place += count }
            return Array(bytes[place..<place + count])
        }
    }
}
