import HTTPDaemon
import Synchronization

/// Answers of list calls while they are exact: many clients poll the same page within a second.
final class AnswerCache: Sendable {
    /// What an answer depends on beside the request.
    struct Validity: Equatable {
        /// The chain's and the accounts' version.
        let version: Int
        /// The height of the newest block in sight, which follows from the version.
        let height: Int
        /// The `nodeTimestamp` of the answer.
        let second: Int64
        let status: NodeStatus
    }

    /// A request, as far as an answer depends on it.
    struct Key: Hashable {
        let target: String
        let coding: ContentCoding?
    }

    private struct State {
        var validity: Validity?
        var answers: [Key: HTTPResponse] = [:]
        var bytes = 0
    }

    private static let maximumBytes = 4 << 20
    private static let maximumAnswers = 256

    private let state = Mutex(State())

    /// The answer to a request that was answered before and would be answered the same now.
    func answer(_ key: Key, _ validity: Validity) -> HTTPResponse? {
        state.withLock { state in
            guard state.validity == validity, var answer = state.answers[key] else { return nil }
            if !answer.isPrepared {
                answer.prepare()
                state.answers[key] = answer
            }
            return answer
        }
    }

    /// Keeps an answer; all others go when they are no longer exact.
    func keep(_ response: HTTPResponse, _ key: Key, _ validity: Validity) {
        state.withLock { state in
            if state.validity != validity {
                state = State()
                state.validity = validity
            }
            let bytes = state.bytes + response.body.count
            guard bytes <= Self.maximumBytes, state.answers.count < Self.maximumAnswers else { return }
            if state.answers.updateValue(response, forKey: key) == nil { state.bytes = bytes }
        }
    }
}
