import Testing

/// Mistakes in single steps.
extension MistakeTests {
    static let steps: [(String, String)] = [
        (
            "1",
            "s.yml:4:5: a step is a mapping whose first key is what is done, such as {message: Hi, from: bob, "
                + "to: alice}, not '1'"
        ),
        ("{lanch: phone}", "s.yml:4:6: unknown step lanch, did you mean launch?; known are "),
        ("{launch: watch}", "s.yml:4:14: launch: there is no device watch; there are phone, real"),
        (
            "{launch: phon}",
            "s.yml:4:14: launch: there is no device phon, did you mean phone?; there are phone, real"
        ),
        ("{launch: [phone]}", "s.yml:4:14: launch: the name of a device is expected, not a sequence"),
        (
            "{launch: phone, within: 1s}",
            "s.yml:4:21: unknown key within; known here: refused, note, save"
        ),
        ("{sign-in: phone}", "s.yml:4:6: sign-in: account is missing, the name of an account, or an address"),
        (
            "{message: Hi, from: bob}",
            "s.yml:4:6: message: to is missing, the name of an account, or an address"
        ),
        (
            "{message: Hi, from: bob, to: alice, as: a b}",
            "s.yml:4:45: as: 'a b': a name is letters, digits, - and _"
        ),
        (
            "{transfer: much, from: bob, to: alice}",
            "s.yml:4:16: transfer: an amount in ADM with up to 8 decimals is expected, not 'much'"
        ),
        ("{signal: add, from: bob}", "s.yml:4:6: signal: device is missing, whose token is added"),
        (
            "{signal: hello, from: bob, device: phone}",
            "s.yml:4:6: signal: device goes with add and remove; any other text is sent as it stands"
        ),
        ("{forge: 0}", "s.yml:4:13: forge: a whole number from 1 to 100000 is expected, not '0'"),
        ("{forge: one}", "s.yml:4:13: forge: a whole number from 1 to 100000 is expected, not 'one'"),
        ("{advance: 5}", "s.yml:4:15: advance: a time such as 250ms, 5s, 2m, 1h or 30d is expected, not '5'"),
        (
            "{advance: 99999999999999999999d}",
            "s.yml:4:15: advance: a time such as 250ms, 5s, 2m, 1h or 30d is expected, not '99999999999999999999d'"
        ),
        (
            "{clock: noon}",
            "s.yml:4:13: clock: frozen, or running, or a moment such as 2026-01-01T00:00:00Z is expected, "
                + "not 'noon'"
        ),
        (
            "{forging: never}",
            "s.yml:4:15: forging: one of interval, instant, manual is expected, not 'never'"
        ),
        ("{revert: before}", "s.yml:4:14: revert: there is no snapshot before; there is none yet"),
        (
            "{reorg: 1, keep: [hello]}",
            "s.yml:4:23: keep: there is no transaction hello; there is none yet"
        ),
        ("{node: beta, online: false}", "s.yml:4:12: node: there is no node beta; there is alpha"),
        (
            "{ans: restart}",
            "s.yml:4:11: ans: one of start, stop, poll, as-deployed, ordered is expected, not 'restart', "
                + "did you mean start?"
        ),
        (
            "{token: phone, state: gone}",
            "s.yml:4:27: state: one of active, unregistered, bad, wrong-topic, wrong-environment, expired is "
                + "expected, not 'gone'"
        ),
        (
            "{token: phone, state: bad, since: today}",
            "s.yml:4:39: since: a moment such as 2026-01-01T00:00:00Z is expected, not 'today'"
        ),
        (
            "{push: phone, from: sirene, body: b}",
            "s.yml:4:25: from: there is no service sirene, did you mean siren?; there is siren"
        ),
        ("{push: phone, from: siren}", "s.yml:4:6: push: body is missing, or payload"),
        (
            "{push: phone, from: siren, title: t, payload: {}}",
            "s.yml:4:6: push: payload is there, so title cannot be"
        ),
        ("{account: alice}", "s.yml:4:15: account: every world has an account alice"),
        ("{device: phone}", "s.yml:4:14: device: phone is there already, in line 2"),
        ("{call: {path: world}}", "s.yml:4:19: path: a path such as /v1/reset is expected, not 'world'"),
        ("{call: {method: POST}}", "s.yml:4:6: call: path is missing, such as /v1/reset"),
        (
            "{call: {method: COPY, path: /}}",
            "s.yml:4:21: method: one of GET, POST, PUT, PATCH, DELETE is expected, not 'COPY'"
        ),
        (
            "{call: {path: /, boddy: {}}}",
            "s.yml:4:22: unknown key boddy, did you mean body?; known here: method, path, body"
        ),
        ("{test-push: real}", "s.yml:4:17: test-push: real is external; nobody here sees its screen"),
        (
            "{message: Hi, from: bob, to: alice, save: x}",
            "s.yml:4:47: save: a mapping such as {push: id} is expected, not 'x'"
        ),
        ("{set: x}", "s.yml:4:11: set: a mapping of names and values is expected, not 'x'"),
        ("{set: {seed: 1}}", "s.yml:4:12: seed is the world's"),
    ]

    @Test("of steps", arguments: steps)
    func ofSteps(text: String, message: String) throws {
        let found = try #require(Self.mistake(Self.story("  - \(text)\n")))
        #expect(message.hasSuffix("known are ") ? found.hasPrefix(message) : found == message)
    }
}
