public import JSONValue
import ScenarioModel
import Threads
public import WorldRuntime

/// One story played once, with a seed.
public struct ScenarioRun: Sendable {
    /// Where it is played.
    public enum Place: Sendable {
        /// In a fresh world of this process.
        case fresh(WorldConfiguration)
        /// In a world that runs already.
        case running(RunningWorld)
    }

    /// A world that runs already, by its control API, and what has to be changed of it for the story.
    public struct RunningWorld: Sendable {
        /// For example `http://127.0.0.1:36600`.
        public let base: String
        /// Its bearer token; nil for none.
        public let token: String?
        /// How many nodes the story needs.
        public let nodeCount: Int
        /// The calls that change it: method, path and body.
        public let changes: [(method: String, path: String, body: JSONValue)]

        /// A world with the calls that prepare it.
        public init(
            base: String,
            token: String?,
            nodeCount: Int,
            changes: [(method: String, path: String, body: JSONValue)]
        ) {
            self.base = base
            self.token = token
            self.nodeCount = nodeCount
            self.changes = changes
        }
    }

    /// The story.
    public let source: ScenarioSource
    /// The seed.
    public let seed: UInt64
    /// How many times longer than stated is waited for what is expected.
    public let patience: Int
    /// The longest that it may take once its world is there; nil without a limit.
    public let limitMilliseconds: Int?
    /// The command that plays it again.
    public let command: String

    /// A story to be played.
    public init(
        _ source: ScenarioSource,
        seed: UInt64,
        patience: Int = 1,
        limitMilliseconds: Int? = nil,
        command: String
    ) {
        self.source = source
        self.seed = seed
        self.patience = patience
        self.limitMilliseconds = limitMilliseconds
        self.command = command
    }

    /// How many of the newest lines of the timeline a result keeps.
    private static let keptLines = 60

    /// Plays the story and tells its result, as reports hold it.
    ///
    /// `output` takes the lines for people, as things happen; `afterwards` is given the world's control API before a
    /// fresh world ends, for what is to be kept of it.
    public func play(
        in place: Place,
        output: @escaping (String) -> Void = { _ in },
        afterwards: (_ result: JSONValue, _ base: String, _ token: String?) -> Void = { _, _, _ in }
    ) -> JSONValue {
        let began = MachineClock.monotonicMilliseconds()
        switch place {
        case .running(let world):
            let result =
                prepare(world).map { self.result(failed: $0, began: began) }
                ?? play(base: world.base, token: world.token, began: began, output: output)
            afterwards(result, world.base, world.token)
            return result
        case .fresh(var configuration):
            configuration.seed = seed
            let world: World
            do throws(WorldError) {
                world = try World(configuration)
                try world.start()
            } catch {
                let result = result(failed: ControlFailure(message: error.message), began: began)
                afterwards(result, "", nil)
                return result
            }
            defer { world.stop() }
            let base = world.description["control"]?.stringValue ?? ""
            let result = play(base: base, token: world.controlToken, began: began, output: output)
            afterwards(result, base, world.controlToken)
            return result
        }
    }

    /// Changes a running world as the story wants it; why that cannot be done.
    private func prepare(_ world: RunningWorld) -> ControlFailure? {
        let control = ControlClient(base: world.base, token: world.token)
        do throws(ControlFailure) {
            let nodes = try control.list("/v1/nodes", "nodes").count
            guard nodes >= world.nodeCount else {
                return ControlFailure(
                    message:
                        "the story needs \(world.nodeCount) nodes, and the world at \(world.base) has \(nodes)"
                )
            }
            for change in world.changes { _ = try control.call(change.method, change.path, change.body) }
            return nil
        } catch {
            return error
        }
    }

    private func play(base: String, token: String?, began: Int64, output: @escaping (String) -> Void)
        -> JSONValue
    {
        do throws(ControlFailure) {
            let player = try ScenarioPlayer(
                control: ControlClient(base: base, token: token),
                options: ScenarioPlayer.Options(
                    seed: seed,
                    patience: patience,
                    limitMilliseconds: limitMilliseconds
                ),
                output: output
            )
            let scenes = player.play(source.scenario)
            return result(scenes, lines: player.lines, base: base, began: began)
        } catch {
            return result(failed: error, began: began)
        }
    }

    private func result(_ scenes: [ScenePlay], lines: [String], base: String, began: Int64) -> JSONValue {
        let failed = scenes.lazy.flatMap(\.steps).first { $0.failure != nil }
        let isFatal = scenes.contains { $0.failure?.isFatal == true }
        var result = head(failed == nil ? .passed : isFatal ? .error : .failed)
        if let failed { result["failure"] = failed.json }
        result["scenes"] = .array(scenes.map { $0.json(of: source.scenario.file) })
        if failed != nil { result["repeat"] = .string(command) }
        var measured = self.measured(began)
        measured["control"] = .string(base)
        measured["stepMilliseconds"] = .array(
            scenes.flatMap(\.steps).filter { $0.outcome != .skipped }.map { .int($0.milliseconds) }
        )
        if let failed {
            measured["nearest"] = .array(failed.failure?.nearest.map(JSONValue.string) ?? [])
            measured["timeline"] = .array(lines.suffix(Self.keptLines).map(JSONValue.string))
        }
        result["measured"] = .object(measured)
        return .object(result)
    }

    private func result(failed error: ControlFailure, began: Int64) -> JSONValue {
        var result = head(.error)
        result["failure"] = [
            "place": .string("\(source.scenario.file):1:1"), "reason": .string(error.message),
        ]
        result["repeat"] = .string(command)
        result["measured"] = .object(measured(began))
        return .object(result)
    }

    private func head(_ outcome: ScenarioReport.Outcome) -> JSONObject {
        JSONObject([
            ("name", .string(source.scenario.name)), ("file", .string(source.scenario.file)),
            ("seed", .int(seed)), ("outcome", .string(outcome.rawValue)),
        ])
    }

    private func measured(_ began: Int64) -> JSONObject {
        JSONObject([("milliseconds", .int(MachineClock.monotonicMilliseconds() - began))])
    }
}

extension ScenePlay {
    fileprivate func json(of file: String) -> JSONValue {
        var object = JSONObject()
        if let title { object.append("title", .string(title)) }
        if isBeginning { object.append("title", "the parties") }
        object.append("steps", .array(steps.map { $0.result(of: file) }))
        return .object(object)
    }
}

extension StepPlay {
    /// The step as a part of the result of a story in a file; of an included step the file is told as well.
    fileprivate func result(of file: String) -> JSONValue {
        var result = JSONObject([("step", .string(sentence)), ("line", .int(place.line))])
        if place.file != file { result.append("file", .string(place.file)) }
        result.append("outcome", .string(outcome.rawValue))
        return .object(result)
    }

    fileprivate var json: JSONValue {
        [
            "place": .string("\(place)"), "step": .string(sentence),
            "reason": .string(failure?.reason ?? ""),
        ]
    }
}
