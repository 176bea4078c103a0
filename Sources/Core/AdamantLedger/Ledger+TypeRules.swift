import AdamantModel
import JSONValue

extension Ledger {
    /// Most votes in one transaction.
    ///
    /// - Source: adamant:helpers/constants.js (`maxVotesPerTransaction`)
    static let mostVotes = 33
    private static let longestUsername = 20

    /// Check 22: what each type asks for.
    ///
    /// - Source: adamant:logic/transfer.js, logic/chat.js, logic/state.js, logic/delegate.js, logic/vote.js (`verify`)
    func checkTypeRules(_ transaction: Transaction, posted: JSONObject?) throws(SubmissionRejection) {
        switch transaction.asset {
        case .none:
            guard transaction.recipient != nil else { throw SubmissionRejection("Missing recipient") }
            guard transaction.amount > 0 else { throw SubmissionRejection("Invalid transaction amount") }
        case .chat(let message, _, let type):
            guard transaction.recipient != nil else { throw SubmissionRejection("Invalid recipient") }
            guard type <= Transaction.ChatKind.signal else {
                throw SubmissionRejection("Invalid message type")
            }
            guard !message.isBlankOrPadded else { throw SubmissionRejection("Message must not be blank") }
        case .state(let value, _, let type):
            guard type <= 1 else { throw SubmissionRejection("Invalid state type") }
            guard !value.isBlank else { throw SubmissionRejection("Value must not be blank") }
        case .delegate(let username):
            try checkDelegate(transaction, username: username, posted: posted)
        case .votes(let votes):
            try checkVotes(transaction, votes: votes, posted: posted)
        }
    }

    private func checkDelegate(
        _ transaction: Transaction,
        username: String,
        posted: JSONObject?
    ) throws(SubmissionRejection) {
        guard transaction.recipient == nil else { throw SubmissionRejection("Invalid recipient") }
        guard transaction.amount == 0 else { throw SubmissionRejection("Invalid transaction amount") }
        if let number = chain.accounts.stored(transaction.sender),
            delegateTable.delegate(account: number) != nil
        {
            throw SubmissionRejection("Account is already a delegate")
        }
        guard !username.isEmpty else { throw SubmissionRejection("Username is undefined") }
        guard username.lowercased() == username else {
            throw SubmissionRejection("Username must be lowercase")
        }
        guard !username.isBlank else { throw SubmissionRejection("Empty username") }
        guard username.utf16.count <= Self.longestUsername else {
            throw SubmissionRejection("Username is too long. Maximum is 20 characters")
        }
        guard !Address.isValid(username) else {
            throw SubmissionRejection("Username can not be a potential address")
        }
        guard username.utf8.allSatisfy({ Self.isUsernameByte($0) }) else {
            throw SubmissionRejection(
                "Username can only contain alphanumeric characters with the exception of !@$&_."
            )
        }
        guard !delegateTable.contains(username: username) else {
            throw SubmissionRejection("Username already exists")
        }
    }

    private static func isUsernameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte) || "!@$&_.".utf8.contains(byte)
    }

    private func checkVotes(
        _ transaction: Transaction,
        votes: [String],
        posted: JSONObject?
    ) throws(SubmissionRejection) {
        guard transaction.recipient?.text == transaction.sender.text else {
            throw SubmissionRejection("Invalid recipient")
        }
        if let posted { try checkVoteValues(posted["asset"]?["votes"]) }
        guard Set(votes.map { $0.dropFirst() }).count == votes.count else {
            throw SubmissionRejection("Multiple votes for same delegate are not allowed")
        }
        try checkVotes(votes, addedTo: confirmedVotes(of: transaction.sender))
    }

    /// Keys that an account votes for.
    private func confirmedVotes(of address: Address) -> [String] {
        chain.accounts.stored(address).map { delegateTable.votes(account: $0) } ?? []
    }

    private func checkVotes(_ votes: [String], addedTo before: [String]) throws(SubmissionRejection) {
        var current = before
        for vote in votes {
            let key = String(vote.dropFirst())
            let place = current.firstIndex(of: key)
            if vote.first == "+", place != nil {
                throw SubmissionRejection("Failed to add vote, account has already voted for this delegate")
            }
            if vote.first == "-", place == nil {
                throw SubmissionRejection("Failed to remove vote, account has not voted for this delegate")
            }
            guard delegateTable.contains(publicKey: key) else {
                throw SubmissionRejection("Delegate not found")
            }
            if let place { current.remove(at: place) } else { current.append(key) }
        }
        guard current.count <= Self.roundLength else {
            throw SubmissionRejection(
                "Maximum number of 101 votes exceeded (\(current.count - Self.roundLength) too many)"
            )
        }
    }

    private func checkVoteValues(_ value: JSONValue?) throws(SubmissionRejection) {
        guard let value else { throw SubmissionRejection("Invalid transaction asset") }
        guard let votes = value.arrayValue else {
            throw SubmissionRejection("Invalid votes. Must be an array")
        }
        guard !votes.isEmpty else { throw SubmissionRejection("Invalid votes. Must not be empty") }
        guard votes.count <= Self.mostVotes else {
            throw SubmissionRejection("Voting limit exceeded. Maximum is 33 votes per transaction")
        }
        for vote in votes {
            let start = "Invalid vote at index \(votes.firstIndex(of: vote) ?? 0) - Invalid vote "
            guard let text = vote.stringValue else { throw SubmissionRejection(start + "type") }
            guard Self.holdsVote(Array(text.utf8)) else { throw SubmissionRejection(start + "format") }
            guard text.utf8.count == Self.voteLength else { throw SubmissionRejection(start + "length") }
        }
    }

    /// A sign and 64 digits.
    private static let voteLength = 65

    /// Whether a sign with 64 digits or lower-case letters after it is somewhere in a text.
    private static func holdsVote(_ text: [UInt8]) -> Bool {
        guard text.count >= voteLength else { return false }
        return (0...text.count - voteLength).contains { start in
            (text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "-"))
                && text[start + 1..<start + voteLength].allSatisfy {
                    (48...57).contains($0) || (97...122).contains($0)
                }
        }
    }

    /// Refuses a registration or vote that does not go together with others that wait for a block.
    ///
    /// - Source: adamant:logic/vote.js (`applyUnconfirmed`); that two registrations exclude each other is ours
    func checkCompatible(
        _ transaction: Transaction,
        with others: [Transaction]
    ) throws(SubmissionRejection) {
        switch transaction.asset {
        case .delegate(let username):
            for other in others {
                guard case .delegate(let taken) = other.asset else { continue }
                guard other.sender != transaction.sender else {
                    throw SubmissionRejection("Account is already a delegate")
                }
                guard taken != username else { throw SubmissionRejection("Username already exists") }
            }
        case .votes(let votes):
            var current = confirmedVotes(of: transaction.sender)
            for other in others where other.sender == transaction.sender {
                guard case .votes(let changes) = other.asset else { continue }
                for change in changes {
                    let key = String(change.dropFirst())
                    current.removeAll { $0 == key }
                    if change.first == "+" { current.append(key) }
                }
            }
            try checkVotes(votes, addedTo: current)
        case .none, .chat, .state: break
        }
    }
}
