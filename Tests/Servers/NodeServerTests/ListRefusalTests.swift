import JSONValue
import Testing

@Suite("Node: refusals of list calls")
struct ListRefusalTests {
    private static let prefix = #"{"success":false,"nodeTimestamp":275000100,"error":"#
    private static let failed = "Failed to get transactions: "

    private static let schema: [(String, String)] = [
        ("/api/transactions?limit=abc", "Expected type integer but found type string"),
        ("/api/transactions?limit=", "Expected type integer but found type string"),
        ("/api/transactions?limit=1.5", "Expected type integer but found type string"),
        ("/api/transactions?limit=0", "Value 0 is less than minimum 1"),
        ("/api/transactions?limit=1001", "Value 1001 is greater than maximum 1000"),
        ("/api/transactions?offset=-1", "Value -1 is less than minimum 0"),
        ("/api/transactions?fromHeight=0", "Value 0 is less than minimum 1"),
        ("/api/transactions?and:fromHeight=0", "Value 0 is less than minimum 1"),
        ("/api/transactions?AND%3AtoHeight=0", "Value 0 is less than minimum 1"),
        ("/api/transactions?offset=-1&and:offset=1", "Value -1 is less than minimum 0"),
        ("/api/transactions?limit=1000000000&and:limit=1", "Value 1000000000 is greater than maximum 1000"),
        ("/api/transactions?type=11", "Value 11 is greater than maximum 10"),
        ("/api/transactions?type=-1", "Value -1 is less than minimum 0"),
        ("/api/transactions?toTimestamp=0", "Value 0 is less than minimum 1"),
        ("/api/transactions?fromUnixTime=1504371599", "Value 1504371599 is less than minimum 1504371600"),
        ("/api/transactions?toUnixTime=1504371600", "Value 1504371600 is less than minimum 1504371601"),
        ("/api/transactions?maxAmount=0", "Value 0 is less than minimum 1"),
        ("/api/transactions?minFee=0", "Value 0 is less than minimum 1"),
        ("/api/transactions?maxFee=0", "Value 0 is less than minimum 1"),
        ("/api/transactions?returnAsset=2", "Value 2 is greater than maximum 1"),
        ("/api/transactions?senderId=", "Object didn't pass validation for format address: "),
        ("/api/transactions?senderId=X", "Object didn't pass validation for format address: X"),
        ("/api/transactions?senderIds=U1,X,U2", "Object didn't pass validation for format address: X"),
        ("/api/transactions?senderPublicKeys=ab", "Object didn't pass validation for format publicKey: ab"),
        ("/api/transactions?blockId=x", "Object didn't pass validation for format id: x"),
        ("/api/transactions?blockId=123456789012345678901", "String is too long (21 chars), maximum 20"),
        ("/api/transactions?senderId=U1&senderId=U2", "Expected type string but found type array"),
        ("/api/transactions?orderBy=5", "Expected type string but found type integer"),
        ("/api/transactions?limit=5000&senderId=X", "Object didn't pass validation for format address: X"),
        ("/api/transactions?senderId=X&limit=5000", "Value 5000 is greater than maximum 1000"),
        ("/api/transactions/get", "Missing required property: id"),
        ("/api/transactions/get?id=", "String is too short (0 chars), minimum 1"),
        ("/api/transactions/get?id=x1", "Object didn't pass validation for format id: x1"),
        ("/api/transactions/get?id=5&returnAsset=yes", "Expected type integer but found type string"),
        ("/api/transactions/get?id=5", "Transaction not found"),
        ("/api/transactions/get?id=99999999999999999999", "Transaction not found"),
        ("/api/chats/get?limit=0", "Value 0 is less than minimum 1"),
        ("/api/chats/get?limit=1001", "Value 1001 is greater than maximum 1000"),
        ("/api/chats/get?fromHeight=0", "Value 0 is less than minimum 1"),
        ("/api/chats/get?and:senderId=X", "Object didn't pass validation for format address: X"),
        ("/api/chats/get?toHeight=0", "Value 0 is less than minimum 1"),
        ("/api/states/get?type=11", "Value 11 is greater than maximum 10"),
        ("/api/states/get?senderIds=X", "Object didn't pass validation for format address: X"),
    ]

