import FaultRules
import JSONValue
import WorldRuntime

extension WorldForm {
    /// The settings of the configuration file by their names, for worlds made by `POST /v1/worlds`.
    static let settings = WorldForm { members, base throws(Refusal) in
        var reader = WorldMembers(base)
        for member in members.members { try reader.read(member.key, member.value) }
        return try reader.finished()
    }
}

/// Reads the settings of a world from the members of a JSON object.
private struct WorldMembers {
    /// What belongs to the process, or to files of its machine, and cannot be said of one of its worlds.
    private static let processKeys: Set<String> = [
        "portBase", "tlsName", "apnsPort", "apnsKey", "listen", "controlToken", "data", "import", "stateDir",
        "readyFile",
    ]
    /// Members that are lists of objects, or one.
    private static let documentKeys = ["devices", "faults", "failureMix", "replay"]

    private var draft: WorldDraft

    init(_ base: WorldConfiguration) {
        draft = WorldDraft(world: base)
    }

    /// Reads a member; null leaves one that is known as it is.
    mutating func read(_ key: String, _ value: JSONValue) throws(WorldForm.Refusal) {
        guard !value.isNull else {
            if !(["accounts"] + Self.documentKeys).contains(key) { _ = try Self.setting(key) }
            return
        }
        switch key {
        case "accounts": try readAccounts(value)
        case "devices": draft.world.devices = try Self.elements(key, value)
        case "faults": draft.world.faultRules = try Self.elements(key, value)
        case "failureMix":
            draft.world.failureMix = try Self.read(value, at: nil) { value throws(FaultRuleError) in
                try FailureMix(value)
            }
        case "replay":
            draft.world.replay = try Self.read(value, at: key) { value throws(FaultRuleError) in
                try FaultReplay(value)
            }
        default: try readSetting(key, value)
        }
    }

    /// The configuration, when all members were read.
    func finished() throws(WorldForm.Refusal) -> WorldConfiguration {
        let world: WorldConfiguration
        do throws(ValueError) {
            world = try draft.finished()
        } catch {
            throw WorldForm.Refusal(field: "nodeVersion", message: error.message)
        }
        var book = FaultBook(
            seed: 0,
            nodeNames: Array(WorldConfiguration.nodeNames.prefix(world.nodeCount))
        )
        for (index, rule) in world.faultRules.enumerated() {
            do throws(FaultRuleError) {
                _ = try book.post(rule, canReadSignals: world.foreignANSAddress == nil)
            } catch {
                let place = "faults[\(index)]" + (error.field.map { "." + $0 } ?? "")
                throw WorldForm.Refusal(field: place, message: error.message)
            }
        }
        return world
    }

    /// The setting that a member is of.
    private static func setting(_ key: String) throws(WorldForm.Refusal) -> Setting {
        guard !processKeys.contains(key) else {
            throw WorldForm.Refusal(
                field: key,
                message: "\(key) belongs to the process, not to one of its worlds"
            )
        }
        let settings = WorldSettingsTable.all.filter { !processKeys.contains($0.key) }
        guard let setting = settings.first(where: { $0.key == key }) else {
            let known = settings.map(\.key).filter { $0 != "replay" } + documentKeys
            throw WorldForm.Refusal(
                field: key,
                message: "unknown member '\(key)'; known here: \(known.joined(separator: ", "))"
            )
        }
        return setting
    }

    private mutating func readSetting(_ key: String, _ value: JSONValue) throws(WorldForm.Refusal) {
        let setting = try Self.setting(key)
        let elements = setting.isList ? value.arrayValue ?? [value] : [value]
        do throws(ValueError) {
            var texts: [String] = []
            for element in elements { texts.append(try Self.text(element)) }
            try setting.apply(&draft, texts)
        } catch {
            throw WorldForm.Refusal(field: key, message: "\(key) \(error.message)")
        }
    }

    private mutating func readAccounts(_ value: JSONValue) throws(WorldForm.Refusal) {
        for (index, element) in try Self.elements("accounts", value).enumerated() {
            let place = "accounts[\(index)]"
            guard let members = element.objectValue?.members else {
                throw WorldForm.Refusal(
                    field: place,
                    message: "\(place) must be an object of passphrase, name and balance"
                )
            }
            var account = WorldConfiguration.Account(passphrase: "", amountUnits: 0)
            for member in members {
                do throws(ValueError) {
                    try account.set(member.key, try Self.text(member.value))
                } catch {
                    throw WorldForm.Refusal(
                        field: "\(place).\(member.key)",
                        message: "\(member.key) \(error.message)"
                    )
                }
            }
            guard !account.passphrase.isEmpty else {
                throw WorldForm.Refusal(field: "\(place).passphrase", message: "passphrase is missing")
            }
            draft.world.extraAccounts.append(account)
        }
    }

    private static func read<Document>(
        _ value: JSONValue,
        at place: String?,
        _ body: (JSONValue) throws(FaultRuleError) -> Document
    ) throws(WorldForm.Refusal) -> Document {
        do throws(FaultRuleError) {
            return try body(value)
        } catch {
            let field = [place, error.field].compactMap(\.self).joined(separator: ".")
            throw WorldForm.Refusal(field: field, message: error.message)
        }
    }

    private static func elements(_ key: String, _ value: JSONValue) throws(WorldForm.Refusal) -> [JSONValue] {
        guard let elements = value.arrayValue else {
            throw WorldForm.Refusal(field: key, message: "\(key) must be a list")
        }
        return elements
    }

    /// A value as the command line has it.
    private static func text(_ value: JSONValue) throws(ValueError) -> String {
        switch value {
        case .string(let text): return text
        case .bool, .number: return value.text
        case .null, .array, .object: throw ValueError("must be a single value")
        }
    }
}
