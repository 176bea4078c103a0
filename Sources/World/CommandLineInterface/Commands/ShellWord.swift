/// Words of a command as a shell reads them.
enum ShellWord {
    /// A text in quotes, whatever is in it.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// A text as it is where a shell takes it so, otherwise in quotes.
    static func plain(_ text: String) -> String {
        let isSafe = text.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122: true
            default: "-_./:=@%+,".utf8.contains(byte)
            }
        }
        return isSafe && !text.isEmpty ? text : quoted(text)
    }
}
