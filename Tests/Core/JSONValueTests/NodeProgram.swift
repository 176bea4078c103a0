import Foundation

/// Node's own `JSON.parse`, as another implementation to compare with.
enum NodeProgram {
    /// Where the program is; nil when it is not installed.
    static let path: String? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let candidates = folders.flatMap { ["\($0)/node", "\($0)/nodejs"] }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Prints for each document, hexadecimal on a line, `R` when it is refused, else its values in one form.
    private static let script = """
        const fs = require('fs');
        const whole = (text) => JSON.stringify(Buffer.from(text, 'utf8').toString('utf8'));
        const form = (value) => {
          if (typeof value === 'string') return whole(value);
          if (Array.isArray(value)) return '[' + value.map(form).join(',') + ']';
          if (value === null || typeof value !== 'object') return String(value);
          return '{' + Object.keys(value).map((key) => whole(key) + ':' + form(value[key])).join(',') + '}';
        };
        const lines = fs.readFileSync(process.argv[1], 'latin1').split('\\n');
        const answers = lines.map((line) => {
          let value;
          try { value = JSON.parse(Buffer.from(line, 'hex').toString('utf8')); } catch { return 'R'; }
          return 'A' + form(value);
        });
        fs.writeFileSync(process.argv[2], answers.map((text) => Buffer.from(text).toString('hex')).join('\\n'));
        """

    /// What Node makes of each document: nil when it refuses it, else its values in one form.
    static func answers(to documents: [[UInt8]]) throws -> [String?] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (folder.appending(path: "input"), folder.appending(path: "output"))
        let lines = documents.map {
            $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: input)
        let process = Process()
        process.executableURL = URL(filePath: path ?? "")
        process.arguments = ["-e", script, input.path, output.path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return try String(contentsOf: output, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                let digits = Array(line.utf8).map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
                let bytes = stride(from: 0, to: digits.count - 1, by: 2).map {
                    digits[$0] << 4 | digits[$0 + 1]
                }
                let text = String(decoding: bytes, as: UTF8.self)
                return text.first == "A" ? String(text.dropFirst()) : nil
            }
    }
}
