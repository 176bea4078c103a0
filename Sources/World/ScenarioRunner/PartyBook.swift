import JSONValue
import ScenarioModel

/// What the names of a story stand for in the world that it is played against.
struct PartyBook {
    /// A device by what the control API calls it.
    struct Device {
        let id: String
        let token: String
    }

    /// Largest value of a variable, and of what a step is told with its variables.
    private static let maximumValueBytes = 1 << 20
    /// Most that all variables hold together.
    private static let maximumBytes = 64 << 20

    private let world: JSONValue
    private var devices: [String: Device] = [:]
    private var addresses: [String: String] = [:]
    private var external: [String: Party] = [:]
    private(set) var services: [String: Party] = [:]
    private var transactions: [String: String] = [:]
    private var faults: [String: [String]] = [:]
    private var variables: [String: JSONValue] = [:]
    private var variableBytes: [String: Int] = [:]
    private var bytes = 0

    /// The names of a world, as `GET /v1/world` describes it.
    init(world: JSONValue, seed: UInt64) {
        self.world = world
        variables["seed"] = .int(seed)
        for account in world["accounts"]?.arrayValue ?? [] { learn(account: account) }
        addresses["ans"] = world["ans"]?["address"]?.stringValue
    }

    mutating func learn(account: JSONValue) {
        guard let address = account["address"]?.stringValue, let name = account["name"]?.stringValue else {
            return
        }
        addresses[name] = address
    }

    mutating func learn(device: JSONValue, name: String) {
        guard let id = device["id"]?.stringValue, let token = device["token"]?.stringValue else { return }
        devices[name] = Device(id: id, token: token)
    }

    mutating func learn(_ party: Party) {
        if party.isExternal { external[party.name] = party }
        if party.kind == .service { services[party.name] = party }
    }

    mutating func learn(transaction name: String, id: String) {
        transactions[name] = id
    }

    mutating func learn(fault name: String, ids: [String]) {
        faults[name, default: []] += ids
    }

    mutating func forgetFaults() {
        faults = [:]
    }

    /// Gives a variable its value, with every `${…}` in it replaced.
    mutating func set(_ name: String, to told: JSONValue) throws(ControlFailure) {
        try set(name, filled(told))
    }

    /// Gives a variable its value.
    ///
    /// A value that holds itself several times grows with each turn of a loop, so there is a limit.
    mutating func set(_ name: String, _ value: JSONValue) throws(ControlFailure) {
        let size = try Self.size(of: value, called: "the value of \(name)")
        let total = bytes - (variableBytes[name] ?? 0) + size
        guard total <= Self.maximumBytes else {
            throw ControlFailure(message: "all variables hold more than \(Self.maximumBytes) bytes")
        }
        bytes = total
        variableBytes[name] = size
        variables[name] = value
    }

    private static func size(of value: JSONValue, called what: String) throws(ControlFailure) -> Int {
        var rest = maximumValueBytes
        guard value.fits(in: &rest) else {
            throw ControlFailure(message: "\(what) is larger than \(maximumValueBytes) bytes")
        }
        return maximumValueBytes - rest
    }

    /// The ids of the rules that a step has set under a name.
    func faultIds(_ name: String) -> [String] { faults[name] ?? [] }

    /// The id of a simulated device.
    func deviceId(_ name: String) throws(ControlFailure) -> String {
        guard let device = devices[name] else { throw ControlFailure(message: "there is no device \(name)") }
        return device.id
    }

    /// The token of a device; that of an external one as it was told, or as its owner's newest registration says.
    func token(_ name: String, registry: () throws(ControlFailure) -> [JSONValue]) throws(ControlFailure)
        -> String
    {
        if let device = devices[name] { return device.token }
        guard let party = external[name] else { throw ControlFailure(message: "there is no device \(name)") }
        if let token = party.members["token"] { return try substituted(token).stringValue ?? "" }
        guard let owner = party.members["owner"]?.stringValue else {
            throw ControlFailure(message: "\(name) is external, and neither its token nor its owner is told")
        }
        let address = try address(owner)
        guard let row = try registry().last(where: { $0["address"]?.stringValue == address }),
            let token = row["token"]?.stringValue
        else {
            throw ControlFailure(
                message: "\(name) is external, and the chain has no token of its owner \(owner)"
            )
        }
        return token
    }

