import JSONValue
import Testing

@testable import FaultRules

@Suite("Faults: effects on APNs")
struct APNsEffectTests {
    private func goAway(_ change: (inout GoAwayForm) -> Void = { _ in }) -> GoAwayForm {
        var form = GoAwayForm()
        change(&form)
        return form
    }

    private func form(_ change: (inout AnswerForm) -> Void) -> AnswerForm {
        var form = AnswerForm()
        change(&form)
        return form
    }

    private func effect(_ text: String, of request: FaultRequest = push()) throws -> FaultEffect? {
        var book = try book(#"{"target": "apns", "effect": \#(text)}"#)
        return book.decide(request)?.effect
    }

    private func refusal(_ effect: String, match: String = "{}") -> FaultRuleError? {
        #expect(throws: FaultRuleError.self) {
            try book(#"{"target": "apns", "match": \#(match), "effect": \#(effect)}"#)
        }
    }

    private func connection(_ occasion: FaultRequest.Occasion) -> FaultRequest {
        var request = FaultRequest(target: .apns)
        request.occasion = occasion
        request.environment = "production"
        request.connection = occasion == .connection ? 3 : nil
        request.hasClientCertificate = occasion == .connection ? false : nil
        return request
    }

    @Test("reads what strikes a push")
    func pushes() throws {
        #expect(try effect(#"{"kind": "drop"}"#) == .push(.drop))
        #expect(try effect(#"{"kind": "reset", "when": "after"}"#) == .reset(.after))
        #expect(try effect(#"{"kind": "reset", "at": "push"}"#) == .reset(.before))
        #expect(try effect(#"{"kind": "close"}"#) == .push(.close(.after)))
        #expect(try effect(#"{"kind": "close", "when": "before"}"#) == .push(.close(.before)))
        #expect(try effect(#"{"kind": "timeout", "seconds": 0}"#) == .timeout(.before, seconds: 0))
        #expect(try effect(#"{"kind": "delay", "milliseconds": 5}"#) == .delay)
        #expect(try effect(#"{"kind": "rst-stream"}"#) == .push(.resetStream(.before, code: 7)))
        #expect(
            try effect(#"{"kind": "rst-stream", "when": "after", "code": 4294967295}"#)
                == .push(.resetStream(.after, code: 4_294_967_295))
        )
        #expect(try effect(#"{"kind": "refused-stream"}"#) == .push(.resetStream(.before, code: 7)))
        #expect(
            try effect(#"{"kind": "settings", "maxConcurrentStreams": 0}"#)
                == .push(.settings(StreamLimit(streams: 0, overLimit: .refuse)))
        )
        #expect(
            try effect(#"{"kind": "settings", "maxConcurrentStreams": 2147483647, "overLimit": "allow"}"#)
                == .push(.settings(StreamLimit(streams: 2_147_483_647, overLimit: .allow)))
        )
        #expect(try effect(#"{"kind": "black-hole"}"#) == .push(.blackHole(.before, seconds: 120)))
        #expect(
            try effect(#"{"kind": "black-hole", "when": "after", "seconds": 3}"#)
                == .push(.blackHole(.after, seconds: 3))
        )
    }

    @Test("reads every parameter of GOAWAY")
    func goAways() throws {
        #expect(try effect(#"{"kind": "goaway"}"#) == .push(.goAway(.after, goAway())))
        let full = #"""
            {"kind": "goaway", "when": "before", "reason": "Shutdown", "code": 4294967295, "lastStream": 7,
             "lingerMilliseconds": 86400000, "then": "reset", "double": true, "newStreams": "refuse"}
            """#
        let expected = goAway {
            $0.data = .reason("Shutdown")
            $0.code = .max
            $0.last = .stream(7)
            $0.lingerMilliseconds = 86_400_000
            $0.ending = .reset
            $0.isDouble = true
            $0.newStreams = .refuse
        }
        #expect(try effect(full) == .push(.goAway(.before, expected)))
        let lasts: [(String, GoAwayForm.Last)] = [
            ("processed", .processed), ("max", .max), ("lower", .lower),
        ]
        for (word, last) in lasts {
            #expect(
                try effect(#"{"kind": "goaway", "last": "\#(word)"}"#)
                    == .push(.goAway(.after, goAway { $0.last = last }))
            )
        }
        #expect(
            try effect(#"{"kind": "goaway", "text": "why", "then": "keep-open"}"#)
                == .push(
                    .goAway(
                        .after,
                        goAway {
                            $0.data = .text("why")
                            $0.ending = .keepOpen
                        }
                    )
                )
        )
    }

    @Test("reads every parameter of a refusal and of an answer's form")
    func answers() throws {
        #expect(
            try effect(
                #"{"kind": "reject", "status": 410, "reason": "Unregistered", "timestamp": 1790000000000}"#
            )
                == .push(
                    .reject(
                        PushRejection(
                            status: 410,
                            reason: "Unregistered",
                            since: .unixMilliseconds(1_790_000_000_000)
                        )
                    )
                )
        )
        let forms: [(String, PushRejection.TimestampForm)] = [
            ("milliseconds", .milliseconds), ("seconds", .seconds), ("text", .text),
        ]
        for (word, timestampForm) in forms {
            #expect(
                try effect(
                    #"{"kind": "reject", "status": 410, "reason": "x", "timestampAgeSeconds": -5, "timestampForm": "\#(word)"}"#
                )
                    == .push(
                        .reject(
                            PushRejection(
                                status: 410,
                                reason: "x",
                                since: .secondsAgo(-5),
                                timestampForm: timestampForm
                            )
                        )
                    )
            )
        }
        #expect(
            try effect(#"{"kind": "reject", "status": 502, "body": "", "contentType": ""}"#)
                == .push(
                    .reject(
                        PushRejection(
                            status: 502,
                            reason: nil,
                            form: form {
                                $0.body = ""
                                $0.contentType = ""
                            }
                        )
                    )
                )
        )
        let full = #"""
            {"kind": "answer", "apnsId": "swap-case", "body": {"reason": null}, "contentType": "text/html", "dataFrames": 3,
             "endStream": "never", "resetMilliseconds": 9, "informational": 103}
            """#
        let expected = form {
            $0.id = .swapCase
            $0.body = #"{"reason":null}"#
            $0.contentType = "text/html"
            $0.dataFrames = 3
            $0.ending = .never
            $0.resetMilliseconds = 9
            $0.informational = 103
        }
        #expect(try effect(full) == .push(.answer(expected)))
        #expect(
            try effect(#"{"kind": "answer", "trailers": true}"#)
                == .push(.answer(form { $0.hasTrailers = true }))
        )
        for id in AnswerForm.ID.allCases {
            #expect(
                try effect(#"{"kind": "answer", "apnsId": "\#(id.rawValue)"}"#)
                    == .push(.answer(form { $0.id = id }))
            )
        }
        for ending in AnswerForm.Ending.allCases {
            #expect(
                try effect(#"{"kind": "answer", "endStream": "\#(ending.rawValue)"}"#)
                    == .push(.answer(form { $0.ending = ending }))
            )
        }
    }

    @Test("reads what strikes a connection from its beginning, which strikes no push")
    func connections() throws {
        let effects: [(String, ConnectionEffect)] = [
            (#"{"kind": "reset", "at": "connection"}"#, .end(isReset: true, afterSettings: false)),
            (
                #"{"kind": "close", "at": "connection", "afterSettings": true}"#,
                .end(isReset: false, afterSettings: true)
            ),
            (#"{"kind": "goaway", "at": "connection", "last": "max"}"#, .goAway(goAway { $0.last = .max })),
            (#"{"kind": "settings", "at": "connection"}"#, .settings(nil)),
            (
                #"{"kind": "settings", "at": "connection", "maxConcurrentStreams": 1, "overLimit": "goaway"}"#,
                .settings(StreamLimit(streams: 1, overLimit: .goAway))
            ),
            (#"{"kind": "no-settings"}"#, .noSettings), (#"{"kind": "silent-ping"}"#, .silentPing),
            (
                #"{"kind": "black-hole", "at": "connection", "idleMilliseconds": 5, "seconds": 6}"#,
                .blackHole(idleMilliseconds: 5, seconds: 6)
            ),
            (
                #"{"kind": "black-hole", "at": "connection"}"#,
                .blackHole(idleMilliseconds: 0, seconds: 120)
            ),
            (
                #"{"kind": "window", "initialBytes": 0}"#,
                .windows(initialBytes: 0, updateMilliseconds: nil)
            ),
            (
                #"{"kind": "window", "initialBytes": 2147483647, "updateMilliseconds": 5}"#,
                .windows(initialBytes: 2_147_483_647, updateMilliseconds: 5)
            ),
        ]
        for (text, expected) in effects {
            #expect(try effect(text, of: connection(.connection)) == .connection(expected))
            #expect(try effect(text) == nil)
            #expect(try effect(text, of: connection(.accept)) == nil)
        }
        let stall = #"{"kind": "stall-handshake", "seconds": 9}"#
        #expect(try effect(stall, of: connection(.accept)) == .connection(.stalledHandshake(seconds: 9)))
        #expect(try effect(stall, of: connection(.connection)) == nil)
    }

    @Test("delays what begins later")
    func delays() throws {
        var book = try book(
            #"{"target": "apns", "effect": {"kind": "goaway", "at": "connection", "milliseconds": 40}}"#
        )
        #expect(book.decide(connection(.connection))?.delayMilliseconds == 40)
    }

    @Test("knows whether a push is processed and answered")
    func facts() {
        let answered: [(PushEffect, isProcessed: Bool, isAnswered: Bool)] = [
            (.reject(PushRejection(status: 400, reason: "x")), false, true), (.drop, false, true),
            (.answer(AnswerForm()), true, true),
            (.settings(StreamLimit(streams: 1, overLimit: .refuse)), true, true),
            (.resetStream(.before, code: 7), false, false), (.resetStream(.after, code: 7), true, false),
            (.goAway(.before, goAway()), false, false), (.goAway(.after, goAway()), true, true),
            (.goAway(.after, goAway { $0.last = .lower }), true, false),
            (.goAway(.after, goAway { $0.last = .stream(2) }), true, false),
            (.goAway(.after, goAway { $0.last = .stream(3) }), true, true), (.close(.after), true, false),
            (.close(.before), false, false), (.blackHole(.after, seconds: 1), true, false),
        ]
        for (effect, isProcessed, isAnswered) in answered {
            #expect(effect.isProcessed == isProcessed)
            #expect(effect.isAnswered(on: 3) == isAnswered)
        }
    }

    @Test(
        "names the member at fault",
        arguments: [
            (#"{"kind": "reject", "reason": "x"}"#, "status"),
            (#"{"kind": "reject", "status": 400}"#, "reason"),
            (#"{"kind": "reject", "status": 100, "reason": "x"}"#, "status"),
            (#"{"kind": "reject", "status": 400, "reason": ""}"#, "reason"),
            (#"{"kind": "reject", "status": 410, "reason": "x", "timestamp": -1}"#, "timestamp"),
            (#"{"kind": "reject", "status": 410, "reason": "x", "timestampForm": "text"}"#, "timestampForm"),
            (
                #"{"kind": "reject", "status": 410, "reason": "x", "timestamp": 1, "timestampForm": "hours"}"#,
                "timestampForm"
            ),
            (
                #"{"kind": "reject", "status": 410, "reason": "x", "timestamp": 1, "timestampAgeSeconds": 1}"#,
                "timestampAgeSeconds"
            ),
            (
                #"{"kind": "reject", "status": 410, "reason": "x", "timestampAgeSeconds": 1e12}"#,
                "timestampAgeSeconds"
            ),
            (#"{"kind": "answer"}"#, "kind"), (#"{"kind": "answer", "apnsId": "lose"}"#, "apnsId"),
            (#"{"kind": "answer", "dataFrames": 0}"#, "dataFrames"),
            (#"{"kind": "answer", "dataFrames": 1001}"#, "dataFrames"),
            (#"{"kind": "answer", "endStream": "later"}"#, "endStream"),
            (#"{"kind": "answer", "resetMilliseconds": 5}"#, "resetMilliseconds"),
            (#"{"kind": "answer", "endStream": "never", "resetMilliseconds": -5}"#, "resetMilliseconds"),
            (#"{"kind": "answer", "informational": 101}"#, "informational"),
            (#"{"kind": "answer", "informational": 200}"#, "informational"),
            (#"{"kind": "answer", "trailers": 1}"#, "trailers"),
            (#"{"kind": "answer", "trailers": true, "endStream": "never"}"#, "trailers"),
            (#"{"kind": "answer", "contentType": 7}"#, "contentType"),
            (#"{"kind": "answer", "contentType": "a\nb"}"#, "contentType"),
            (#"{"kind": "goaway", "code": 4294967296}"#, "code"),
            (#"{"kind": "goaway", "lastStream": 2147483648}"#, "lastStream"),
            (#"{"kind": "goaway", "last": "first"}"#, "last"),
            (#"{"kind": "goaway", "last": "max", "lastStream": 1}"#, "lastStream"),
            (#"{"kind": "goaway", "at": "connection", "last": "lower"}"#, "last"),
            (#"{"kind": "goaway", "at": "connection", "when": "before"}"#, "when"),
            (#"{"kind": "goaway", "when": "never"}"#, "when"), (#"{"kind": "goaway", "at": "once"}"#, "at"),
            (#"{"kind": "goaway", "reason": "x", "text": "y"}"#, "text"),
            (#"{"kind": "goaway", "text": ""}"#, "text"),
            (#"{"kind": "goaway", "lingerMilliseconds": -1}"#, "lingerMilliseconds"),
            (#"{"kind": "goaway", "then": "keep-open", "lingerMilliseconds": 1}"#, "lingerMilliseconds"),
            (#"{"kind": "goaway", "then": "rest"}"#, "then"), (#"{"kind": "goaway", "double": 2}"#, "double"),
            (#"{"kind": "goaway", "newStreams": "serve"}"#, "newStreams"),
            (#"{"kind": "rst-stream", "code": -1}"#, "code"),
            (#"{"kind": "rst-stream", "at": "push"}"#, "at"),
            (#"{"kind": "refused-stream", "code": 7}"#, "code"),
            (#"{"kind": "settings"}"#, "maxConcurrentStreams"),
            (#"{"kind": "settings", "maxConcurrentStreams": 2147483648}"#, "maxConcurrentStreams"),
            (#"{"kind": "settings", "maxConcurrentStreams": 1, "overLimit": "x"}"#, "overLimit"),
            (#"{"kind": "settings", "at": "connection", "overLimit": "refuse"}"#, "overLimit"),
            (#"{"kind": "settings", "at": "connection", "milliseconds": 5}"#, "milliseconds"),
            (#"{"kind": "black-hole", "idleMilliseconds": 5}"#, "idleMilliseconds"),
            (#"{"kind": "black-hole", "seconds": 86401}"#, "seconds"),
            (#"{"kind": "black-hole", "at": "connection", "when": "after"}"#, "when"),
            (#"{"kind": "black-hole", "at": "connection", "idleMilliseconds": -1}"#, "idleMilliseconds"),
            (#"{"kind": "close", "afterSettings": true}"#, "afterSettings"),
            (#"{"kind": "close", "at": "connection", "afterSettings": "yes"}"#, "afterSettings"),
            (#"{"kind": "stall-handshake", "seconds": -1}"#, "seconds"),
            (#"{"kind": "stall-handshake", "milliseconds": 1}"#, "milliseconds"),
            (#"{"kind": "no-settings", "seconds": 1}"#, "seconds"), (#"{"kind": "window"}"#, "initialBytes"),
            (#"{"kind": "window", "initialBytes": -1}"#, "initialBytes"),
            (#"{"kind": "window", "initialBytes": 1, "updateMilliseconds": 3600001}"#, "updateMilliseconds"),
            (#"{"kind": "hold"}"#, "kind"), (#"{"kind": "status", "status": 500}"#, "kind"),
            (#"{"kind": "error"}"#, "kind"),
        ]
    )
    func refusals(effect: String, member: String) {
        #expect(refusal(effect)?.field == "effect.\(member)")
    }

    @Test(
        "looks at the connection and the place of a push on it",
        arguments: [
            (#"{"connection": 3}"#, true), (#"{"connection": 4}"#, false), (#"{"request": 20}"#, true),
            (#"{"request": 21}"#, false), (#"{"requestFrom": 20}"#, true), (#"{"requestFrom": 21}"#, false),
            (#"{"requestTo": 20}"#, true), (#"{"requestTo": 19}"#, false),
            (#"{"requestFrom": 5, "requestTo": 30, "requestEvery": 10}"#, true),
            (#"{"requestEvery": 7}"#, false), (#"{"idleMilliseconds": 500}"#, true),
            (#"{"idleMilliseconds": 501}"#, false), (#"{"clientCertificate": false}"#, true),
            (#"{"clientCertificate": true}"#, false),
        ]
    )
    func placeOfPushes(match: String, fits: Bool) throws {
        var book = try book(#"{"target": "apns", "match": \#(match), "effect": {"kind": "drop"}}"#)
        var request = push()
        request.connection = 3
        request.requestNumber = 20
        request.idleMilliseconds = 500
        request.hasClientCertificate = false
        #expect((book.decide(request) != nil) == fits)
    }

    @Test(
        "looks at what a connection shows",
        arguments: [
            ("{}", true), (#"{"connection": 3}"#, true), (#"{"connection": 2}"#, false),
            (#"{"environment": "production"}"#, true), (#"{"environment": "sandbox"}"#, false),
            (#"{"clientCertificate": true}"#, false),
        ]
    )
    func connectionMatchers(match: String, fits: Bool) throws {
        var book = try book(#"{"target": "apns", "match": \#(match), "effect": {"kind": "no-settings"}}"#)
        #expect((book.decide(connection(.connection)) != nil) == fits)
    }

    @Test(
        "refuses a matcher that can never match, or that is none",
        arguments: [
            (#"{"kind": "drop"}"#, #"{"request": 0}"#, "request"),
            (#"{"kind": "drop"}"#, #"{"request": 1, "requestEvery": 2}"#, "requestEvery"),
            (#"{"kind": "drop"}"#, #"{"requestFrom": 3, "requestTo": 2}"#, "requestTo"),
            (#"{"kind": "drop"}"#, #"{"requestEvery": 0}"#, "requestEvery"),
            (#"{"kind": "drop"}"#, #"{"idleMilliseconds": -1}"#, "idleMilliseconds"),
            (#"{"kind": "drop"}"#, #"{"clientCertificate": "yes"}"#, "clientCertificate"),
            (#"{"kind": "no-settings"}"#, #"{"token": "ab"}"#, "token"),
            (#"{"kind": "no-settings"}"#, #"{"request": 1}"#, "request"),
            (#"{"kind": "stall-handshake"}"#, #"{"connection": 1}"#, "connection"),
            (#"{"kind": "stall-handshake"}"#, #"{"clientCertificate": true}"#, "clientCertificate"),
        ]
    )
    func badMatchers(effect: String, match: String, member: String) {
        #expect(refusal(effect, match: match)?.field == "match.\(member)")
    }

    @Test("draws for connections from the seed, the same again")
    func draws() throws {
        let text = #"{"target": "apns", "probability": 0.5, "effect": {"kind": "no-settings"}}"#
        var (first, second) = (try book(text), try book(text))
        let firings = first.firings(connection(.connection), count: 60)
        #expect(second.firings(connection(.connection), count: 60) == firings)
        #expect(Set(firings) == [true, false])
    }
}
