import JSONValue
import ScenarioModel

extension Plan {
    /// The tour of `mocknet demo`: how a push arrives, and the ways in which it is lost.
    static let demo = Plan(
        name: "demo",
        world: JSONObject([
            ("nodes", 2), ("node-version", "0.9"), ("block-interval", "250ms"), ("ans", "as-deployed"),
            ("ans-poll", "100ms"),
        ]),
        scenes: [
            registration, message, transfer, invalidToken, zeroBalance,
            race(
                title: "The deregistration race, as-deployed client: the registration is lost",
                device: "dave's phone",
                behaviour: "as-deployed",
                account: "dave",
                isKept: false,
                moral: "The removal that failed at sign-out was kept and landed after the new registration. "
                    + "The app believes it is registered, the chain says it is not, and nothing ever tells it."
            ),
            race(
                title: "The same with the ordered client: the registration is kept",
                device: "erin's phone",
                behaviour: "ordered",
                account: "erin",
                isKept: true,
                moral: "The ordered client dropped the kept removal as it began to register again."
            ),
        ]
    )

    /// What is expected comes much sooner; the limit only matters where it does not come.
    private static let limit = 10_000
    /// How long to look that something does not come: many blocks and polls.
    private static let quietMilliseconds = 1500

    private static let registration = Scene(
        "A device registers",
        moral: "The app sent a signal message through a node; it never spoke to the notification service.",
        steps: [
            .act(.makeDevice(name: "alice's phone", behaviour: "as-deployed", owner: "alice")),
            .expect(.believesRegistered(device: "alice's phone", true), withinMilliseconds: limit),
            .expect(.registered(device: "alice's phone", account: "alice", true), withinMilliseconds: limit),
            .expect(.ansKnows(device: "alice's phone", true), withinMilliseconds: limit),
        ]
    )

    private static let message = Scene(
        "A message arrives and is shown decrypted",
        moral: "The push carried an address and a transaction id; the text was decrypted on the device.",
        steps: [
            .act(.send(kind: "message", from: "bob", to: "alice", message: "Lunch at noon?")),
            .expect(.push(device: "alice's phone", status: 200, reason: nil), withinMilliseconds: limit),
            .expect(
                .banner(device: "alice's phone", containing: "Lunch at noon?"),
                withinMilliseconds: limit
            ),
        ]
    )

    private static let transfer = Scene(
        "A transfer arrives",
        steps: [
            .act(.send(kind: "transfer", from: "bob", to: "alice", amount: "150000000")),
            .expect(.push(device: "alice's phone", status: 200, reason: nil), withinMilliseconds: limit),
            .expect(.banner(device: "alice's phone", containing: "1.5 ADM"), withinMilliseconds: limit),
        ]
    )

    private static let invalidToken = Scene(
        "APNs reports the token invalid and the ANS drops it",
        moral: "The device is not told: it still believes that it is registered.",
        steps: [
            .act(.setToken(device: "alice's phone", state: "unregistered")),
            .act(.send(kind: "message", from: "bob", to: "alice", message: "Still there?")),
            .expect(
                .push(device: "alice's phone", status: 410, reason: "Unregistered"),
                withinMilliseconds: limit
            ),
            .expect(.ansKnows(device: "alice's phone", false), withinMilliseconds: limit),
            .expect(.believesRegistered(device: "alice's phone", true), withinMilliseconds: limit),
        ]
    )

    private static let zeroBalance = Scene(
        "An account without a balance cannot register",
        moral: "A registration is a transaction and costs 0.001 ADM.",
        steps: [
            .act(.makeDevice(name: "zero's phone", behaviour: "as-deployed", owner: "zero")),
            .expect(.believesRegistered(device: "zero's phone", false), withinMilliseconds: limit),
            .act(.send(kind: "signal", from: "zero", to: "ans", message: #"{"token":"00","action":"add"}"#)),
            .expect(
                .refused(account: "zero", containing: "Account does not have enough ADM"),
                withinMilliseconds: limit
            ),
            .expect(.registered(device: "zero's phone", account: "zero", false), withinMilliseconds: limit),
        ]
    )

    private static func race(
        title: String,
        device: String,
        behaviour: String,
        account: String,
        isKept: Bool,
        moral: String
    ) -> Scene {
        let lost = JSONObject([
            ("name", "the deregistration is lost"), ("target", "node"),
            (
                "match",
                ["method": "POST", "path": "/api/chats/process", "chatType": 3, "signalAction": "remove"]
            ), ("effect", ["kind": "reset", "when": "before"]),
        ])
        let afterwards: [Step] =
            isKept
            ? [
                .expect(.queuedRemovals(device: device, 0), withinMilliseconds: limit),
                .act(.forge(blocks: 1)),
                .expect(.registered(device: device, account: account, true), withinMilliseconds: limit),
                .act(.send(kind: "message", from: "bob", to: account, message: "Are you there?")),
                .expect(.banner(device: device, containing: "Are you there?"), withinMilliseconds: limit),
            ]
            : [
                .expect(.registered(device: device, account: account, false), withinMilliseconds: limit),
                .expect(.ansKnows(device: device, false), withinMilliseconds: limit),
                .expect(.believesRegistered(device: device, true), withinMilliseconds: limit),
                .act(.send(kind: "message", from: "bob", to: account, message: "Are you there?")),
                .never(.push(device: device, status: 200, reason: nil), forMilliseconds: quietMilliseconds),
            ]
        return Scene(
            title,
            moral: moral,
            steps: [
                .act(.makeDevice(name: device, behaviour: behaviour, owner: account)),
                .expect(.ansKnows(device: device, true), withinMilliseconds: limit),
                .act(.addFault(lost)),
                .act(.device(name: device, action: "sign-out")),
                .expect(.queuedRemovals(device: device, 1), withinMilliseconds: limit),
                .act(.clearFaults),
                .act(
                    .device(
                        name: device,
                        action: "sign-in",
                        members: JSONObject([("account", .string(account))])
                    )
                ),
                .expect(.believesRegistered(device: device, true), withinMilliseconds: limit),
                .expect(.registered(device: device, account: account, true), withinMilliseconds: limit),
                .act(.forge(blocks: 1)),
                // The deployed service loses a removal that it finds together with an addition it knows.
                .act(.pollANS),
                .act(.device(name: device, action: "kill")),
                .act(.device(name: device, action: "launch")),
            ] + afterwards
        )
    }
}
