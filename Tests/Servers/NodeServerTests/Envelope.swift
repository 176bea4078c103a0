import AdamantModel
import JSONValue
import Testing

/// Answers of the test world's nodes, whose clock stands still.
enum Envelope {
    /// Success with these members, as they are.
    static func success(_ members: String) -> String {
        #"{"success":true,"nodeTimestamp":275000100,\#(members)}"#
    }

    /// A refusal by a handler.
    static func refusal(_ error: String) -> String {
        #"{"success":false,"nodeTimestamp":275000100,"error":\#(JSONValue.string(error).text)}"#
    }

    /// What the router says to paths that lead nowhere.
    static let notFound = #"{"success":false,"error":"API endpoint not found"}"#
}

extension TestWorld {
    /// Expects these bodies of GETs.
    func expect(_ expected: [(path: String, body: String)]) throws {
        for ((path, body), found) in zip(expected, try bodies(expected.map(\.path))) {
            #expect(found == body, "\(path)")
        }
    }
}

extension Transaction {
    /// The object of a transaction that was posted to the test world and waits.
    func waiting(version: String) -> JSONValue {
        var object = JSONObject(
            merging: (postedJSON.objectValue?.members ?? []).filter { !$0.value.isNull }
        )
        object.append("id", .string(id.description))
        object.append("fee", .int(fee))
        object.append("relays", 1)
        object.append("receivedAt", "2026-05-21T13:55:00.000Z")
        if version == "0.10" {
            object.append("blockId", .null)
            object.append("height", .null)
            object.append("confirmations", 0)
        }
        return .object(object)
    }
}
