extension FaultPreset {
    /// Streams and flow control.
    static let streams: [FaultPreset] = [
        FaultPreset(
            "one-stream",
            ["sideshow/apns2#42", "sideshow/apns2#43"],
            "token authentication is stuck, or opens many connections: one stream is allowed, more are refused",
            #"{"effect":{"kind":"settings","at":"connection","maxConcurrentStreams":1}}"#
        ),
        FaultPreset(
            "ten-streams",
            ["AndrewBarba/apns2#17"],
            "neither success nor error for what is sent at once beyond the limit: ten streams, more are refused",
            #"{"effect":{"kind":"settings","at":"connection","maxConcurrentStreams":10}}"#
        ),
        FaultPreset(
            "no-streams-then-close",
            ["ostinelli/apnotic#75"],
            "the client blocks for ever: the limit drops to 0, then the connection closes",
            #"{"limit":1,"effect":{"kind":"settings","maxConcurrentStreams":0}}"#,
            #"{"limit":1,"effect":{"kind":"close","at":"connection","afterSettings":true,"milliseconds":3000}}"#
        ),
        FaultPreset(
            "no-stream-limit",
            ["jazzband/django-push-notifications#408"],
            "max_concurrent_streams too high (4294967297): SETTINGS name no limit",
            #"{"effect":{"kind":"settings","at":"connection"}}"#
        ),
        FaultPreset(
            "limit-lowered",
            ["jetty/jetty.project#6603"],
            "max local stream count exceeded: the limit falls to 1 while streams are open",
            #"{"match":{"request":5},"effect":{"kind":"settings","maxConcurrentStreams":1}}"#
        ),
        FaultPreset(
            "streams-reset",
            ["Pr0Ger/PyAPNs2#119", "Pr0Ger/PyAPNs2#116", "zulip/zulip#6321"],
            "a fifth of the pushes ends in RST_STREAM, by INTERNAL_ERROR or REFUSED_STREAM",
            #"{"probability":0.1,"effect":{"kind":"rst-stream","code":2}}"#,
            #"{"probability":0.111,"effect":{"kind":"refused-stream"}}"#
        ),
        FaultPreset(
            "small-windows",
            ["sideshow/apns2#163"],
            "200 pushes a second with larger payloads: windows of 1,024 bytes that open again after 200 ms",
            #"{"effect":{"kind":"window","initialBytes":1024,"updateMilliseconds":200}}"#
        ),
    ]

    /// Provider tokens and device tokens.
    static let tokens: [FaultPreset] = [
        FaultPreset(
            "provider-token-expired",
            ["jchambers/pushy#628"],
            "an endless loop of resending: every push is 403 ExpiredProviderToken",
            #"{"effect":{"kind":"reject","status":403,"reason":"ExpiredProviderToken"}}"#
        ),
        FaultPreset(
            "provider-token-updates",
            ["jchambers/pushy#811", "lionheart/openradar-mirror#18552"],
            "a burst of 429 in spite of correct refreshes from the 11th push of a connection on, then silence from the 31st",
            #"{"match":{"requestFrom":31},"effect":{"kind":"timeout","seconds":86400}}"#,
            #"{"match":{"requestFrom":11},"effect":{"kind":"reject","status":429,"reason":"TooManyProviderTokenUpdates"}}"#
        ),
        FaultPreset(
            "unregistered",
            ["SkygearIO/skygear-server#536"],
            "tokens that are never pruned are tried for ever: every push is 410, as of now",
            #"{"effect":{"kind":"reject","status":410,"reason":"Unregistered","timestampAgeSeconds":0}}"#
        ),
        FaultPreset(
            "unregistered-early",
            ["jchambers/pushy#674", "Pr0Ger/PyAPNs2#61"],
            "410 as of 30 days ago, before the token was registered again: the new registration must stay",
            #"{"effect":{"kind":"reject","status":410,"reason":"Unregistered","timestampAgeSeconds":2592000}}"#
        ),
        FaultPreset(
            "unregistered-without-timestamp",
            ["Pr0Ger/PyAPNs2#61"],
            "410 without a timestamp",
            #"{"effect":{"kind":"reject","status":410,"reason":"Unregistered"}}"#
        ),
        FaultPreset(
            "unregistered-at-zero",
            ["Pr0Ger/PyAPNs2#61"],
            "410 with the timestamp 0",
            #"{"effect":{"kind":"reject","status":410,"reason":"Unregistered","timestamp":0}}"#
        ),
        FaultPreset(
            "unregistered-in-seconds",
            ["Pr0Ger/PyAPNs2#61"],
            "410 with a timestamp in seconds in place of milliseconds",
            #"{"effect":{"kind":"reject","status":410,"reason":"Unregistered","timestampAgeSeconds":0,"timestampForm":"seconds"}}"#
        ),
        FaultPreset(
            "unregistered-as-text",
            ["Pr0Ger/PyAPNs2#61"],
            "410 with a timestamp that is a text",
            #"{"effect":{"kind":"reject","status":410,"reason":"Unregistered","timestampAgeSeconds":0,"timestampForm":"text"}}"#
        ),
        FaultPreset(
            "token-expired",
            ["alexalok/dotAPNS#43"],
            "the status is hidden from the caller: 410 ExpiredToken, where Unregistered was expected",
            #"{"effect":{"kind":"reject","status":410,"reason":"ExpiredToken","timestampAgeSeconds":0}}"#
        ),
        FaultPreset(
            "bad-token-in-batch",
            ["Redth/PushSharp#918"],
            "one bad token stops the batch: each fifth push is 400 BadDeviceToken",
            #"{"match":{"requestEvery":5},"effect":{"kind":"reject","status":400,"reason":"BadDeviceToken"}}"#
        ),
        FaultPreset(
            "bad-tokens",
            ["Adamant-im/adamant-notificationService"],
            "one wrong topic or environment: every push is 400 BadDeviceToken, and the service empties its table",
            #"{"effect":{"kind":"reject","status":400,"reason":"BadDeviceToken"}}"#
        ),
        FaultPreset(
            "lost-pushes",
            ["Adamant-im/adamant-notificationService"],
            "a service that never tries again loses about a third: 503, 429 and resets, each a tenth or so",
            #"{"probability":0.1,"effect":{"kind":"reject","status":503,"reason":"ServiceUnavailable"}}"#,
            #"{"probability":0.11,"effect":{"kind":"reject","status":429,"reason":"TooManyRequests"}}"#,
            #"{"probability":0.12,"effect":{"kind":"reset"}}"#
        ),
    ]

