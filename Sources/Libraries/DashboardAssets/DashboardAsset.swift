internal import CDashboard

/// A file of the dashboard, compiled into the program.
public struct DashboardAsset: Sendable {
    /// Its name, for one `app.js`.
    public let name: String
    /// What it holds.
    public let bytes: [UInt8]

    /// All files, in the order of their names.
    public static var all: [DashboardAsset] {
        var files: [DashboardAsset] = []
        while let file = DashboardAsset(index: files.count) { files.append(file) }
        return files
    }

    private init?(index: Int) {
        // SAFETY: names and files are constants of the program, the names ended by zero bytes.
        let file = unsafe mocknet_dashboard_file(index)
        guard let start = unsafe file.name else { return nil }
        name = unsafe String(cString: start)
        bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
