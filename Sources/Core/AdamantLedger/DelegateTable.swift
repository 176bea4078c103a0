import AdamantModel
import Determinism

/// A registered delegate, and what blocks and rounds have brought it.
struct Delegate: Sendable {
    /// Number of its account.
    let account: UInt32
    let username: String
    /// Hexadecimal text.
    let publicKey: String
    /// Epoch seconds of the registration.
    let registeredAt: Int32
    /// Accounts that vote for it, in the order of their votes.
    fileprivate(set) var voters: [UInt32] = []
    fileprivate(set) var producedBlocks = 0
    fileprivate(set) var missedBlocks = 0
    /// Shares of fees it was paid, units of 1e-8 ADM.
    fileprivate(set) var fees: Int64 = 0
    /// Rewards it was paid, units of 1e-8 ADM.
    fileprivate(set) var rewards: Int64 = 0
    /// Balances of its voters as of the last round, units of 1e-8 ADM.
    fileprivate(set) var vote: Int64 = 0
    /// The same, each balance divided by the number of the voter's votes, less for missed blocks.
    fileprivate(set) var votesWeight: Int64 = 0

    /// Blocks below which missed ones do not count yet.
    private static let graceBlocks = 200

    /// Which part of its votes counts, in hundredths of a per cent.
    fileprivate var reliability: Int64 {
        let blocks = Int64(producedBlocks + missedBlocks)
        guard blocks >= Self.graceBlocks else { return 10_000 }
        let missed = (Int64(missedBlocks) * 20_000 + blocks + 1) / (2 * (blocks + 1))
        return 10_000 - missed
    }
}

/// Delegates in the order of their registration, and who votes for whom.
///
/// Everything in it follows from the blocks: names and votes change with each, counts of votes at the end of a round.
struct DelegateTable: Sendable {
    private(set) var delegates: [Delegate] = []
    private var byAccount: [UInt32: Int] = [:]
    private var byUsername: [String: Int] = [:]
    private var byPublicKey: [String: Int] = [:]
    /// Delegates voted for in the order of the votes, by account.
    private var choices: [UInt32: [Int]] = [:]

    /// The delegate of an account.
    func delegate(account: UInt32) -> Delegate? { byAccount[account].map { delegates[$0] } }

    /// The place of the delegate with a key, as shown.
    func place(publicKey: String) -> Int? { byPublicKey[publicKey] }

    /// Whether a user name is taken.
    func contains(username: String) -> Bool { byUsername[username] != nil }

    /// Whether a key, as shown, is a delegate's.
    func contains(publicKey: String) -> Bool { byPublicKey[publicKey] != nil }

    /// Keys that an account votes for, in the order of its votes.
    func votes(account: UInt32) -> [String] { (choices[account] ?? []).map { delegates[$0].publicKey } }

    /// Makes an account a delegate.
    mutating func register(_ account: UInt32, username: String, publicKey: String, at timestamp: Int32) {
        guard byAccount[account] == nil, byUsername[username] == nil else { return }
        byAccount[account] = delegates.count
        byUsername[username] = delegates.count
        byPublicKey[publicKey] = delegates.count
        delegates.append(
            Delegate(account: account, username: username, publicKey: publicKey, registeredAt: timestamp)
        )
    }

    /// Changes an account's votes: `+key` adds one, `-key` takes one back.
    mutating func vote(_ changes: [String], by account: UInt32) {
        for change in changes {
            guard let place = byPublicKey[String(change.dropFirst())] else { continue }
            let known = choices[account]?.firstIndex(of: place)
            if change.first == "+", known == nil {
                choices[account, default: []].append(place)
                delegates[place].voters.append(account)
            } else if change.first == "-", let known {
                choices[account]?.remove(at: known)
                delegates[place].voters.removeAll { $0 == account }
            }
        }
    }

    /// Counts a block for the one who forged it.
    mutating func noteBlock(by place: Int) {
        delegates[place].producedBlocks += 1
    }

    /// Counts a missed block for each of these.
    mutating func noteMissed(_ places: some Sequence<Int>) {
        for place in places { delegates[place].missedBlocks += 1 }
    }

    /// Notes what a delegate was paid.
    mutating func notePayment(_ payment: RoundPayment) {
        delegates[payment.delegate].fees = delegates[payment.delegate].fees.addingClamped(payment.fees)
        delegates[payment.delegate].rewards =
            delegates[payment.delegate].rewards.addingClamped(payment.rewards)
    }

    /// Counts all votes anew.
    ///
    /// - Source: adamant:sql/rounds.js (`reCalcVotes`, `updateVotes`)
    mutating func countVotes(balance: (UInt32) -> Int64) {
        for place in delegates.indices {
            var (vote, weight): (Int64, Int64) = (0, 0)
            for voter in delegates[place].voters {
                let units = balance(voter)
                vote = vote.addingClamped(units)
                weight = weight.addingClamped(units / Int64(max(choices[voter]?.count ?? 1, 1)))
            }
            let whole = (weight / 10_000).multipliedClamped(by: delegates[place].reliability)
            let part = (weight % 10_000 * delegates[place].reliability + 5_000) / 10_000
            delegates[place].vote = vote
            delegates[place].votesWeight = whole.addingClamped(part)
        }
    }
}
