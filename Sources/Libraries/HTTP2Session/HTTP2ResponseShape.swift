/// How a response is cut into frames.
public struct HTTP2ResponseShape: Sendable, Equatable {
    /// Where a response ends.
    public enum Ending: Sendable {
        /// On its last frame.
        case lastFrame
        /// On an empty DATA frame behind the body.
        case emptyFrame
        /// Nowhere: its stream stays open.
        case never
        /// On trailers.
        case trailers
    }

    /// Over how many DATA frames the body is spread.
    public var dataFrames: Int
    /// Where it ends.
    public var ending: Ending

    /// A shape; one DATA frame that ends the stream unless told otherwise.
    public init(dataFrames: Int = 1, ending: Ending = .lastFrame) {
        self.dataFrames = dataFrames
        self.ending = ending
    }
}
