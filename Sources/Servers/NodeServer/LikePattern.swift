/// A pattern of SQL's `LIKE`: `%` is any text, `_` any letter, after a backslash each is itself.
struct LikePattern {
    private enum Part: Equatable {
        case any, one
        case letter(Character)
    }

    private var parts: [Part] = []

    init(_ text: String) {
        var isEscaped = false
        for character in text {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "%" where !isEscaped: parts.append(.any)
            case "_" where !isEscaped: parts.append(.one)
            default: parts.append(.letter(character))
            }
            isEscaped = false
        }
    }

    /// Whether a whole text matches.
    func matches(_ text: String) -> Bool {
        var reached: Set<Int> = closure([0])
        for character in text {
            var next: Set<Int> = []
            for place in reached where place < parts.count {
                switch parts[place] {
                case .any: next.insert(place)
                case .one: next.insert(place + 1)
                case .letter(let letter): if letter == character { next.insert(place + 1) }
                }
            }
            reached = closure(next)
        }
        return reached.contains(parts.count)
    }

    /// The places reached without reading a letter.
    private func closure(_ places: Set<Int>) -> Set<Int> {
        var result = places
        for place in places {
            var next = place
            while next < parts.count, parts[next] == .any {
                next += 1
                result.insert(next)
            }
        }
        return result
    }
}
