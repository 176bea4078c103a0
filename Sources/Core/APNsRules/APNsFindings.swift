/// What the checks of one push found.
struct APNsFindings {
    /// The rules that failed.
    var fired: APNsRuleSet
    /// What exactly is wrong with the credential, in words.
    var problems: [String] = []

    init(_ fired: APNsRuleSet) { self.fired = fired }

    mutating func fail(_ rule: APNsRule, _ problem: String) {
        fired.insert(rule)
        problems.append(problem)
    }
}
