import JSONValue
import ScenarioModel
import Threads

/// Why a step did not end as stated.
struct StepFailure: Error {
    /// In words that do not depend on ids and times.
    let reason: String
    /// What came nearest, and what of it differed.
    var nearest: [String] = []
    /// Whether the world itself failed.
    var isFatal = false

    init(_ reason: String, nearest: [String] = []) {
        self.reason = reason
        self.nearest = nearest
    }

    init(_ failure: ControlFailure) {
        reason = failure.message
        isFatal = failure.isFatal
    }
}

/// Plays a story against a world through its control API, and checks what comes of it.
final class ScenarioPlayer {
    /// How the story is played.
    struct Options {
        var seed: UInt64 = 1
        /// How many times longer than stated is waited for what is expected; for people who drive real builds.
        var patience = 1
        /// The longest that the story may take; nil without a limit.
        var limitMilliseconds: Int?
    }

    let control: ControlClient
    let options: Options
    private let output: (String) -> Void
    var book: PartyBook
    var timeline: Timeline
    /// What the last action was answered with.
    var answer: JSONValue = .null
    /// The numbers of the last event and the last request before the story.
    var start = 0
    var firstRequest = 0
    /// How far events and requests have been seen.
    var eventCursor = 0
    var requestCursor = 0
    /// The lines of the timeline so far.
    private(set) var lines: [String] = []
    private let pusher: DirectPusher
    private let began = MachineClock.monotonicMilliseconds()

    /// A player whose lines for people go to `output`.
    init(control: ControlClient, options: Options, output: @escaping (String) -> Void)
        throws(ControlFailure)
    {
        self.control = control
        self.options = options
        self.output = output
        let world = try control.get("/v1/world")
        timeline = Timeline(world: world)
        book = PartyBook(world: world, seed: options.seed)
        pusher = DirectPusher(world: world)
        start = Int(try control.get("/v1/events?limit=1&after=\(Int32.max)")["last"]?.intValue ?? 0)
        eventCursor = start
        firstRequest =
            try control.all("/v1/requests", "requests", after: 0).last?["seq"]?.intValue.map { Int($0) } ?? 0
        requestCursor = firstRequest
    }

    /// Plays the parties' beginnings and then all scenes; each scene is played whatever became of the one before.
    func play(_ scenario: Scenario) -> [ScenePlay] {
        var plays: [ScenePlay] = []
        if !scenario.parties.isEmpty {
            let play = play(scenario.parties)
            plays.append(play)
            guard play.failure == nil else { return plays }
        }
        for (index, scene) in scenario.scenes.enumerated() {
            if let title = scene.title {
                output("")
                output("\(index + 1)  \(title)")
            }
            let play = play(scene)
            plays.append(play)
            if play.failure == nil, let moral = scene.moral { output("   → " + moral) }
            if play.failure?.isFatal == true { break }
        }
        return plays
    }

    private func play(_ parties: [Party]) -> ScenePlay {
        var play = ScenePlay(title: nil, isBeginning: true)
        for party in parties {
            run(party.sentence, at: party.place, in: &play) { () throws(StepFailure) in try begin(party) }
            if play.failure != nil { break }
        }
        return play
    }

    private func play(_ scene: Scene) -> ScenePlay {
        if scene.title != nil { timeline.restart() }
        var play = ScenePlay(title: scene.title, isBeginning: false)
        for step in scene.steps {
            guard play.failure == nil else {
                play.steps.append(StepPlay(sentence: step.sentence, place: step.place, outcome: .skipped))
                continue
            }
            run(step.sentence, at: step.place, in: &play) { () throws(StepFailure) in try perform(step) }
        }
        return play
    }

    private func run(
        _ sentence: String,
        at place: ScenarioPlace,
        in play: inout ScenePlay,
        _ body: () throws(StepFailure) -> Bool
    ) {
        let began = MachineClock.monotonicMilliseconds()
        var step = StepPlay(sentence: sentence, place: place, outcome: .passed)
        do throws(StepFailure) {
            try checkTime()
            let isExpectation = try body()
            try? showEvents()
            if isExpectation { output("   ✓ " + sentence) }
        } catch {
            try? showEvents()
            step.outcome = .failed
            step.failure = error
            output("   ✗ \(sentence): \(error.reason)")
            for line in error.nearest { output("     " + line) }
        }
        step.milliseconds = Int(MachineClock.monotonicMilliseconds() - began)
        play.steps.append(step)
    }

    /// Makes a party; true for what is expected, never so for a party.
    private func begin(_ party: Party) throws(StepFailure) -> Bool {
        book.learn(party)
        guard !party.isExternal else { return false }
        try calling { () throws(ControlFailure) in
            let members = try book.substituted(.object(party.members)).objectValue ?? JSONObject()
            switch party.kind {
            case .device: try makeDevice(party.name, members)
            case .account: try makeAccount(party.name, members)
            case .service: break
            }
        }
        return false
    }

    /// Performs a step; true when it was an expectation.
    private func perform(_ step: Step) throws(StepFailure) -> Bool {
        switch step.kind {
        case .set(let values):
            for member in values.members {
                try calling { () throws(ControlFailure) in try book.set(member.key, to: member.value) }
            }
            return false
        case .act(let action):
            guard !action.isExternal else {
                output("   … " + step.sentence)
                return false
            }
            try perform(action, pusher: pusher)
            try save(step.saves, from: answer)
            return false
        case .expect(let expectation):
            let found = try check(expectation)
            try save(step.saves, from: found ?? .null)
            return true
        }
    }

    private func save(_ saves: [Step.Saving], from value: JSONValue) throws(StepFailure) {
        for saving in saves {
            var part = value
            for key in saving.path {
                let element = Int(key).flatMap { index in
                    part.arrayValue.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                }
                guard let inner = part[key] ?? element else {
                    throw StepFailure("save: the answer has no \(saving.path.joined(separator: "."))")
                }
                part = inner
            }
            try calling { () throws(ControlFailure) in try book.set(saving.variable, part) }
        }
    }

    /// Ends a story that has taken longer than it may.
    func checkTime() throws(StepFailure) {
        guard let limit = options.limitMilliseconds,
            MachineClock.monotonicMilliseconds() - began > Int64(limit)
        else { return }
        throw StepFailure(
            "the story takes longer than \(Quantity.duration(limit)), all that it is given here"
        )
    }

    /// Makes calls, whose failure is that of the step.
    func calling<Result>(_ body: () throws(ControlFailure) -> Result) throws(StepFailure) -> Result {
        do throws(ControlFailure) {
            return try body()
        } catch {
            throw StepFailure(error)
        }
    }

    /// Tells what has happened since the last look.
    func showEvents() throws(ControlFailure) {
        try show(control.get("/v1/events?limit=1000&after=\(eventCursor)"))
    }

    /// Tells of a page of events.
    func show(_ page: JSONValue) {
        let events = page["events"]?.arrayValue ?? []
        eventCursor = Int(page["next"]?.intValue ?? Int64(eventCursor))
        for line in timeline.lines(events) {
            lines.append(line)
            output("   " + line)
        }
    }
}

extension Party {
    /// How the party comes into the story.
    fileprivate var sentence: String {
        let who = isExternal ? "\(name) (external)" : name
        return switch kind {
        case .device:
            "\(who) is there" + (members["owner"]?.stringValue.map { ", with \($0)" } ?? "")
        case .account: "\(who) is there"
        case .service: "\(who) is there"
        }
    }
}
