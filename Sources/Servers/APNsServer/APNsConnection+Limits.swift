import APNsRules
import Determinism
import FaultRules
import HTTP2Session
import TLSListener

// What Apple allows a connection, and when it has enough of one.
extension APNsConnection {
    /// Opens the connection to many streams after an accepted push, and to one alone after a refused one.
    ///
    /// The SETTINGS follow the answers that are ready. nghttp2 would send them before, where some clients miscount
    /// their streams, since one is still open. A limit that a fault has set stays.
    /// - Source: jchambers/pushy#356, #732; lionheart/openradar-mirror#15649
    func adjustLimit(after status: Int, on session: HTTP2Session) {
        guard trouble?.overLimit == nil else { return }
        let usual = HTTP2Settings().maximumConcurrentStreams
        let current = owedLimit ?? session.maximumConcurrentStreams
        if status == 200, current != usual {
            owedLimit = usual
        } else if settings.dropsStreams, status != 200, status != 410, current != 1 {
            owedLimit = 1
        }
    }

    /// Goes away over a stream above the limit, where the settings or a fault have it.
    func refused(stream: Int32, knewLimit: Bool) {
        let isOver = trouble?.overLimit.map { $0 == .goAway } ?? (settings.overLimit == .goAway && knewLimit)
        guard isOver, stream <= trouble?.lastStream ?? .max else { return }
        var form = GoAwayForm.tooManyStreams
        // Every stream below this one was taken.
        form.last = .stream(max(0, stream - 2))
        goAway(form, from: nil, isGraceful: true)
    }

    /// Ends the connection after too many refusals; those of unregistered tokens are none.
    ///
    /// - Source: Apple, Handling notification responses from APNs (too many errors, sooner for bad device tokens)
    func countError(_ reply: APNsReply) {
        guard reply.status != 410, errors < settings.errorLimit else { return }
        errors += reply.isBadDeviceToken ? 2 : 1
        if errors >= settings.errorLimit { goAway(GoAwayForm(), from: nil, isGraceful: true) }
    }

    /// Ends the connection once the client has sent nothing for the time that is set, and waits for no answer.
    func watchIdleness() {
        guard settings.idleSeconds > 0 else { return }
        let limit = Int64(settings.idleSeconds).multipliedClamped(by: 1000)
        let left = lastReceivedAt + limit - connection.now
        guard left <= 0, session?.openRequests ?? 0 == 0 else {
            let pause = left > 0 ? left : limit
            return connection.after(milliseconds: Int(clamping: pause)) { [weak self] in self?.watchIdleness()
            }
        }
        guard session != nil else { return end() }
        var form = GoAwayForm()
        form.data = .reason(APNsReason.idleTimeout.rawValue)
        goAway(form, from: nil, isGraceful: false)
        connection.outputIsReady()
    }
}

extension GoAwayForm {
    /// What Apple does about streams over the limit.
    ///
    /// - Source: jchambers/pushy#356
    fileprivate static let tooManyStreams = {
        var form = GoAwayForm()
        form.code = HTTP2Session.refusedStream
        form.data = .text("Maximum active streams violated for this endpoint.")
        return form
    }()
}
