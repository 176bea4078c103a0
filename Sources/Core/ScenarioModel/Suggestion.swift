/// Finds the word that a mistyped one was meant to be.
public enum Suggestion {
    /// `, did you mean …?` for the nearest word, or nothing when none is near.
    public static func text(for word: String, among known: [String]) -> String {
        let nearest = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        guard let (candidate, distance) = nearest, distance <= 2, distance * 2 <= candidate.count else {
            return ""
        }
        return ", did you mean \(candidate)?"
    }

    /// How many letters are inserted, left out or replaced.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (line, byte) in left.utf8.prefix(64).enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let best = min(diagonal + (byte == other ? 0 : 1), row[column] + 1, row[column + 1] + 1)
                diagonal = row[column + 1]
                row[column + 1] = best
            }
        }
        return row[right.count]
    }
}
