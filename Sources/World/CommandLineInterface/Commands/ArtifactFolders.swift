/// What the folders are called in which the failures of stories are kept, each its own.
enum ArtifactFolders {
    /// The name for each of some stories by file and seed, in order; the first of a name has it as it is.
    static func names(of stories: [(file: String, seed: UInt64)]) -> [String] {
        let plain = stories.map { "\(stem(of: $0.file))-seed\($0.seed)" }
        // There are file systems to which a and A are one.
        var used = Set(plain.map { $0.lowercased() })
        var seen: Set<String> = []
        return plain.map { name in
            guard !seen.insert(name.lowercased()).inserted else { return name }
            var number = 2
            while !used.insert("\(name)-\(number)".lowercased()).inserted { number += 1 }
            return "\(name)-\(number)"
        }
    }

    /// A file's path as a part of a name.
    private static func stem(of file: String) -> String {
        var name = file
        for ending in [".yml", ".yaml", ".json"] where name.hasSuffix(ending) {
            name.removeLast(ending.count)
        }
        let letters = name.map {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-"
        }
        return String(String(letters).drop { $0 == "-" })
    }
}
