public import Foundation

/// An event of the world's journal.
public struct Event: Sendable, Codable {
    /// Its number; the next page begins after it.
    public let seq: Int
    /// By the world's clock.
    public let at: Date
    /// Subject and participle, such as `transaction.forged`.
    public let kind: String
    /// The node it happened at.
    public let node: String?
    /// The transaction it is about.
    public let transactionId: String?
    /// The fault rule that caused it.
    public let faultId: String?
    /// What else there is to say.
    public let data: JSON
}

/// A call that a node got.
public struct NodeRequest: Sendable, Codable {
    /// Its number.
    public let seq: Int
    /// By the world's clock.
    public let at: Date
    /// The node.
    public let node: String
    /// The caller's address.
    public let client: String?
    /// The caller's `User-Agent`.
    public let agent: String?
    /// Such as `GET`.
    public let method: String
    /// Without the query.
    public let path: String
    /// Without the question mark.
    public let query: String
    /// The answer's status; nil where none was sent.
    public let status: Int?
    /// The fault rule that struck it.
    public let faultId: String?
    /// The transaction that was posted.
    public let transactionId: String?
}

/// A fault rule with what it has done.
public struct FaultRule: Sendable {
    /// What other calls name it by.
    public let id: String
    /// How many requests it was tried on and matched.
    public let matched: Int
    /// How often it struck.
    public let fired: Int
    /// Whether it has reached its limit.
    public let spent: Bool
    /// The rule as it was posted, with these members.
    public let rule: JSON
}

extension FaultRule: Codable {
    private enum Names: String, CodingKey { case id, matched, fired, spent }

    /// Reads a rule.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Names.self)
        id = try members.decode(String.self, forKey: .id)
        matched = try members.decode(Int.self, forKey: .matched)
        fired = try members.decode(Int.self, forKey: .fired)
        spent = try members.decode(Bool.self, forKey: .spent)
        rule = try JSON(from: decoder)
    }

    /// Writes the rule.
    public func encode(to encoder: any Encoder) throws { try rule.encode(to: encoder) }
}

/// A finding of the audit.
public struct AuditFinding: Sendable, Codable {
    /// The rule that was broken, such as `right-owner`.
    public let rule: String
    /// When.
    public let at: Date?
    /// The address it is about.
    public let address: String?
    /// The device token it is about.
    public let token: String?
    /// The transaction it is about.
    public let transactionId: String?
    /// The push it is about.
    public let pushId: String?
    /// What shows it.
    public let evidence: String
    /// What it means in the real world.
    public let consequence: String
}