    /// The address of an account.
    func address(_ name: String) throws(ControlFailure) -> String {
        if let address = addresses[name] { return address }
        guard name.hasPrefix("U") else { throw ControlFailure(message: "there is no account \(name)") }
        return name
    }

    /// The id of a transaction that a step has named.
    func transactionId(_ name: String) throws(ControlFailure) -> String {
        guard let id = transactions[name] else {
            throw ControlFailure(message: "the transaction \(name) was never accepted")
        }
        return id
    }

    /// A value with every `${…}` in its texts replaced; not larger than the limit, so that it can be written out.
    func substituted(_ value: JSONValue) throws(ControlFailure) -> JSONValue {
        let result = try filled(value)
        _ = try Self.size(of: result, called: "what the step is told, with its variables,")
        return result
    }

    /// A value with every `${…}` in its texts replaced, of any size: the values of variables are shared.
    private func filled(_ value: JSONValue) throws(ControlFailure) -> JSONValue {
        switch value {
        case .null, .bool, .number: return value
        case .string(let text): return try filled(text)
        case .array(let elements):
            var result: [JSONValue] = []
            for element in elements { result.append(try filled(element)) }
            return .array(result)
        case .object(let object):
            var result = JSONObject()
            for member in object.members { result.append(member.key, try filled(member.value)) }
            return .object(result)
        }
    }

    private func filled(_ text: String) throws(ControlFailure) -> JSONValue {
        var output = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            let value = try value(of: String(rest[start.upperBound..<end]))
            if start.lowerBound == text.startIndex, text.index(after: end) == text.endIndex { return value }
            output += rest[..<start.lowerBound] + (value.stringValue ?? value.text)
            guard output.utf8.count <= Self.maximumValueBytes else {
                throw ControlFailure(message: "a text is larger than \(Self.maximumValueBytes) bytes")
            }
            rest = rest[text.index(after: end)...]
        }
        return .string(output + rest)
    }

    private func value(of reference: String) throws(ControlFailure) -> JSONValue {
        if let value = variables[reference] { return value }
        if let id = transactions[reference] { return .string(id) }
        let parts = reference.split(separator: ".", maxSplits: 1).map(String.init)
        guard let name = parts.first, parts.count == 2 else {
            throw ControlFailure(message: "${\(reference)} has no value yet")
        }
        let value: String?
        switch parts[1] {
        case "id": value = devices[name]?.id
        case "token": value = devices[name]?.token ?? external[name]?.members["token"]?.stringValue
        case "address": value = addresses[name]
        case "url":
            value = world["nodes"]?.arrayValue?.first { $0["name"]?.stringValue == name }?["url"]?.stringValue
        case "control", "caFile": value = world[parts[1]]?.stringValue
        default: value = world["apns"]?[parts[1]]?.stringValue
        }
        guard let value else { throw ControlFailure(message: "${\(reference)} has no value yet") }
        return .string(value)
    }
}

extension JSONValue {
    /// Whether its JSON is not larger than what is left of a number of bytes, which it takes away.
    fileprivate func fits(in rest: inout Int) -> Bool {
        rest -= 8
        guard rest >= 0 else { return false }
        switch self {
        case .null, .bool, .number: return true
        case .string(let text):
            rest -= text.utf8.count
            return rest >= 0
        case .array(let elements): return elements.allSatisfy { $0.fits(in: &rest) }
        case .object(let object):
            return object.members.allSatisfy { member in
                rest -= member.key.utf8.count
                return member.value.fits(in: &rest)
            }
        }
    }
}
