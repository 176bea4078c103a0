import AdamantModel
import Determinism
import JSONValue

extension Ledger {
    /// The checks of a POST in the node's order, up to the one for room in the pool.
    ///
    /// - Source: adamant:modules/transactions.js (`postTransactions`), logic/transaction.js (`process`, `verify`)
    mutating func verify(
        _ submission: Submission,
        node: Int,
        checkTime: Timestamp?
    ) throws(SubmissionRejection) -> Transaction {
        let profile = profiles[node]
        if let rejection = submission.rejectionOfGeneralEndpoint(profile) ?? submission.earlyRejection {
            throw rejection
        }
        guard let posted = submission.posted, let key = submission.senderPublicKey,
            let sender = submission.sender
        else { throw SubmissionRejection("Missing address or public key") }
        store(sender, publicKey: key)

        try checkHead(posted)
        let time = TimestampCheck(
            seconds: posted["timestamp"].javaScriptNumber,
            milliseconds: posted["timestampMs"].isTruthy ? posted["timestampMs"].javaScriptNumber : nil,
            type: submission.type,
            now: checkTime
        )
        try reject(time.early(profile))
        try reject(submission.byteError)
        guard let bytes = submission.bytes, let id = submission.id else {
            throw SubmissionRejection("Invalid transaction bytes")
        }
        if isWaiting(id, node: node) { throw SubmissionRejection("Transaction is already processed: \(id)") }
        let keepsMilliseconds = profile.storesTimestampMilliseconds && height >= Self.millisecondsHeight
        try reject(keepsMilliseconds ? submission.schemaErrorWithMilliseconds : submission.schemaError)
        try checkSender(posted, key: key)
        guard submission.hasValidSignature else { throw SubmissionRejection("Failed to verify signature") }
        let milliseconds = keepsMilliseconds ? posted["timestampMs"]?.intValue : nil
        let transaction = Transaction(bytes, id: id, sender: sender, milliseconds: milliseconds, submission)
        try checkBalance(transaction)
        try checkTimestampRange(posted, profile: profile, checksMilliseconds: keepsMilliseconds)
        try reject(time.late(profile))
        try checkTypeRules(transaction, posted: posted)
        try checkUnconfirmed(transaction)
        return transaction
    }

    /// What must hold whenever a transaction moves on: on entry from elsewhere and before it becomes unconfirmed.
    func verifyAgainstChain(_ transaction: Transaction) throws(SubmissionRejection) {
        try checkUnconfirmed(transaction)
        try checkBalance(transaction)
        try checkTypeRules(transaction, posted: nil)
    }

    /// Checks 5 to 7.
    private func checkHead(_ posted: JSONObject) throws(SubmissionRejection) {
        let type = posted["type"].javaScriptText
        guard ["0", "2", "3", "8", "9"].contains(type) else {
            throw SubmissionRejection("Unknown transaction type \(type)")
        }
        guard posted["senderId"].isTruthy else { throw SubmissionRejection("Invalid sender") }
        guard posted["signature"].isTruthy else { throw SubmissionRejection("Invalid signature") }
    }

    /// Checks 14 to 17.
    private func checkSender(_ posted: JSONObject, key: [UInt8]) throws(SubmissionRejection) {
        if posted["signSignature"].isTruthy {
            throw SubmissionRejection("Sender does not have a second signature")
        }
        if posted["requesterPublicKey"].isTruthy {
            throw SubmissionRejection("Account does not belong to multisignature group")
        }
        let written = posted["senderPublicKey"]?.stringValue ?? ""
        // The key was read from these digits: nothing but their case can differ.
        if written.utf8.contains(where: { $0 < UInt8(ascii: "a") && $0 > UInt8(ascii: "9") }) {
            let stored = Hex.encode(key)
            throw SubmissionRejection("Invalid sender public key: \(written) expected: \(stored)")
        }
        if key == genesis.holder.publicKey {
            throw SubmissionRejection("Invalid sender. Can not send from genesis account")
        }
    }

    /// Check 20.
    private func checkBalance(_ transaction: Transaction) throws(SubmissionRejection) {
        // By name: a closure over the ledger would copy it.
        var balance: Int64 = 0
        if let account = chain.accounts.stored(transaction.sender) { balance = self.balance(account) }
        try checkFunds(transaction, balance: balance)
    }

    /// Whether a balance pays amount and fee.
    func checkFunds(_ transaction: Transaction, balance: Int64) throws(SubmissionRejection) {
        let (units, overflow) = transaction.amount.addingReportingOverflow(transaction.fee)
        guard !overflow, units <= balance else {
            throw SubmissionRejection(
                "Account does not have enough ADM: \(transaction.sender) balance: \(Amount.adm(balance))"
            )
        }
    }

    /// Check 21.
    private func checkTimestampRange(
        _ posted: JSONObject,
        profile: NodeProfile,
        checksMilliseconds: Bool
    ) throws(SubmissionRejection) {
        let seconds = posted["timestamp"].javaScriptNumber
        guard seconds >= Double(Int32.min), seconds <= Double(Int32.max) else {
            throw SubmissionRejection(
                profile.base == .v0_9
                    ? "Invalid transaction timestamp. Timestamp is not in the int32 range"
                    : "Invalid transaction timestamp. Timestamp is not within the signed int32 range"
            )
        }
        let milliseconds = posted["timestampMs"]
        guard checksMilliseconds, milliseconds != nil, milliseconds != .null else { return }
        let delta = milliseconds.javaScriptNumber - seconds * 1000
        guard delta >= 0, delta <= 999 else {
            throw SubmissionRejection(
                "Invalid transaction timestamp. timestampMs must be within the same second as timestamp, "
                    + "from 0 to 999ms"
            )
        }
    }

    /// Check 23.
    private func checkUnconfirmed(_ transaction: Transaction) throws(SubmissionRejection) {
        if chain.row(transaction.id) != nil {
            throw SubmissionRejection("Transaction is already confirmed: \(transaction.id)")
        }
    }

    private func reject(_ message: String?) throws(SubmissionRejection) {
        if let message { throw SubmissionRejection(message) }
    }
}

extension Transaction {
    /// The transaction of a submission that passed the checks of its form.
    fileprivate init(
        _ bytes: TransactionBytes,
        id: Identifier,
        sender: Address,
        milliseconds: Int64?,
        _ submission: Submission
    ) {
        self.init(
            id: id,
            type: Int(bytes.type),
            timestamp: bytes.timestamp,
            timestampMilliseconds: milliseconds,
            senderPublicKey: bytes.senderPublicKey,
            sender: sender,
            recipient: bytes.recipient,
            amount: bytes.amount,
            fee: submission.fee,
            asset: bytes.asset,
            signature: submission.signature
        )
    }
}
