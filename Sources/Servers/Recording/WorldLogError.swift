/// Why a world's log cannot be opened, or cannot go on.
public enum WorldLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another process has the directory open.
    case directoryInUse(directory: String)
    /// The directory cannot be made or read.
    case directoryUnusable(reason: String)
    /// The file holds another format than this version writes.
    case unknownFormat(path: String, found: Int64)
    /// The file is no log, or a damaged one.
    case damaged(path: String, reason: String)
    /// Writing or reading failed, for instance on a full disk.
    case storageFailed(reason: String)

    /// One line for people.
    public var description: String {
        switch self {
        case .directoryInUse(let directory): "\(directory) is in use by another process"
        case .directoryUnusable(let reason): reason
        case .unknownFormat(let path, let found):
            "\(path) has format \(found), which this version does not read"
        case .damaged(let path, let reason): "\(path) is damaged or no log: \(reason)"
        case .storageFailed(let reason): reason
        }
    }
}
