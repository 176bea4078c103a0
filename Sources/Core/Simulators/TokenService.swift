import AdamantModel

/// The part of the app's process that registers the device's token: one step at a time.
struct TokenService: Hashable, Sendable {
    /// What waits for its turn; the account is looked up only then.
    enum Job: Hashable, Sendable {
        case setToken(String)
        case removeCurrentToken
    }

    /// What is under way.
    enum Step: Hashable, Sendable {
        /// A removal, after which a token may follow.
        case removing(next: String?, by: KeyPair)
        /// An addition.
        case adding
        /// Any signal of the ordered app.
        case sending
    }

    /// What a node's answer to a signal means.
    enum Verdict: Hashable, Sendable {
        case accepted(node: Int)
        case accountNotFound
        case refused(String)

        /// Judges as iOS 3.10 does, which looks neither at the status nor at `success`.
        init(_ result: Device.CallResult) {
            switch result {
            case .answer(.submitted(let facts), let node):
                if !facts.isEnvelope {
                    self = .refused("parsing failed")
                } else if facts.transactionId != nil {
                    self = .accepted(node: node)
                } else if facts.error == "Account not found" {
                    self = .accountNotFound
                } else {
                    self = .refused(facts.error ?? "unknown error")
                }
            case .answer(.refused(let text), _): self = .refused(text)
            case .answer: self = .refused("parsing failed")
            case .unreachable(let reason): self = .refused(reason)
            }
        }

        /// The reason of anything but acceptance.
        var reason: String {
            switch self {
            case .accepted: ""
            case .accountNotFound: "Account not found"
            case .refused(let text): text
            }
        }
    }

    var jobs: [Job] = []
    var step: Step?
    /// The ordered app: signals tried since the last occasion to try again.
    var attempted: Set<Identifier> = []

    var isBusy: Bool { step != nil || !jobs.isEmpty }
}
