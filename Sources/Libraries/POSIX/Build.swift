internal import CBuild

/// Which build of the program runs.
public enum Build {
    /// The commit it was built from, as the build named it; "unknown" when it did not.
    public static var commit: String {
        // SAFETY: a constant of the program, ended by a zero byte.
        unsafe String(cString: mocknet_build_commit())
    }
}
