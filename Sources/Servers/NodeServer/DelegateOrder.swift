import AdamantLedger
import AdamantModel
import JSONValue

/// What `orderBy` of the delegate lists can name.
///
/// - Source: adamant:modules/delegates.js, sql/delegates.js (`sortFields`)
enum DelegateOrder: String {
    case approval, productivity, rate, rank, vote, username, address, publicKey
    case missedblocks, producedblocks
    case voters = "voters_cnt"
    case registration = "register_timestamp"

    /// Whether `/api/delegates/search` knows it.
    var isOfSearch: Bool { self != .rate && self != .rank }

    /// Whether `/api/delegates` knows it.
    var isOfList: Bool {
        switch self {
        case .approval, .productivity, .rate, .rank, .vote, .username, .address, .publicKey: true
        case .missedblocks, .producedblocks, .voters, .registration: false
        }
    }

    /// Sorts delegates; equal ones stay as they are.
    func sort(_ delegates: inout [DelegateView], isDescending: Bool) {
        switch self {
        case .approval: sort(&delegates, isDescending, \.approval)
        case .productivity: sort(&delegates, isDescending, \.shownProductivity)
        case .rate, .rank: sort(&delegates, isDescending, \.rank)
        case .vote: sort(&delegates, isDescending, \.vote)
        case .username: sort(&delegates, isDescending, \.username.collationKey)
        case .address: sort(&delegates, isDescending, \.address.text)
        case .publicKey: sort(&delegates, isDescending, \.publicKey)
        case .missedblocks: sort(&delegates, isDescending, \.missedBlocks)
        case .producedblocks: sort(&delegates, isDescending, \.producedBlocks)
        case .voters: sort(&delegates, isDescending, \.voters)
        case .registration: sort(&delegates, isDescending, \.registeredAt)
        }
    }

    private func sort<Key: Comparable>(
        _ delegates: inout [DelegateView],
        _ isDescending: Bool,
        _ keyOf: (DelegateView) -> Key
    ) {
        delegates = delegates.enumerated().map {
            (offset: $0.offset, key: keyOf($0.element), element: $0.element)
        }
        .sorted { left, right in
            left.key == right.key ? left.offset < right.offset : (left.key > right.key) == isDescending
        }.map(\.element)
    }
}

extension DelegateView {
    /// The productivity in lists: 0 for those who do not forge.
    var shownProductivity: Double { rank > Ledger.roundLength ? 0 : productivity }

    /// The object of the delegate calls.
    var json: JSONValue {
        [
            "username": .string(username), "address": .string(address.text), "publicKey": .string(publicKey),
            "votesWeight": .string(String(votesWeight)), "vote": .string(String(vote)),
            "missedblocks": .int(missedBlocks), "producedblocks": .int(producedBlocks),
            "forged": .string(String(forged)), "rate": .int(rank), "rank": .int(rank),
            "approval": .double(approval), "productivity": .double(shownProductivity),
        ]
    }

    /// A row of `/api/delegates/search`.
    var searchJSON: JSONValue {
        [
            "rank": .int(rank), "username": .string(username), "address": .string(address.text),
            "publicKey": .string(publicKey), "vote": .string(String(vote)),
            "votesWeight": .string(String(votesWeight)), "producedblocks": .int(producedBlocks),
            "missedblocks": .int(missedBlocks), "approval": .double(approval),
            "productivity": .double(productivity), "voters_cnt": .int(voters),
            "register_timestamp": .int(registeredAt),
        ]
    }
}

extension JSONValue {
    /// A number as JavaScript writes it.
    fileprivate static func double(_ value: Double) -> JSONValue {
        JSONNumber(value).map(JSONValue.number) ?? .null
    }
}

extension String {
    /// What the letters of user names sort by in `localeCompare`: punctuation, digits, letters.
    fileprivate var collationKey: String {
        let order = Array("_!.@&$0123456789abcdefghijklmnopqrstuvwxyz".utf8)
        return String(decoding: utf8.map { UInt8(order.firstIndex(of: $0) ?? order.count) }, as: UTF8.self)
    }
}
