import ScenarioModel

/// What became of a scene.
struct ScenePlay {
    /// What it is called; nil for a story of one scene.
    let title: String?
    /// Whether it is the making of the parties.
    let isBeginning: Bool
    var steps: [StepPlay] = []

    /// Why it did not end as stated.
    var failure: StepFailure? { steps.lazy.compactMap(\.failure).first }
}

/// What became of a step.
struct StepPlay {
    enum Outcome: String {
        case passed
        case failed
        case skipped
    }

    let sentence: String
    let place: ScenarioPlace
    var outcome: Outcome
    var failure: StepFailure?
    var milliseconds = 0
}
