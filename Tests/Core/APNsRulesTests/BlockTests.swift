import Determinism
import JSONValue
import Testing

@testable import APNsRules

@Suite("APNs: records put away")
struct BlockTests {
    /// Records of all kinds: shared and own headers, refusals, faults, deliveries, both environments.
    private static func records() -> [PushRecord] {
        var gateway = APNsGateway()
        var generator = SeededGenerator(seed: 5)
        let reset = APNsFault(ruleId: "f1", effect: .unanswered(isProcessed: false))
        let pushes: [(Push, APNsFault?)] = [
            (Push(), nil), (Push(headers: [("apns-id", Push.id)]), nil), (Push(topic: nil), nil),
            (Push(environment: .sandbox, stream: 7), nil), (Push(), reset),
            (Push(path: "/3/device/xyz", body: []), nil), (Push(body: Array("{".utf8), bodyCount: 9000), nil),
            (Push(path: "/nowhere", authorization: nil, clientCertificate: .sample()), nil), (Push(), nil),
            (
                Push(
                    body: Array(#"{"push-recipient":"Ü\n","txn-id":"\u0037\u0038","aps":{"alert":"x"}}"#.utf8)
                ), nil
            ),
        ]
        var records: [PushRecord] = []
        for (index, (push, fault)) in pushes.enumerated() {
            var record = gateway.receive(push.request, fault: fault, now: Push.now, generator: &generator)
                .record
            record.sequence = Int64(index * 3 + 1)
            records.append(record)
        }
        records[0].delivery = PushDelivery(.delivered, device: "d1", at: Push.now)
        records[0].delivery?.presentation = .init(.banner, at: Push.now, why: "late")
        return records
    }

    @Test("every record comes back as it was, alone and in any order")
    func comesBack() throws {
        let records = Self.records()
        let bytes = PushBlock(records).bytes
        var block = PushBlock(bytes: bytes)
        #expect(block.count == records.count)
        for index in Array(records.indices) + records.indices.reversed() {
            let found = block.record(at: index)
            let record = try #require(found)
            #expect(record.detailedJSON == records[index].detailedJSON)
            #expect(record.stored == records[index].stored)
        }
        let beyond = [block.record(at: -1), block.record(at: records.count)]
        #expect(beyond.allSatisfy { $0 == nil })
    }

    @Test("pushes that repeat a header list take little room")
    func sharesHeads() {
        let first = Self.records()[0]
        let alone = PushBlock([first]).bytes.count
        let many = PushBlock(Array(repeating: first, count: 100)).bytes.count
        #expect(many < alone + 100 * (first.request.body.count + 250))
    }

    @Test("no bytes at all, cut or changed, do more than hold no record")
    func survivesDamage() {
        let bytes = PushBlock(Self.records()).bytes
        var generator = SeededGenerator(seed: 11)
        for length in stride(from: 0, to: bytes.count, by: 97) {
            var block = PushBlock(bytes: Array(bytes.prefix(length)))
            for index in 0..<min(block.count, 20) { _ = block.record(at: index) }
        }
        for _ in 0..<500 {
            var changed = bytes
            for _ in 0..<4 {
                let place = Int.random(in: 0..<changed.count, using: &generator)
                changed[place] = UInt8.random(in: 0...255, using: &generator)
            }
            var block = PushBlock(bytes: changed)
            for index in 0..<min(block.count, 20) { _ = block.record(at: index) }
        }
        var empty = PushBlock(bytes: [])
        let none = empty.record(at: 0)
        #expect(none == nil)
    }

    @Test("the columns hold what each record that a filter lets through is looked for by")
    func columns() {
        let records = Self.records()
        let columns = Dictionary(uniqueKeysWithValues: PushKey.allCases.map { ($0, $0.column(of: records)) })
        var filters: [PushFilter] = []
        for record in records {
            var filter = PushFilter()
            filter.token = record.token?.uppercased()
            filter.recipient = record.recipient
            filter.transactionId = record.transactionId
            filter.topic = record.request.topic
            filter.status = record.status
            filter.reason = record.reason
            filter.delivery = record.delivery?.state
            filters.append(filter)
            filter.exceptStatus = 999
            filters.append(filter)
        }
        for filter in filters {
            let fitting = records.indices.filter { filter.matches(records[$0]) }
            #expect(!fitting.isEmpty)
            for (key, number, isExcluded) in filter.keys {
                let column = columns[key] ?? []
                let places =
                    isExcluded
                    ? PushKey.places(except: number, in: column) : PushKey.places(of: number, in: column)
                #expect(Set(places).isSuperset(of: fitting))
            }
        }
        let ids = columns[.id] ?? []
        for (index, record) in records.enumerated() {
            #expect(PushKey.places(of: record.id.key, in: ids) == [index])
        }
        #expect(PushKey.places(of: 200, in: columns[.status] ?? []) == [0, 1, 3, 8, 9])
        #expect(PushKey.places(except: 200, in: columns[.status] ?? []) == [2, 4, 5, 6, 7])
        #expect(PushKey.places(of: 1, in: [1, 0, 0]) == [], "a column that was cut")
    }
}
