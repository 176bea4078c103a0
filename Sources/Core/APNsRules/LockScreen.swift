/// The two lines that a phone shows of a notification without being touched: title and body.
public enum LockScreen {
    /// Characters that fit on a line.
    ///
    /// - Source: assumed (an iPhone's lock screen in the text size it comes with)
    public static let lineCharacters = 40

    /// The line of a text: on one line, and cut where it does not fit.
    public static func line(_ text: String?) -> String {
        guard let text else { return "" }
        let flat = String(text.map { $0.isNewline ? " " : $0 })
        return fits(flat) ? flat : String(flat.prefix(lineCharacters - 1)) + "…"
    }

    /// Whether a line shows all of a text.
    public static func fits(_ text: String) -> Bool {
        text.prefix(lineCharacters + 1).count <= lineCharacters
    }
}

/// How much a notification may disturb.
///
/// - Source: Apple, UNNotificationInterruptionLevel
public enum InterruptionLevel: String, Sendable, CaseIterable {
    /// Listed without a banner and a sound.
    case passive
    /// Shown at once; what a push without a level has.
    case active
    /// Shown at once, also in quiet hours.
    case timeSensitive = "time-sensitive"
    /// Shown at once, also in quiet hours and with the sound switched off.
    case critical

    /// Whether it is shown in quiet hours.
    public var passesQuietHours: Bool { self == .timeSensitive || self == .critical }
}
