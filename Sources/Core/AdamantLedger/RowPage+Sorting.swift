import AdamantModel

/// Bytes that sort as unsigned numbers.
struct SortText: Comparable {
    let bytes: [UInt8]

    init(_ text: some Sequence<UInt8>) {
        bytes = Array(text)
    }

    /// Sorts after every text, as SQL sorts null.
    static let null = SortText([255])

    static func < (left: SortText, right: SortText) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension RowPage {
    /// The page of matches that are in no order.
    func page(_ matches: [UInt32]) -> [UInt32] {
        switch order.field {
        case nil: sorted(matches, isDescending: false) { Int64($0) }
        case .timestamp?: sorted(matches, isDescending: order.isDescending) { chain.rows[$0].time }
        case .height?: sorted(matches, isDescending: order.isDescending) { Int64(chain.rows[$0].block) }
        case .confirmations?:
            sorted(matches, isDescending: !order.isDescending) { Int64(chain.rows[$0].block) }
        case .amount?: sorted(matches, isDescending: order.isDescending) { chain.rows[$0].amount }
        case .fee?: sorted(matches, isDescending: order.isDescending) { chain.rows[$0].fee }
        case .type?: sorted(matches, isDescending: order.isDescending) { Int64(chain.rows[$0].kind.type) }
        case .id?, .blockId?, .senderPublicKey?, .senderId?, .recipientId?:
            sorted(matches, isDescending: order.isDescending) { text(chain.rows[$0]) }
        }
    }

    private func text(_ row: TransactionRow) -> SortText {
        switch order.field {
        case .blockId?: SortText(String(chain.blocks[row.block].id).utf8)
        case .senderPublicKey?: SortText(chain.accounts[row.sender].publicKeyHex ?? [])
        case .senderId?: SortText(chain.accounts[row.sender].address.text.utf8)
        case .recipientId?:
            row.recipient == TransactionRow.none
                ? .null : SortText(chain.accounts[row.recipient].address.uppercased.text.utf8)
        default: SortText(String(row.id).utf8)
        }
    }

    /// The page by a key, equal keys by row number.
    private func sorted<Key: Comparable>(
        _ matches: [UInt32],
        isDescending: Bool,
        _ keyOf: (UInt32) -> Key
    ) -> [UInt32] {
        func precedes(_ left: (key: Key, row: UInt32), _ right: (key: Key, row: UInt32)) -> Bool {
            guard left.key != right.key else { return left.row < right.row }
            return (left.key > right.key) == isDescending
        }
        let wanted = offset + min(limit, matches.count - offset)
        var kept: [(key: Key, row: UInt32)] = []
        var worst: (key: Key, row: UInt32)?
        for row in matches {
            let element = (key: keyOf(row), row: row)
            if let worst, !precedes(element, worst) { continue }
            kept.append(element)
            if kept.count >= 2 * wanted + 64 {
                kept.sort(by: precedes)
                kept.removeLast(kept.count - wanted)
                worst = kept.last
            }
        }
        kept.sort(by: precedes)
        return kept.prefix(wanted).dropFirst(offset).map(\.row)
    }
}
