/// The SETTINGS that a server announces.
public struct HTTP2Settings: Sendable, Equatable {
    /// Size of the table with which clients may compress headers.
    public var headerTableSize: UInt32 = 4096
    /// Streams that may be open at once.
    public var maximumConcurrentStreams: UInt32 = 1000
    /// Bytes of a body that may be sent without a WINDOW_UPDATE.
    public var initialWindowSize: UInt32 = 65_535
    /// Largest payload of a frame.
    public var maximumFrameSize: UInt32 = 16_384
    /// Largest header list, counted as in RFC 9113, section 6.5.2; a larger one is refused per stream.
    public var maximumHeaderListSize: UInt32 = 8000

    /// The settings of a connection to Apple in its steady state.
    ///
    /// - Source: jchambers/pushy#878
    public init() {}
}
