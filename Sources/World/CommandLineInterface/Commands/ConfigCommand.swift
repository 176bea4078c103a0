import JSONValue
import ScenarioModel

/// `mocknet config`: what points a real build at a world.
enum ConfigCommand {
    static let command = Command(
        "config",
        "prints the configuration that points a real build at a world",
        operands: [OperandSpec("NAME", help: builds.map(\.name).joined(separator: ", "))],
        options: ControlAPI.options + [
            OptionSpec(
                "--host",
                "NAME",
                help: "name by which the build reaches this machine, in place of 127.0.0.1"
            ),
            OptionSpec("--world", "FILE", help: "takes the ready file of a world in place of asking it"),
        ],
        examples: builds.map { ("mocknet config \($0.name)", $0.does) } + [
            ("mocknet config ios --host 192.168.1.20", "for a phone beside it; needs up --listen 0.0.0.0"),
            ("mocknet config ans --world ready.json --host mocknet", "for a container beside mocknet's"),
        ],
        run: run
    )

    /// One kind of build with its configuration, and what else is to do.
    private struct Build: Sendable {
        let name: String
        let does: String
        let text: @Sendable (WorldAddresses) throws(CommandFailure) -> String
        let advice: @Sendable (WorldAddresses) -> String
    }

    private static let builds = [
        Build(
            name: "ans",
            does: "~/.ans/config.json of the C# notification service",
            text: RealBuilds.ans,
            advice: RealBuilds.ansAdvice
        ),
        Build(
            name: "adamant-ns",
            does: "config.json5 of the TypeScript notification service",
            text: RealBuilds.adamantNS,
            advice: RealBuilds.adamantNSAdvice
        ),
        Build(
            name: "ios",
            does: "the steps for the iOS app, step by step",
            text: RealBuilds.iOS,
            advice: { _ in "" }
        ),
        Build(
            name: "pwa",
            does: "the nodes of src/config/development.json of the web app",
            text: RealBuilds.pwa,
            advice: RealBuilds.pwaAdvice
        ),
        Build(
            name: "api-js",
            does: "a snippet for adamant-api",
            text: RealBuilds.apiJS,
            advice: { _ in "" }
        ),
        Build(
            name: "console",
            does: "~/.adm/config.jsonc of adamant-console",
            text: RealBuilds.console,
            advice: { _ in "" }
        ),
        Build(
            name: "env",
            does: "the variables of mocknet exec but SSL_CERT_FILE, for eval in a shell",
            text: RealBuilds.env,
            advice: RealBuilds.envAdvice
        ),
    ]

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        let name = context.arguments.operand(0) ?? ""
        guard let build = builds.first(where: { $0.name == name }) else {
            let hint = Suggestion.text(for: name, among: builds.map(\.name))
            throw .usage(
                "\(name): unknown build\(hint); known are \(builds.map(\.name).joined(separator: ", "))"
            )
        }
        let asked = WorldAddresses(try document(context))
        let world = context.arguments["--host"].map { asked.reached(by: $0) } ?? asked
        context.output(try build.text(world))
        context.error(build.advice(world))
        return ExitCode.success
    }

    /// The description of the world, from itself or from its ready file.
    private static func document(_ context: CommandContext) throws(CommandFailure) -> JSONValue {
        guard let path = context.arguments["--world"] else {
            return try ControlAPI(context).get("/v1/world")
        }
        guard let bytes = try WorldProcess.readFile(path) else {
            throw .usage("--world: there is no file \(path)")
        }
        guard let document = try? JSONValue(parsing: bytes), document["nodes"]?.arrayValue != nil else {
            throw .usage("--world: \(path) is no ready file of mocknet up")
        }
        return document
    }
}
