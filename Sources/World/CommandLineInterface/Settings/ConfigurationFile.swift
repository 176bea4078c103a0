import FaultRules
import JSONValue
import ScenarioModel
import WorldRuntime
import YAMLEvents

/// The configuration file: the settings, and accounts, devices and fault rules.
struct ConfigurationFile {
    /// A key with the values it gives and where it stands.
    struct Entry {
        let setting: Setting
        let values: [String]
        let position: YAMLPosition
    }

    /// The settings it makes.
    private(set) var entries: [Entry] = []
    /// Accounts that are more than a passphrase and an amount.
    private(set) var accounts: [WorldConfiguration.Account] = []
    /// Devices as the control API takes them.
    private(set) var devices: [JSONValue] = []
    /// Fault rules as the control API takes them, with their places.
    private(set) var faults: [(rule: JSONValue, position: YAMLPosition)] = []
    /// How failures spread.
    private(set) var failureMix: FailureMix?

    private let name: String
    private let tellsColumns: Bool

    /// Reads a file's bytes; `name` is what errors call it.
    init(_ bytes: [UInt8], name: String) throws(CommandFailure) {
        self.name = name
        tellsColumns = false
        let root: YAMLNode
        do throws(YAMLError) {
            root = try YAMLNode(parsing: bytes)
        } catch {
            throw .usage("\(name):\(error.position.line): \(error.message)")
        }
        try read(root)
    }

    /// Reads the settings of a world that are a part of a scenario; errors tell their columns as well.
    init(section root: YAMLNode, name: String) throws(CommandFailure) {
        self.name = name
        tellsColumns = true
        try read(root)
    }

    /// A place in the file, as errors and the banner tell it.
    func place(_ position: YAMLPosition) -> String {
        tellsColumns ? "\(name):\(position)" : "\(name):\(position.line)"
    }

    /// An error at a place of the file.
    func failure(_ position: YAMLPosition, _ message: String) -> CommandFailure {
        .usage("\(place(position)): \(message)")
    }

    private mutating func read(_ root: YAMLNode) throws(CommandFailure) {
        switch root.content {
        case .null: return
        case .mapping(let members): for member in members { try read(member) }
        default: throw failure(root.position, "must be a mapping of settings")
        }
    }

    private mutating func read(_ member: YAMLNode.Entry) throws(CommandFailure) {
        switch member.key {
        case "accounts":
            for node in try elements(member) { accounts.append(try account(node)) }
        case "devices":
            for node in try elements(member) { devices.append(try json(node)) }
        case "faults":
            for node in try elements(member) {
                faults.append((try json(node), node.position))
            }
        case "failureMix":
            let mix = try json(member.value)
            do throws(FaultRuleError) {
                failureMix = try FailureMix(mix)
            } catch {
                throw failure(member.position, "\(error)")
            }
        default:
            guard let setting = WorldSettingsTable.all.first(where: { $0.key == member.key }) else {
                let known = WorldSettingsTable.all.map(\.key) + ["devices", "faults", "failureMix"]
                throw failure(
                    member.position,
                    "unknown key \(member.key)\(Suggestion.text(for: member.key, among: known))"
                )
            }
            entries.append(
                Entry(setting: setting, values: try values(member, setting), position: member.position)
            )
        }
    }

    private func values(_ member: YAMLNode.Entry, _ setting: Setting) throws(CommandFailure) -> [String] {
        if let text = member.value.scalarText { return [text] }
        guard setting.isList, case .sequence(let elements) = member.value.content else {
            throw failure(member.position, "\(member.key): takes a single value")
        }
        var texts: [String] = []
        for element in elements {
            guard let text = element.scalarText else {
                throw failure(element.position, "\(member.key): takes single values")
            }
            texts.append(text)
        }
        return texts
    }

    private func elements(_ member: YAMLNode.Entry) throws(CommandFailure) -> [YAMLNode] {
        switch member.value.content {
        case .null: return []
        case .sequence(let elements): return elements
        default: throw failure(member.position, "\(member.key): must be a sequence")
        }
    }

    private func account(_ node: YAMLNode) throws(CommandFailure) -> WorldConfiguration.Account {
        guard case .mapping(let members) = node.content else {
            throw failure(node.position, "accounts: must be mappings of passphrase, name and balance")
        }
        var account = WorldConfiguration.Account(passphrase: "", amountUnits: 0)
        for member in members {
            guard let text = member.value.scalarText else {
                throw failure(member.position, "\(member.key): takes a single value")
            }
            do throws(ValueError) {
                try account.set(member.key, text)
            } catch {
                throw failure(member.position, "\(member.key): \(error.message)")
            }
        }
        guard !account.passphrase.isEmpty else { throw failure(node.position, "passphrase: is missing") }
        return account
    }

    /// A node as JSON, with numbers as JSON writes them.
    private func json(_ node: YAMLNode) throws(CommandFailure) -> JSONValue {
        switch node.content {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value, _): return .int(value)
        case .float(let value, _):
            guard let number = JSONNumber(value) else {
                throw failure(node.position, "must be a finite number")
            }
            return .number(number)
        case .string(let text): return .string(text)
        case .sequence(let elements):
            var values: [JSONValue] = []
            for element in elements { values.append(try json(element)) }
            return .array(values)
        case .mapping(let members):
            var object = JSONObject()
            for member in members { object.append(member.key, try json(member.value)) }
            return .object(object)
        }
    }
}
