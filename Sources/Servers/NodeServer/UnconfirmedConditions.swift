import AdamantLedger
import JSONValue

extension TransactionQuery {
    /// Reads `returnUnconfirmed` of chats and states, and what they ask of unconfirmed transactions.
    ///
    /// Names with `and:` or `or:`, which do not count for confirmed ones, do count here.
    /// - Source: adamant:modules/chats.js, modules/states.js (`returnUnconfirmed`)
    mutating func readUnconfirmed(_ parameters: JSONObject, profile: NodeProfile) {
        guard profile.canReturnUnconfirmed, parameters["returnUnconfirmed"].isTruthy else { return }
        returnsUnconfirmed = true
        for member in parameters.members {
            let parts = member.key.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, let name = parts.last else { continue }
            let combination: Combination = parts.count == 2 && parts[0].lowercased() == "or" ? .or : .and
            guard let filter = unconfirmedFilter(String(name), member.value) else { continue }
            unconfirmedConditions.append(UnconfirmedCondition(filter, combination))
        }
    }

    private func unconfirmedFilter(_ name: String, _ value: JSONValue) -> TransactionFilter? {
        let text = JSONValue?.some(value).javaScriptText
        let number = Int(clamping: JSONValue?.some(value).clampedInteger ?? 0)
        switch (name, scope) {
        case ("blockId", _): return .blockId(text)
        case ("toHeight", _): return .toHeight(number)
        case ("senderId", _): return .sender(text)
        case ("recipientId", .chats): return .recipient(text)
        case ("isIn", .chats), ("inId", .chats): return .party(text)
        case ("type", .chats): return .chatType(number)
        case ("type", .states): return .stateType(number)
        case ("senderIds", .states): return .senders(ListParameters.elements(value))
        case ("key", .states): return .key(text)
        case ("keyIds", .states): return .keys(ListParameters.elements(value))
        default: return nil
        }
    }
}
