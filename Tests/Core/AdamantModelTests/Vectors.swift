import AdamantModel
import JSONValue
import TestSupport
import Testing

/// The golden vectors of the ADAMANT formats.
struct Vectors {
    private let json: JSONValue

    init() throws {
        json = try Fixture.json("crypto/adamant-crypto.json")
    }

    /// The elements of a member; the test fails when there are not so many.
    func list(_ name: String, count: Int) throws -> [JSONValue] {
        let elements = try #require(json[name]?.arrayValue)
        try #require(elements.count == count)
        return elements
    }
}

extension JSONValue {
    /// The text of a member.
    func text(_ key: String) throws -> String {
        try #require(self[key]?.stringValue, "\(key)")
    }

    /// The integer of a member.
    func integer(_ key: String) throws -> Int64 {
        try #require(self[key]?.intValue, "\(key)")
    }

    /// The bytes of a hexadecimal member.
    func hex(_ key: String) throws -> [UInt8] {
        try #require(Hex.decode(text(key)), "\(key)")
    }
}

extension Asset {
    /// The asset that a vector posts.
    init(vector: JSONValue, type: Int64) throws {
        switch type {
        case 2: self = .delegate(username: try #require(vector["delegate"]).text("username"))
        case 3: self = .votes(try #require(vector["votes"]?.arrayValue).compactMap(\.stringValue))
        case 8:
            let chat = try #require(vector["chat"])
            self = .chat(
                message: try chat.text("message"),
                ownMessage: chat["own_message"]?.stringValue,
                type: Int32(try chat.integer("type"))
            )
        case 9:
            let state = try #require(vector["state"])
            self = .state(
                value: try state.text("value"),
                key: state["key"]?.stringValue,
                type: Int32(try state.integer("type"))
            )
        default: self = .none
        }
    }
}
