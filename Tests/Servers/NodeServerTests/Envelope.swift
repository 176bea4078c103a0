import JSONValue

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
