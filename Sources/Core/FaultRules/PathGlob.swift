/// A pattern for paths: `*` stands for anything within a segment, `**` for anything across segments.
struct PathGlob: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case byte(UInt8)
        case withinSegment
        case acrossSegments
    }

    /// The pattern as written.
    let text: String
    private let parts: [Part]
    private let isLiteral: Bool

    /// A pattern as written.
    init(_ text: String) {
        self.text = text
        var parts: [Part] = []
        for byte in text.utf8 {
            if byte != UInt8(ascii: "*") {
                parts.append(.byte(byte))
            } else if parts.last == .withinSegment || parts.last == .acrossSegments {
                parts[parts.count - 1] = .acrossSegments
            } else {
                parts.append(.withinSegment)
            }
        }
        self.parts = parts
        isLiteral = !text.utf8.contains(UInt8(ascii: "*"))
    }

    /// Whether the whole path fits; takes at most (bytes of path) x (parts of pattern) steps.
    func matches(_ path: String) -> Bool {
        if isLiteral { return path == text }
        // reached[i]: the first i parts fit what has been read.
        var reached = Array(repeating: false, count: parts.count + 1)
        reached[0] = true
        spreadOverStars(&reached)
        for byte in path.utf8 {
            var next = Array(repeating: false, count: parts.count + 1)
            for (index, part) in parts.enumerated() {
                switch part {
                case .byte(let expected):
                    if reached[index], byte == expected { next[index + 1] = true }
                case .withinSegment:
                    if reached[index + 1], byte != UInt8(ascii: "/") { next[index + 1] = true }
                case .acrossSegments:
                    if reached[index + 1] { next[index + 1] = true }
                }
            }
            spreadOverStars(&next)
            reached = next
        }
        return reached[parts.count]
    }

    /// A star may stand for nothing.
    private func spreadOverStars(_ reached: inout [Bool]) {
        for (index, part) in parts.enumerated() where reached[index] {
            if part == .withinSegment || part == .acrossSegments { reached[index + 1] = true }
        }
    }
}