    private static let list: [(String, String)] = [
        ("/api/transactions?foo=1", "Parameter is not supported: foo"),
        ("/api/transactions?fromTimestampMs=1", "Parameter is not supported: fromTimestampMs"),
        ("/api/transactions?height=1", "Parameter is not supported: height"),
        ("/api/transactions?returnUnconfirmed=1", "Parameter is not supported: returnUnconfirmed"),
        ("/api/transactions?xor:type=1", "Incorrect condition [xor] for field: type"),
        ("/api/transactions?and:a:b=1", "Invalid parameter supplied: and:a:b"),
        ("/api/transactions?noClutter=0", "Value for parameter [noClutter] cannot be empty"),
        ("/api/transactions?returnAsset=0", "Value for parameter [returnAsset] cannot be empty"),
        ("/api/transactions?orderBy=", "Value for parameter [orderBy] cannot be empty"),
        ("/api/transactions?recipientPublicKey=", "Value for parameter [recipientPublicKey] cannot be empty"),
        ("/api/transactions?orderBy=nothing", "Invalid sort field"),
        ("/api/transactions?types=x", "error: invalid input syntax for type integer: \"x\""),
        ("/api/chats/get?limit=101", "Invalid limit. Maximum is 100"),
        ("/api/chats/get?limit=1000", "Invalid limit. Maximum is 100"),
        ("/api/chats/get?orderBy=height", "Invalid sort field"),
        ("/api/chats/get?orderBy=type", "error: column \"type\" does not exist"),
        ("/api/chats/get?isIn=12", "error: operator does not exist: character varying = integer"),
        ("/api/states/get?limit=101", "Invalid limit. Maximum is 100"),
        ("/api/states/get?orderBy=id", "Invalid sort field"),
        ("/api/states/get?key=12", "error: operator does not exist: character varying = integer"),
        ("/api/states/get?key=5000000000", "error: operator does not exist: character varying = bigint"),
    ]

    @Test("says what a schema says, the last member first")
    func schemas() throws {
        let bodies = try TestWorld().bodies(Self.schema.map(\.0))
        for ((path, error), body) in zip(Self.schema, bodies) {
            #expect(body == Self.prefix + JSONValue.string(error).text + "}", "\(path)")
        }
    }

    @Test("says what the list calls say")
    func lists() throws {
        let bodies = try TestWorld().bodies(Self.list.map(\.0))
        for ((path, error), body) in zip(Self.list, bodies) {
            #expect(body == Self.prefix + JSONValue.string(Self.failed + error).text + "}", "\(path)")
        }
    }

    @Test("accepts what looks odd and is not refused")
    func accepted() throws {
        let paths = [
            "/api/transactions?fromTimestamp=0", "/api/transactions?minAmount=0", "/api/transactions?type=0",
            "/api/transactions?and:type=0&OR:type=8", "/api/transactions?offset=0&minConfirmations=0",
            "/api/transactions?orderBy=time-stamp:DESC", "/api/transactions?limit=+5&type=0x1",
            "/api/transactions?and%3Atype=8", "/api/transactions?limit=1000", "/api/chats/get?foo=1",
            "/api/chats/get?orderBy=", "/api/chats/get?isIn=nonsense", "/api/chats/get?isIn=",
            "/api/chats/get?minAmount=5", "/api/states/get?keyIds=123", "/api/states/get?isIn=5",
            "/api/states/get?type=10",
        ]
        for (path, body) in zip(paths, try TestWorld().bodies(paths)) {
            #expect(body.hasPrefix(#"{"success":true,"nodeTimestamp":275000100,"transactions":["#), "\(path)")
        }
    }

    @Test("knows returnUnconfirmed from 0.10 on")
    func returnUnconfirmed() throws {
        let answers = try TestWorld(version: "0.10").send([
            .get("/api/transactions?returnUnconfirmed=1"), .get("/api/transactions?returnUnconfirmed=0"),
            .get("/api/transactions/get?id=5&returnUnconfirmed=1"),
        ])
        #expect(answers[0].body.hasSuffix(#""count":2}"#))
        #expect(
            answers[1].body
                == Self.prefix + "\"\(Self.failed)Value for parameter [returnUnconfirmed] cannot be empty\"}"
        )
        #expect(answers[2].status == 500)
        #expect(
            answers[2].body
                == #"{"success":false,"error":"API error: __private.getUnconfirmedTransaction is not a function"}"#
        )
    }

    @Test("takes numbers of a posted body as they are")
    func posted() throws {
        let answers = try TestWorld().send([
            .post("/api/states/get", ["limit": "1"]), .post("/api/states/get", ["limit": 1, "key": "12"]),
            .post("/api/states/get", "limit=1", type: "application/x-www-form-urlencoded"),
        ]).map(\.body)
        let refusal = Self.prefix + "\"Expected type integer but found type string\"}"
        #expect(answers[0] == refusal)
        #expect(answers[1] == #"{"success":true,"nodeTimestamp":275000100,"transactions":[],"count":"0"}"#)
        #expect(answers[2] == refusal)
    }
}
