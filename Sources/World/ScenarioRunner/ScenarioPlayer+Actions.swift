import Determinism
import HTTPClient
import JSONValue
import ScenarioModel

/// What the verbs do.
extension ScenarioPlayer {
    /// Performs an action; one that has to be refused has to be refused with the text that is expected.
    func perform(_ action: Action, pusher: DirectPusher) throws(StepFailure) {
        let failure: ControlFailure?
        do throws(ControlFailure) {
            answer = try carryOut(action, pusher: pusher)
            failure = nil
        } catch {
            failure = error
        }
        switch (failure, action.refusal) {
        case (nil, nil): return
        case (let failure?, nil): throw StepFailure(failure)
        case (nil, let text?): throw StepFailure("it was not refused, and “\(text)” was expected")
        case (let failure?, let text?):
            guard !failure.isFatal else { throw StepFailure(failure) }
            answer = ["error": .string(failure.message)]
            guard failure.message.contains(text) else {
                throw StepFailure("it was refused with “\(failure.message)”, not “\(text)”")
            }
        }
    }

    private func carryOut(_ action: Action, pusher: DirectPusher) throws(ControlFailure) -> JSONValue {
        let subject = try book.substituted(action.principal)
        let name = subject.stringValue ?? ""
        let members = try book.substituted(.object(action.members)).objectValue ?? JSONObject()
        if let problem = action.problem(subject, members) { throw ControlFailure(message: problem) }
        switch action.verb.name {
        case "message", "transfer", "signal": return try send(action, subject, members)
        case "device": return try makeDevice(name, members)
        case "token":
            let path = "/v1/apns/tokens/" + PercentEncoding.encode(try token(of: name))
            return try control.call("PUT", path, .object(members))
        case "account": return try makeAccount(name, members)
        case "fund":
            let address = PercentEncoding.encode(try book.address(name))
            return try control.post("/v1/accounts/\(address)/fund", .object(members))
        case "fault", "preset": return try setFault(action, name)
        case "clear": return try clear(name)
        case "release": return try release(name)
        case "push": return try push(name, members, pusher)
        case "call": return try call(subject)
        case "ans": return try changeService(name, members)
        case "apns": return try control.call("PATCH", "/v1/apns", subject)
        case "forge", "reorg", "snapshot", "revert", "forging", "advance", "clock", "node":
            return try changeChain(action.verb.name, subject, members)
        case "test-push":
            let seconds = Int(members["seconds"]?.intValue ?? 30)
            return try control.post(
                "/v1/devices/\(try book.deviceId(name))/test-push",
                .object(members),
                timeoutMilliseconds: (seconds + 30) * 1000
            )
        default: return try act(name, action.verb.name, members)
        }
    }

    private func act(_ device: String, _ verb: String, _ members: JSONObject) throws(ControlFailure)
        -> JSONValue
    {
        let answer = try control.post("/v1/devices/\(try book.deviceId(device))/\(verb)", .object(members))
        learn(device: answer, name: device)
        return answer
    }

    /// Makes a device; with an owner it signs in and registers.
    @discardableResult
    func makeDevice(_ name: String, _ members: JSONObject) throws(ControlFailure) -> JSONValue {
        let named = JSONObject([("name", .string(name))] + members.members.map { ($0.key, $0.value) })
        let answer = try control.post("/v1/devices", .object(named))
        learn(device: answer, name: name)
        return answer
    }

    /// Makes an account.
    @discardableResult
    func makeAccount(_ name: String, _ members: JSONObject) throws(ControlFailure) -> JSONValue {
        let named = JSONObject([("name", .string(name))] + members.members.map { ($0.key, $0.value) })
        let answer = try control.post("/v1/accounts", .object(named))
        book.learn(account: answer)
        return answer
    }

    private func learn(device: JSONValue, name: String) {
        book.learn(device: device, name: name)
        timeline.learn(device: device)
    }

    /// The token of a device.
    func token(of device: String) throws(ControlFailure) -> String {
        try book.token(device) { () throws(ControlFailure) in try control.list("/v1/registry", "rows") }
    }

    private func send(_ action: Action, _ subject: JSONValue, _ members: JSONObject) throws(ControlFailure)
        -> JSONValue
    {
        let text = subject.stringValue ?? subject.text
        var body = JSONObject([("kind", .string(action.verb.name))])
        body["from"] = .string(try book.address(members["from"]?.stringValue ?? ""))
        body["to"] = .string(try book.address(members["to"]?.stringValue ?? "ans"))
        body["node"] = members["node"]
        switch action.verb.name {
        case "transfer": body["amount"] = .string(text)
        case "message":
            body["message"] = .string(text)
            body["amount"] = members["amount"]
        default:
            var message = text
            if let device = members["device"]?.stringValue {
                let token = try token(of: device)
                let signal: JSONValue = [
                    "token": .string(token), "provider": "apns", "action": .string(text),
                ]
                message = signal.text
            }
            body["message"] = .string(message)
        }
        let answer = try control.post("/v1/transactions", .object(body))
        if let label = action.label, let id = answer["transactionId"]?.stringValue {
            book.learn(transaction: label, id: id)
        }
        return answer
    }

