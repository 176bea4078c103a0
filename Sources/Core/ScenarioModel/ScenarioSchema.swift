public import JSONValue

/// The format of scenarios as a JSON Schema, for editors; it says less than the reader, which knows the names.
public enum ScenarioSchema {
    /// The schema.
    ///
    /// - Source: JSON Schema, draft 2020-12
    public static var json: JSONValue {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "mocknet scenario",
            "type": "object",
            "properties": [
                "name": text, "story": text,
                "seeds": ["type": "array", "items": ["type": "integer", "minimum": 0], "minItems": 1],
                "world": ["type": ["object", "null"]], "parties": definition("parties"),
                "steps": definition("steps"),
                "scenes": [
                    "type": "array", "minItems": 1,
                    "items": object(
                        [("title", text), ("moral", text), ("steps", definition("steps"))],
                        required: ["title", "steps"]
                    ),
                ],
            ],
            "required": ["name"], "additionalProperties": false,
            "oneOf": [["required": ["steps"]], ["required": ["scenes"]]],
            "$defs": [
                "text": ["type": ["string", "number", "boolean"]],
                "reference": ["type": "string", "pattern": #"\$\{[^}]+\}"#],
                "flag": ["anyOf": [["type": "boolean"], reference]],
                "time": ["type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"],
                "amount": ["type": ["string", "number"]], "name": ["type": "string"],
                "operators": [
                    "type": "object", "minProperties": 1,
                    "propertyNames": ["enum": .array(ScenarioReader.operators.map(JSONValue.string))],
                ],
                "parties": ["type": ["object", "null"], "additionalProperties": ["anyOf": .array(parties)]],
                "steps": ["type": "array", "items": definition("step")],
                "step": ["anyOf": .array(Verb.all.map(step) + structure + expectations)],
                "claim": ["anyOf": .array(Subject.all.map(claim))],
                "save": ["type": "object", "additionalProperties": ["type": ["string", "integer"]]],
            ],
        ]
    }

    private static let text = definition("text")
    private static let reference = definition("reference")
    private static let steps = definition("steps")

    private static func definition(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/" + name)] }

    private static func object(
        _ properties: [(String, JSONValue)],
        required: [String],
        isOpen: Bool = false
    ) -> JSONValue {
        var result = JSONObject([
            ("type", "object"), ("properties", .object(JSONObject(properties))),
            ("required", .array(required.map(JSONValue.string))),
        ])
        if !isOpen { result.append("additionalProperties", false) }
        return .object(result)
    }

    private static var parties: [JSONValue] {
        Party.Kind.allCases.flatMap { kind in
            [false, true].map { isExternal in
                let word: JSONValue = isExternal ? "external" : "simulated"
                let members = ScenarioReader.members(of: kind, isExternal: isExternal)
                let head: [(String, JSONValue)] = [(kind.rawValue, ["const": word])]
                return object(head + members.map { ($0.name, schema($0.kind)) }, required: [kind.rawValue])
            }
        }
    }

    private static func step(_ verb: Verb) -> JSONValue {
        let isSending = ["message", "transfer", "signal"].contains(verb.name)
        let common = CommonKeys(isSending: isSending).names.map { name in
            (name, name == "save" ? definition("save") : text)
        }
        return object(
            [(verb.name, schema(verb.principal))] + verb.members.map { ($0.name, schema($0.kind)) } + common,
            required: [verb.name] + verb.members.filter(\.isRequired).map(\.name),
            isOpen: verb.isOpen
        )
    }

    private static var structure: [JSONValue] {
        [
            object([("set", ["type": "object"])], required: ["set"]),
            object([("repeat", schema(.count(1...1000))), ("steps", steps)], required: ["repeat", "steps"]),
            object(
                [("for", text), ("in", ["type": "array", "minItems": 1]), ("steps", steps)],
                required: ["for", "in", "steps"]
            ),
            object([("include", text)], required: ["include"]),
        ]
    }

    private static var expectations: [JSONValue] {
        let claim: JSONValue = definition("claim")
        let order = object(
            [("in order", ["type": "array", "minItems": 2, "items": claim])],
            required: ["in order"]
        )
        let time = schema(.duration)
        let number = schema(Expectation.number)
        let expected: JSONValue = ["anyOf": [claim, order]]
        return [
            object(
                [
                    ("expect", expected), ("within", time), ("for", time), ("exactly", number),
                    ("at least", number), ("note", text), ("save", definition("save")),
                ],
                required: ["expect"]
            ),
            object(
                [("expect no", claim), ("within", time), ("for", time), ("note", text)],
                required: ["expect no"]
            ),
            object([("never", claim), ("for", time), ("note", text)], required: ["never"]),
        ]
    }

    private static func claim(_ subject: Subject) -> JSONValue {
        let members = subject.members.map { ($0.name, pattern($0.kind)) }
        let principal =
            subject.isChosen ? schema(subject.principal.kind) : pattern(subject.principal.kind)
        return object([(subject.name, principal)] + members, required: [subject.name], isOpen: subject.isOpen)
    }

    /// What a pattern of a kind can be.
    private static func pattern(_ kind: ValueKind) -> JSONValue {
        guard kind != .json, kind != .object else { return schema(kind) }
        return ["anyOf": [schema(kind), ["type": "null"], definition("operators")]]
    }

    /// What a value of a kind can be.
    private static func schema(_ kind: ValueKind) -> JSONValue {
        switch kind {
        case .text: return text
        case .word(let words): return ["anyOf": [["enum": .array(words.map(JSONValue.string))], reference]]
        case .count(let range):
            var bounds = JSONObject([("type", "integer"), ("minimum", .int(range.lowerBound))])
            if range.upperBound != Int64.max { bounds.append("maximum", .int(range.upperBound)) }
            return ["anyOf": [.object(bounds), reference]]
        case .duration: return definition("time")
        case .amount: return definition("amount")
        case .flag: return definition("flag")
        case .json: return true
        case .object: return ["type": "object"]
        case .moment, .device, .account, .node, .service, .transaction, .snapshot, .fault:
            return definition("name")
        case .list(let element):
            return ["anyOf": [schema(element), ["type": "array", "items": schema(element)]]]
        case .either(let word, let other): return ["anyOf": [["const": .string(word)], schema(other)]]
        }
    }
}
