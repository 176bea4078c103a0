import JSONValue
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test(
        "a document is written as it was read, white space aside",
        arguments: [
            "null", "true", "[1,1.0,1e3,-0,0.10]", #"{"b":1,"a":[{}],"c":"x"}"#, "12345678901234567890123",
            #""/\"\\\b\f\n\r\t\u0000\u001f""#, "\"\u{7F}é😀\u{2028}\"",
        ]
    )
    func roundTrip(document: String) throws {
        #expect(try JSONValue(parsing: document).text == document)
        #expect(try JSONValue(parsing: " " + document + "\r\n\t").text == document)
    }

    @Test("nesting is read up to its limit and refused beyond")
    func depth() throws {
        let limit = JSONValue.maximumDepth
        let nested = { (depth: Int) in
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try JSONValue(parsing: nested(limit)).text == nested(limit))
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(limit + 1)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(1_000_000)) }
    }

    @Test("a repeated key keeps its first place and its last value", arguments: [2, 24, 25, 1000])
    func repeatedKeys(count: Int) throws {
        let members = (0..<count).map { #""k\#($0)":\#($0)"# } + [#""k0":"last""#]
        let object = try #require(JSONValue(parsing: "{" + members.joined(separator: ",") + "}").objectValue)
        #expect(object.keys == (0..<count).map { "k\($0)" })
        #expect(object["k0"] == "last")
    }

    @Test("keys that only look alike are different keys", arguments: [0, 30])
    func lookalikes(others: Int) throws {
        let filler = (0..<others).map { #","x\#($0)":0"# }.joined()
        let document = "{\"publicKey\":1,\"public\u{212A}ey\":2,\"é\":3,\"e\u{301}\":4\(filler)}"
        let object = try #require(JSONValue(parsing: document).objectValue)
        #expect(object.members.count == 4 + others)
        #expect(object["publicKey"] == 1)
        #expect(object["public\u{212A}ey"] == 2)
        #expect(object["e\u{301}"] == 4)
        var changed = object
        changed["e\u{301}"] = nil
        #expect(changed["é"] == 3)
    }

    @Test("members are changed in place, appended and removed")
    func members() {
        var object = JSONObject([("a", 1), ("b", 2)])
        object["a"] = 3
        object["c"] = nil
        object["d"] = [true, nil]
        object["b"] = nil
        #expect(JSONValue.object(object).text == #"{"a":3,"d":[true,null]}"#)
        #expect(JSONValue.object(object)["a"]?.intValue == 3)
        #expect(JSONValue.array([1])["a"] == nil)
    }

    @Test(
        "a number tells whether it is an integer and which",
        arguments: [
            ("1", 1, true), ("1.0", 1, true), ("1e3", 1000, true), ("0.5", nil, false), ("-0", 0, true),
            ("9223372036854775807", .max, true), ("-9223372036854775808", .min, true),
            ("9223372036854775808", nil, true), ("1e400", nil, false), ("1e300", nil, true),
            ("0.1e1", 1, true), ("1e-400", 0, true), ("123456789012345678", 123_456_789_012_345_678, true),
        ] as [(String, Int64?, Bool)]
    )
    func integers(literal: String, value: Int64?, isInteger: Bool) throws {
        let json = try JSONValue(parsing: literal)
        #expect(json.intValue == value)
        guard case .number(let number) = json else {
            Issue.record("no number")
            return
        }
        #expect(number.isInteger == isInteger)
        #expect(number.literal == literal)
    }

    @Test(
        "a double is written as JavaScript writes it",
        arguments: [
            (1, "1"), (0.5, "0.5"), (1e-7, "1e-7"), (1e-6, "0.000001"), (1e20, "100000000000000000000"),
            (1e21, "1e+21"), (1_234_567_890_123_456_768, "1234567890123456800"), (-1.5e-10, "-1.5e-10"),
            (9_007_199_254_740_992, "9007199254740992"), (.leastNonzeroMagnitude, "5e-324"),
            (123456.789, "123456.789"),
        ]
    )
    func doubles(value: Double, text: String) throws {
        #expect(JSONNumber.javaScriptText(value) == text)
        #expect(try #require(JSONNumber(value)).literal == text)
    }

    @Test("what no JSON number can say is none", arguments: [Double.nan, .infinity, -.infinity])
    func noNumbers(value: Double) {
        #expect(JSONNumber(value) == nil)
    }

    @Test("negative zero and large integers keep their value")
    func edges() throws {
        #expect(try #require(JSONNumber(-0.0)).literal == "0")
        #expect(try JSONValue(parsing: "-0").doubleValue?.sign == .minus)
        #expect(JSONNumber.javaScriptText(-0.0) == "0")
        #expect(JSONValue.int(UInt64.max).text == "18446744073709551615")
        #expect(JSONValue.optional(nil).isNull)
    }

    @Test("the form for people is indented by two spaces")
    func pretty() throws {
        let json = try JSONValue(parsing: #"{"a":[1,{}],"b":{"c":[]}}"#)
        let expected = """
            {
              "a": [
                1,
                {}
              ],
              "b": {
                "c": []
              }
            }
            """
        #expect(json.prettyText == expected)
    }

    @Test("an error tells where the document stops being JSON")
    func errorPosition() {
        let message = { (document: String) in
            #expect(throws: JSONError.self) { try JSONValue(parsing: document) }?.description
        }
        #expect(message(#"{"a":x}"#) == "Unexpected token x in JSON at position 5")
        #expect(message("[") == "Unexpected end of input in JSON at position 1")
    }
}