    private func setFault(_ action: Action, _ name: String) throws(ControlFailure) -> JSONValue {
        var failure: ControlFailure?
        let rule = action.posted { member, value in
            do throws(ControlFailure) {
                let name = try book.substituted(value)
                switch member {
                case "token": return try resolve(.device, name)
                case "transactionId": return try resolve(.transaction, name)
                default: return try resolve(.account, name)
                }
            } catch {
                failure = error
                return value
            }
        }
        if let failure { throw failure }
        let answer = try control.post("/v1/faults", try book.substituted(rule))
        let rules = answer["faults"]?.arrayValue ?? [answer]
        book.learn(fault: name, ids: rules.compactMap { $0["id"]?.stringValue })
        return answer
    }

    private func clear(_ name: String) throws(ControlFailure) -> JSONValue {
        guard name != "faults" else {
            book.forgetFaults()
            return try control.call("DELETE", "/v1/faults", nil)
        }
        for id in book.faultIds(name) { _ = try control.call("DELETE", "/v1/faults/\(id)", nil) }
        return [:]
    }

    private func release(_ name: String) throws(ControlFailure) -> JSONValue {
        var held = try control.all("/v1/held", "held", after: 0)
        if name != "all" {
            let id = try book.transactionId(name)
            held = held.filter { $0["transactionId"]?.stringValue == id }
        }
        guard !held.isEmpty else { throw ControlFailure(message: "nothing of it is held back") }
        for entry in held { try control.post("/v1/held/\(entry["id"]?.stringValue ?? "")/release") }
        return ["released": .int(held.count)]
    }

    private func call(_ subject: JSONValue) throws(ControlFailure) -> JSONValue {
        try control.call(
            subject["method"]?.stringValue ?? "POST",
            subject["path"]?.stringValue ?? "/",
            subject["body"]
        )
    }

    private func changeService(_ word: String, _ members: JSONObject) throws(ControlFailure) -> JSONValue {
        guard !["start", "stop", "poll"].contains(word) else { return try control.post("/v1/ans/\(word)") }
        var body = JSONObject([("behaviour", .string(word))])
        if let pace = members["every"]?.intValue { body["pollSeconds"] = Self.seconds(pace) }
        return try control.call("PATCH", "/v1/ans", .object(body))
    }

    private func changeChain(_ verb: String, _ subject: JSONValue, _ members: JSONObject)
        throws(ControlFailure) -> JSONValue
    {
        let name = subject.stringValue ?? ""
        switch verb {
        case "forge": return try control.post("/v1/chain/forge", ["blocks": subject])
        case "snapshot": return try control.post("/v1/chain/snapshots", ["name": subject])
        case "revert": return try control.post("/v1/chain/snapshots/\(PercentEncoding.encode(name))/revert")
        case "advance":
            return try control.post("/v1/clock/advance", ["seconds": Self.seconds(subject.intValue ?? 0)])
        case "node":
            return try control.call("PATCH", "/v1/nodes/\(PercentEncoding.encode(name))", .object(members))
        case "forging":
            var body = JSONObject([("forging", subject)])
            body["intervalMilliseconds"] = members["every"]
            return try control.call("PATCH", "/v1/chain", .object(body))
        case "clock":
            let body: JSONValue =
                switch name {
                case "frozen": ["frozen": true]
                case "running": ["frozen": false]
                default: ["now": subject]
                }
            return try control.call("PATCH", "/v1/clock", body)
        default:
            var body = JSONObject([("depth", subject)])
            for member in members.members {
                var ids: [JSONValue] = []
                for name in member.value.arrayValue ?? [] { ids.append(try resolve(.transaction, name)) }
                body[member.key] = member.value.arrayValue == nil ? member.value : .array(ids)
            }
            return try control.post("/v1/chain/reorg", .object(body))
        }
    }

    /// Seconds with their fraction, as the control API takes them.
    private static func seconds(_ milliseconds: Int64) -> JSONValue {
        if milliseconds.isMultiple(of: 1000) { return .int(milliseconds / 1000) }
        return JSONNumber(Double(milliseconds) / 1000).map { .number($0) } ?? 0
    }

    private func push(_ name: String, _ members: JSONObject, _ pusher: DirectPusher) throws(ControlFailure)
        -> JSONValue
    {
        let party = book.services[members["from"]?.stringValue ?? ""]?.members ?? JSONObject()
        let service = try book.substituted(.object(party)).objectValue ?? JSONObject()
        let clock = try control.get("/v1/clock")
        let now = clock["now"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } ?? .epoch
        let told = members["token"]?.stringValue
        let form = DirectPush(members: members, service: service, now: now)
        let answer = try pusher.push(
            form.payload,
            token: told == nil ? try token(of: name) : told ?? "",
            headers: form.headers,
            environment: form.environment,
            now: now
        )
        guard answer["status"]?.intValue == 200 else {
            let status = answer["status"]?.intValue.map { "\($0) " } ?? ""
            throw ControlFailure(
                message: "APNs answered \(status)\(answer["reason"]?.stringValue ?? "nothing")"
            )
        }
        return answer
    }
}