    /// The form of answers.
    static let answers: [FaultPreset] = [
        FaultPreset(
            "error-without-end",
            ["parse-community/node-apn#43"],
            "errors surface as timeouts alone: HEADERS and DATA without END_STREAM, and a reset 5 s later",
            #"{"effect":{"kind":"reject","status":400,"reason":"BadDeviceToken","endStream":"never","resetMilliseconds":5000}}"#
        ),
        FaultPreset(
            "stall-then-reset",
            ["AndrewBarba/apns2#38"],
            "errors without status or reason under load: the 20th push stalls, and 5 s later the connection is reset",
            #"{"match":{"request":20},"effect":{"kind":"reset","milliseconds":5000}}"#
        ),
        FaultPreset(
            "id-missing",
            ["parse-community/node-apn#44"],
            "failures cannot be matched to requests: answers have no apns-id",
            #"{"effect":{"kind":"answer","apnsId":"omit"}}"#
        ),
        FaultPreset(
            "id-changed",
            ["parse-community/node-apn#44"],
            "failures cannot be matched to requests: answers have another apns-id",
            #"{"effect":{"kind":"answer","apnsId":"change"}}"#
        ),
        FaultPreset(
            "answers-reordered",
            ["parse-community/node-apn#44"],
            "answers come in another order than the pushes",
            #"{"effect":{"kind":"delay","minMilliseconds":0,"maxMilliseconds":500}}"#
        ),
        error("empty-body", "an error with an empty body", #""reason":"BadDeviceToken","body":"""#),
        error(
            "html-body",
            "an error with the HTML page of a proxy",
            #""body":"<html><body>502 Bad Gateway</body></html>","contentType":"text/html""#,
            status: 502
        ),
        error(
            "wrong-content-type",
            "an error whose JSON is said to be plain text",
            #""reason":"BadDeviceToken","contentType":"text/plain""#
        ),
        error("unknown-reason", "an error with a reason that nobody knows", #""reason":"SolarFlare""#),
        error("reason-number", "an error whose reason is a number", #""body":{"reason":7}"#),
        error("reason-null", "an error whose reason is null", #""body":{"reason":null}"#),
        error(
            "long-body",
            "an error of more than 1,024 bytes",
            #""reason":"BadDeviceToken","body":{"reason":"BadDeviceToken","padding":""#
                + String(repeating: "x", count: 1500) + #""}"#
        ),
        error(
            "split-body",
            "an error whose JSON is spread over two DATA frames",
            #""reason":"BadDeviceToken","dataFrames":2"#
        ),
        error(
            "end-on-empty-frame",
            "an error that ends on an empty DATA frame",
            #""reason":"BadDeviceToken","endStream":"empty-data""#
        ),
        error(
            "error-in-headers",
            "an error that ends on HEADERS",
            #""reason":"BadDeviceToken","endStream":"headers""#
        ),
        error("trailers", "an error with trailers", #""reason":"BadDeviceToken","trailers":true"#),
        FaultPreset(
            "success-with-body",
            [formSource],
            "200 with a body",
            #"{"effect":{"kind":"answer","body":"{}"}}"#
        ),
        FaultPreset(
            "informational-first",
            [formSource],
            "an informational answer 103 before the real one",
            #"{"effect":{"kind":"answer","informational":103}}"#
        ),
    ]

    /// Where the forms of answers come from that each break some client: no single report, but what they read.
    private static let formSource =
        "aioapns, node-apn, dotAPNS, PyAPNs2, Pushy: what each takes an answer for"

    private static func error(_ name: String, _ symptom: String, _ members: String, status: Int = 400)
        -> FaultPreset
    {
        FaultPreset(
            name,
            [formSource],
            symptom,
            #"{"effect":{"kind":"reject","status":\#(status),\#(members)}}"#
        )
    }
}
