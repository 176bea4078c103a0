import Files
import POSIX

/// Where a world keeps its certificates.
enum StateFolder {
    /// The folder of a configuration: its data directory, the one named, or the user's state folder.
    static func path(of configuration: WorldConfiguration) -> String {
        Files.absolute(
            configuration.dataDirectory ?? configuration.stateDirectory
                ?? ProcessEnvironment.value("XDG_STATE_HOME").map { $0 + "/mocknet" }
                ?? ProcessEnvironment.value("HOME").map { $0 + "/.local/state/mocknet" }
                ?? (ProcessEnvironment.value("TMPDIR") ?? "/tmp") + "/mocknet-state"
        )
    }
}
