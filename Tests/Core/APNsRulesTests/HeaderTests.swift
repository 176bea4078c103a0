import Testing

@testable import APNsRules

@Suite("APNs: headers")
struct HeaderTests {
    @Test(
        "judges single headers",
        arguments: [
            ("apns-id", Push.id, "200"), ("apns-id", Push.id.uppercased(), "200"),
            ("apns-id", "", "400 BadMessageId"), ("apns-id", "1", "400 BadMessageId"),
            ("apns-id", Push.id + "0", "400 BadMessageId"),
            ("apns-id", "123e4567e89b12d3a456426614174000", "400 BadMessageId"),
            ("apns-id", "{123e4567-e89b-12d3-a456-42661417400}", "400 BadMessageId"),
            ("apns-id", "g23e4567-e89b-12d3-a456-426614174000", "400 BadMessageId"),
            ("apns-expiration", "0", "200"), ("apns-expiration", "1790000000", "200"),
            ("apns-expiration", "-1", "200"), ("apns-expiration", "9223372036854775807", "200"),
            ("apns-expiration", "9223372036854775808", "400 BadExpirationDate"),
            ("apns-expiration", "", "400 BadExpirationDate"),
            ("apns-expiration", "1.5", "400 BadExpirationDate"),
            ("apns-expiration", "+1", "400 BadExpirationDate"),
            ("apns-expiration", "x", "400 BadExpirationDate"),
            ("apns-priority", "10", "200"), ("apns-priority", "5", "200"), ("apns-priority", "1", "200"),
            ("apns-priority", "", "400 BadPriority"), ("apns-priority", "0", "400 BadPriority"),
            ("apns-priority", "7", "400 BadPriority"), ("apns-priority", "05", "400 BadPriority"),
            ("apns-priority", "100", "400 BadPriority"), ("apns-priority", "high", "400 BadPriority"),
            ("apns-collapse-id", String(repeating: "x", count: 64), "200"),
            ("apns-collapse-id", String(repeating: "x", count: 65), "400 BadCollapseId"),
            ("apns-collapse-id", String(repeating: "\u{E9}", count: 32), "200"),
            ("apns-collapse-id", String(repeating: "\u{E9}", count: 33), "400 BadCollapseId"),
            ("apns-push-type", "toast", "400 InvalidPushType"), ("apns-push-type", "", "400 InvalidPushType"),
            ("apns-push-type", "Alert", "400 InvalidPushType"),
        ]
    )
    func judges(name: String, value: String, answer: String) {
        #expect(Push(headers: [(name, value)]).answer() == answer)
    }

    @Test(
        "knows every push type of Apple's page",
        arguments: [
            "alert", "background", "voip", "complication", "fileprovider", "mdm", "location", "liveactivity",
            "pushtotalk", "widgets", "controls",
        ]
    )
    func knowsPushTypes(type: String) {
        #expect(Push(headers: [("apns-push-type", type)]).answer() == "200")
    }

    @Test(
        "judges the topic",
        arguments: [
            (nil, "400 MissingTopic"), ("", "400 MissingTopic"), ("com.example.App-1_2", "200"),
            ("com example", "400 BadTopic"), ("com.ex\u{E4}mple", "400 BadTopic"),
            ("com/example", "400 BadTopic"),
            (String(repeating: "a", count: 255), "200"), (String(repeating: "a", count: 256), "400 BadTopic"),
        ] as [(String?, String)]
    )
    func judgesTopic(topic: String?, answer: String) {
        #expect(Push(topic: topic).answer() == answer)
    }

    @Test(
        "refuses any apns header or the authorization twice",
        arguments: [
            "apns-topic", "authorization", "apns-priority", "apns-id", "apns-expiration", "apns-push-type",
            "apns-collapse-id", "apns-channel-id",
        ]
    )
    func refusesDuplicates(name: String) {
        let push = Push(authorization: nil, topic: nil, headers: [(name, "1"), (name, "1")])
        #expect(push.answer() == "400 DuplicateHeaders")
    }

    @Test("does not mind other headers twice, nor unknown apns headers once")
    func acceptsOthers() {
        let headers = [
            ("accept", "a"), ("accept", "a"), ("apns-x", "1"), ("apns-y", "1"), ("apns", "1"), ("apns", "1"),
        ]
        #expect(Push(headers: headers.map { (name: $0.0, value: $0.1) }).answer() == "200")
    }

    @Test(
        "judges method and path",
        arguments: [
            ("GET", "/3/device/\(Push.token)", "405 MethodNotAllowed"), ("GET", "/", "405 MethodNotAllowed"),
            ("post", "/3/device/\(Push.token)", "405 MethodNotAllowed"),
            ("PUT", "/3/device/\(Push.token)", "405 MethodNotAllowed"),
            ("POST", "/", "404 BadPath"), ("POST", "", "404 BadPath"), ("POST", "/3/device", "404 BadPath"),
            ("POST", "/2/device/\(Push.token)", "404 BadPath"),
            ("POST", "/3/Device/\(Push.token)", "404 BadPath"),
            ("POST", "/3/device/\(Push.token)/x", "404 BadPath"),
            ("POST", "/4/broadcasts/apps/im.example", "404 BadPath"),
            ("POST", "/3/device/", "400 MissingDeviceToken"),
        ]
    )
    func judgesPath(method: String, path: String, answer: String) {
        #expect(Push(method: method, path: path).answer() == answer)
    }

    @Test(
        "judges the form of device tokens",
        arguments: [
            (String(repeating: "aB", count: 32), "200"), (String(repeating: "a", count: 160), "200"),
            (String(repeating: "a", count: 200), "200"),
            (String(repeating: "a", count: 202), "400 BadDeviceToken"),
            (String(repeating: "a", count: 62), "400 BadDeviceToken"),
            (String(repeating: "a", count: 65), "400 BadDeviceToken"), ("x", "400 BadDeviceToken"),
            (String(repeating: "g", count: 64), "400 BadDeviceToken"),
            ("%20" + String(repeating: "a", count: 61), "400 BadDeviceToken"),
            (Push.token + "?x", "400 BadDeviceToken"), ("<\(Push.token)>", "400 BadDeviceToken"),
        ]
    )
    func judgesToken(token: String, answer: String) {
        #expect(Push(path: "/3/device/\(token)").answer() == answer)
    }

    @Test(
        "takes a flat list whose bounds do not fit for an empty one",
        arguments: [
            ([], 1), ([1, 2, 3], 1), ([1, 2, 3], -1), ([1, 2, 3], .max), ([65, 66, 1, 0, 3, 0], 1),
            ([65, 66, 2, 0, 1, 0], 1), ([65, 66, 1, 0, 1, 0], 1), ([65, 1, 0, 1, 0, 0, 0, 1, 0], 2),
        ] as [([UInt8], Int)]
    )
    func ignoresUnsoundBounds(bytes: [UInt8], count: Int) {
        let headers = APNsHeaders(bytes: bytes, count: count)
        #expect(headers.fields.isEmpty)
    }

    @Test("reads a flat list")
    func readsFlatList() {
        let headers = APNsHeaders(bytes: [65, 66, 67, 1, 0, 3, 0, 3, 0, 3, 0], count: 2)
        #expect(headers.fields.map(\.name) == ["A", ""])
        #expect(headers.fields.map(\.value) == ["BC", ""])
    }
}
