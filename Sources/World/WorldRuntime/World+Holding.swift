import AdamantLedger
import AdamantModel
import ControlServer
import Determinism
import JSONValue

extension World {
    /// Lets a held transaction into its node's pool, as if just accepted.
    func release(_ id: String) throws(ControlError) -> JSONValue {
        try withState { state, now throws(ControlError) in
            guard let held = state.held.find(id) else { throw .notFound("nothing is held as '\(id)'") }
            do throws(SubmissionRejection) {
                try state.ledger.enter(held.transaction, posted: held.posted, node: held.node, now: now)
            } catch {
                throw .conflict(error.message)
            }
            state.held.remove(id)
            state.keep(.released, Array(id.utf8))
            state.journal.append(
                .transactionReleased,
                at: now,
                node: state.nodes[held.node].name,
                transaction: held.transaction.id,
                faultId: held.ruleId,
                data: ["held": .string(id)]
            )
            return ["transactionId": .string(held.transaction.id.description)]
        }
    }
}

extension HeldTransaction {
    /// The transaction as the control API lists it.
    func json(nodes: [String]) -> JSONValue {
        [
            "id": .string(id), "seq": .int(seq), "faultId": .string(ruleId), "node": .string(nodes[node]),
            "transactionId": .string(transaction.id.description), "sender": .string(transaction.sender.text),
            "recipient": .optional(transaction.recipient?.text), "at": .string(at.rfc3339),
        ]
    }
}
