import AdamantModel
import JSONValue

extension Ledger {
    /// Most votes in one transaction.
    private static var mostVotes: Int { 33 }

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
        if let number = chain.accounts.stored(transaction.sender), chain.accounts[number].username != nil {
            throw SubmissionRejection("Account is already a delegate")
        }
        if let posted, posted["asset"]?["delegate"]?["username"]?.stringValue == nil {
            throw SubmissionRejection("Username is undefined")
        }
        let bytes = Array(username.utf8)
        guard username.lowercased() == username else {
            throw SubmissionRejection("Username must be lowercase")
        }
        guard !username.isBlank else { throw SubmissionRejection("Empty username") }
        guard bytes.count <= 20 else {
            throw SubmissionRejection("Username is too long. Maximum is 20 characters")
        }
        guard !Address.isValid(username) else {
            throw SubmissionRejection("Username can not be a potential address")
        }
        guard bytes.allSatisfy({ Self.isUsernameByte($0) }) else {
            throw SubmissionRejection(
                "Username can only contain alphanumeric characters with the exception of !@$&_."
            )
        }
        guard usernames[username] == nil else { throw SubmissionRejection("Username already exists") }
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
        var current = chain.accounts.stored(transaction.sender).flatMap { self.votes[$0] } ?? []
        for vote in votes {
            let key = String(vote.dropFirst())
            let place = current.firstIndex(of: key)
            if vote.first == "+", place != nil {
                throw SubmissionRejection("Failed to add vote, account has already voted for this delegate")
            }
            if vote.first == "-", place == nil {
                throw SubmissionRejection("Failed to remove vote, account has not voted for this delegate")
            }
            guard isDelegate(key) else { throw SubmissionRejection("Delegate not found") }
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
        for (index, vote) in votes.enumerated() {
            let start = "Invalid vote at index \(index) - Invalid vote "
            guard let text = vote.stringValue else { throw SubmissionRejection(start + "type") }
            guard text.first == "+" || text.first == "-" else { throw SubmissionRejection(start + "format") }
            guard text.utf8.count == 65 else { throw SubmissionRejection(start + "length") }
        }
    }

    private func isDelegate(_ key: String) -> Bool {
        guard let bytes = Hex.decode(key), bytes.count == 32,
            let number = chain.accounts.stored(address(publicKey: bytes))
        else { return false }
        return chain.accounts[number].username != nil
    }
}
