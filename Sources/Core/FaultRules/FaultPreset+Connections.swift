extension FaultPreset {
    /// GOAWAY and closing.
    static let connections: [FaultPreset] = [
        FaultPreset(
            "goaway-linger",
            ["jchambers/pushy#865"],
            "pushes are lost for 30 s after a GOAWAY whose connection stays open and refuses new streams",
            #"{"match":{"requestFrom":3},"limit":1,"effect":{"kind":"goaway","lingerMilliseconds":30000,"newStreams":"refuse"}}"#
        ),
        FaultPreset(
            "goaway-mid-flight",
            ["jchambers/pushy#1025"],
            "a GOAWAY comes while requests are queued; all behind the last processed one fail",
            #"{"match":{"requestFrom":10},"limit":1,"effect":{"kind":"goaway","when":"before"}}"#
        ),
        FaultPreset(
            "goaway-every-few-seconds",
            ["jchambers/pushy#1017"],
            "under load streams are closed before a reply: each connection goes away after 2 to 5 s",
            #"{"effect":{"kind":"goaway","at":"connection","minMilliseconds":2000,"maxMilliseconds":5000}}"#
        ),
        FaultPreset(
            "goaway-below-open-streams",
            ["jchambers/pushy#807"],
            "an old connection names a last stream below those that are open (seen at stream 21,012,007, here at the 20th)",
            #"{"match":{"requestFrom":20},"limit":1,"effect":{"kind":"goaway","last":"lower"}}"#
        ),
        FaultPreset(
            "goaway-over-limit",
            ["jchambers/pushy#356"],
            "one stream is allowed, and more are GOAWAY code 7, Maximum active streams violated for this endpoint.",
            #"{"effect":{"kind":"settings","at":"connection","maxConcurrentStreams":1,"overLimit":"goaway"}}"#
        ),
        FaultPreset(
            "goaway-double",
            ["jchambers/pushy#312"],
            "a GOAWAY without a reason: two frames in a row, the second without data",
            #"{"limit":1,"effect":{"kind":"goaway","at":"connection","reason":"BadCertificateEnvironment","double":true}}"#
        ),
        FaultPreset(
            "close-after-settings",
            ["jchambers/pushy#878"],
            "the connection dies without a reason: it closes after SETTINGS, without GOAWAY",
            #"{"limit":1,"effect":{"kind":"close","at":"connection","afterSettings":true}}"#
        ),
        FaultPreset(
            "goaway-every-hundred",
            ["parse-community/node-apn#140"],
            "1 % of sends fail: each connection goes away at its 100th push, the next one is taken",
            #"{"match":{"request":100},"effect":{"kind":"goaway"}}"#
        ),
        FaultPreset(
            "goaway-kept-open",
            ["node-apn/node-apn#685"],
            "all sends on one session fail for ever: GOAWAY, and the connection stays open, deaf to new streams",
            #"{"match":{"requestFrom":3},"limit":1,"effect":{"kind":"goaway","then":"keep-open"}}"#
        ),
        FaultPreset(
            "goaway-protocol-error",
            ["node-apn/node-apn#727"],
            "GOAWAY: PROTOCOL_ERROR Stream 5 does not exist, after stream 3",
            #"{"match":{"request":2},"limit":1,"effect":{"kind":"goaway","code":1,"text":"Stream 5 does not exist"}}"#
        ),
        FaultPreset(
            "goaway-refusing",
            ["DocNR/clave#14"],
            "six hours without pushes: after GOAWAY each new stream is reset with REFUSED_STREAM",
            #"{"match":{"requestFrom":3},"limit":1,"effect":{"kind":"goaway","then":"keep-open","newStreams":"refuse"}}"#
        ),
        FaultPreset(
            "goaway-every-connection",
            ["codedge-llc/pigeon#89"],
            "an endless loop of reconnects: GOAWAY Shutdown on every new connection",
            #"{"effect":{"kind":"goaway","at":"connection","reason":"Shutdown"}}"#
        ),
        FaultPreset(
            "goaway-reason",
            ["swoole/swoole-src#2759"],
            "the reason of a GOAWAY cannot be read: its debug data is JSON",
            #"{"limit":1,"effect":{"kind":"goaway","reason":"InternalServerError","code":2}}"#
        ),
        FaultPreset(
            "goaway-at-random",
            ["ostinelli/net-http2#39", "ostinelli/apnotic#117"],
            "the socket is closed remotely 10 to 20 times a day: about each hundredth push ends its connection",
            #"{"probability":0.01,"effect":{"kind":"goaway","reason":"Shutdown"}}"#
        ),
        FaultPreset(
            "close-after-streams",
            ["jchambers/pushy#184"],
            "the connection drops silently around stream 1357, the 679th push",
            #"{"match":{"request":679},"effect":{"kind":"close"}}"#
        ),
        FaultPreset(
            "close-with-certificate",
            ["jchambers/pushy#257", "jchambers/pushy#561", "matrix-org/sygnal#302"],
            "connections with a certificate of the wrong environment are closed after the handshake",
            #"{"match":{"clientCertificate":true},"effect":{"kind":"close","at":"connection"}}"#
        ),
    ]

    /// Silence, half-open connections and handshakes that never end.
    static let silences: [FaultPreset] = [
        FaultPreset(
            "never-answered",
            ["parse-community/node-apn#24", "node-apn/node-apn#665"],
            "send() never returns: a push is taken and never answered",
            #"{"limit":1,"effect":{"kind":"timeout","when":"after","seconds":86400}}"#
        ),
        FaultPreset(
            "answered-late",
            ["parse-community/node-apn#38"],
            "apn write timeout, though the push was processed: answers come after 5 to 60 s",
            #"{"effect":{"kind":"delay","minMilliseconds":5000,"maxMilliseconds":60000}}"#
        ),
        FaultPreset(
            "answered-beyond-idle",
            ["Fatal1ty/aioapns#50"],
            "ConnectionClosed in a loop though each push is delivered: answers come after the client's 10 s of idling",
            #"{"effect":{"kind":"delay","milliseconds":11000}}"#
        ),
        FaultPreset(
            "every-tenth-unanswered",
            ["jchambers/pushy#816"],
            "some pushes are never answered",
            #"{"match":{"requestEvery":10},"effect":{"kind":"timeout","when":"after","seconds":86400}}"#
        ),
        FaultPreset(
            "rising-latency",
            ["jchambers/pushy#732", "jchambers/pushy#704"],
            "answers take longer and longer on a connection: 1 s from its 10th push on, then 2, 4 and 8 s",
            #"{"match":{"requestFrom":40},"effect":{"kind":"delay","milliseconds":8000}}"#,
            #"{"match":{"requestFrom":30},"effect":{"kind":"delay","milliseconds":4000}}"#,
            #"{"match":{"requestFrom":20},"effect":{"kind":"delay","milliseconds":2000}}"#,
            #"{"match":{"requestFrom":10},"effect":{"kind":"delay","milliseconds":1000}}"#
        ),
        FaultPreset(
            "first-push-unanswered",
            ["lionheart/openradar-mirror#16044"],
            "a well-formed provider token hangs: the first push of a connection is never answered",
            #"{"match":{"request":1},"effect":{"kind":"timeout","seconds":86400}}"#
        ),
        FaultPreset(
            "half-open-after-idle",
            ["inaka/apns4erl#205"],
            "after a minute without a push the connection is dead without FIN or RST, and all pushes time out",
            #"{"effect":{"kind":"black-hole","at":"connection","idleMilliseconds":60000,"seconds":3600}}"#
        ),
        FaultPreset(
            "reset-after-idle",
            ["Pr0Ger/PyAPNs2#30", "AGProjects/sylk-pushserver#6"],
            "the first push after a minute of idling finds the connection reset",
            #"{"match":{"idleMilliseconds":60000},"effect":{"kind":"reset"}}"#
        ),
        FaultPreset(
            "error-after-idle",
            ["jchambers/pushy#408", "node-apn/node-apn#449"],
            "the first push after a minute of idling is answered 500 InternalServerError",
            #"{"match":{"idleMilliseconds":60000},"effect":{"kind":"reject","status":500,"reason":"InternalServerError"}}"#
        ),
        FaultPreset(
            "stalled-handshake",
            ["sideshow/apns2#20"],
            "a push hangs while connecting: TCP is accepted and TLS never answered",
            #"{"limit":1,"effect":{"kind":"stall-handshake","seconds":3600}}"#
        ),
        FaultPreset(
            "stalled-reconnect",
            ["codedge-llc/pigeon#203"],
            "the connection is closed, and the handshake of the next one never ends",
            #"{"limit":1,"effect":{"kind":"close"}}"#,
            #"{"skip":1,"limit":1,"effect":{"kind":"stall-handshake","seconds":3600}}"#
        ),
        FaultPreset(
            "close-after-handshake",
            ["jchambers/pushy#258"],
            "the channel is closed before the HTTP/2 preface is complete",
            #"{"limit":1,"effect":{"kind":"close","at":"connection"}}"#
        ),
    ]
}
