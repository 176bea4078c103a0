import APNsRules
import FaultRules
import HTTP2Session
import TLSListener

extension APNsConnection {
    /// The trouble of the connection, from now on if there was none.
    private var troubled: ConnectionTrouble {
        let known = trouble ?? ConnectionTrouble()
        trouble = known
        return known
    }

    // MARK: - From the beginning

    /// Begins a connection as a fault has it; true where it is over before HTTP/2 begins.
    func strikeOpening(_ decision: FaultDecision) -> Bool {
        guard case .connection(let effect) = decision.effect else { return false }
        let delay = decision.delayMilliseconds
        switch effect {
        case .stalledHandshake: break
        case .end(let isReset, let afterSettings):
            guard afterSettings else {
                connection.after(milliseconds: delay) { [weak self] in self?.cut(isReset: isReset) }
                return true
            }
            whenBegun(after: delay) { $0.cut(isReset: isReset) }
        case .goAway(let form):
            whenBegun(after: delay) { $0.goAway(form, from: nil, isGraceful: true) }
        case .settings(let limit):
            troubled.overLimit = limit?.overLimit
            var settings = HTTP2Settings()
            if let limit { settings.maximumConcurrentStreams = limit.streams }
            troubled.settings = settings
            deviate {
                $0.namesStreamLimit = limit != nil
                $0.enforcesStreamLimit = limit?.isEnforced ?? false
            }
        case .noSettings: deviate { $0.sendsSettings = false }
        case .silentPing: deviate { $0.answersPings = false }
        case .blackHole(0, let seconds):
            connection.fallSilent(milliseconds: seconds.clampedMilliseconds)
            return true
        case .blackHole(let idle, let seconds): fallSilent(afterIdle: idle, seconds: seconds)
        case .windows(let bytes, let milliseconds):
            var settings = HTTP2Settings()
            settings.initialWindowSize = bytes
            troubled.settings = settings
            troubled.windowMilliseconds = milliseconds
            deviate { $0.opensWindows = false }
        }
        return false
    }

    private func deviate(_ change: (inout HTTP2Deviations) -> Void) {
        var deviations = HTTP2Deviations()
        change(&deviations)
        troubled.deviations = deviations
    }

    private func whenBegun(after milliseconds: Int, _ action: @escaping (APNsConnection) -> Void) {
        troubled.whenBegun = { [weak self] in
            self?.connection.after(milliseconds: milliseconds) { [weak self] in
                guard let self else { return }
                action(self)
                self.connection.outputIsReady()
            }
        }
    }

    /// Falls silent once there was no push for so long.
    private func fallSilent(afterIdle idle: Int, seconds: Int) {
        let left = max(0, idle - Int(clamping: connection.now - lastRequestAt))
        connection.after(milliseconds: left) { [weak self] in
            guard let self else { return }
            guard self.connection.now - self.lastRequestAt >= Int64(idle) else {
                return self.fallSilent(afterIdle: idle, seconds: seconds)
            }
            self.connection.fallSilent(milliseconds: seconds.clampedMilliseconds)
        }
    }

    /// Lets a window open again when its time has come.
    func openWindowLater(_ bytes: Int, of stream: Int32) {
        guard let milliseconds = trouble?.windowMilliseconds else { return }
        connection.after(milliseconds: milliseconds) { [weak self] in
            self?.session?.consume(bytes, of: stream)
            self?.connection.outputIsReady()
        }
    }

    // MARK: - Streams

    /// Whether a request is served; else it is refused, or left without an answer.
    func admit(_ stream: Int32, _ trouble: ConnectionTrouble) -> Bool {
        guard let session else { return false }
        guard stream <= trouble.lastStream else {
            switch trouble.newStreams {
            case .ignore: trouble.passedOver.insert(stream)
            case .refuse: session.resetStream(stream, errorCode: HTTP2Session.refusedStream)
            }
            return false
        }
        return true
    }

    /// Takes note of what a fault that strikes without delay means for the streams that come with the push.
    func foresee(_ decision: FaultDecision, stream: Int32) {
        let isNow = decision.delayMilliseconds == 0
        switch decision.effect {
        case .reset, .push(.close), .push(.blackHole):
            if isNow { troubled.lastStream = 0 }
        case .push(.goAway(let moment, let form)):
            if moment == .after { lastProcessed = max(lastProcessed, stream) }
            guard isNow else { return }
            troubled.lastStream = min(troubled.lastStream, last(of: form, from: stream))
            troubled.newStreams = form.newStreams
        default: lastProcessed = max(lastProcessed, stream)
        }
    }

    /// Does to a judged push what a fault has it.
    func strike(_ effect: FaultEffect, _ answer: Answer, on session: HTTP2Session) {
        switch effect {
        case .reset: cut(isReset: true)
        case .timeout(_, let seconds):
            troubled.passedOver.insert(answer.stream)
            connection.after(milliseconds: seconds.clampedMilliseconds) { [weak self] in self?.end() }
        case .push(let effect): strike(effect, answer, on: session)
        case .delay, .connection, .status, .error, .hold, .slow, .truncate, .corrupt, .stale, .socketRefuse,
            .socketDrop, .socketMalformed, .socketRepeat, .socketWithhold, .serviceUnavailable:
            respond(answer, on: session)
        }
    }

    private func strike(_ effect: PushEffect, _ answer: Answer, on session: HTTP2Session) {
        switch effect {
        case .reject(let rejection): respond(answer, on: session, form: rejection.form)
        case .answer(let form): respond(answer, on: session, form: form)
        case .drop: respond(answer, on: session)
        case .resetStream(_, let code): session.resetStream(answer.stream, errorCode: code)
        case .settings(let limit):
            troubled.overLimit = limit.overLimit
            session.setMaximumConcurrentStreams(limit.streams, isEnforced: limit.isEnforced)
            respond(answer, on: session)
        case .goAway(let moment, let form):
            if effect.isAnswered(on: answer.stream) {
                respond(answer, on: session)
            } else {
                troubled.passedOver.insert(answer.stream)
            }
            goAway(form, from: answer.stream, isGraceful: moment == .after)
        case .close: end()
        case .blackHole(_, let seconds):
            connection.flush()
            connection.fallSilent(milliseconds: seconds.clampedMilliseconds)
        }
    }

    /// Answers in another form.
    func respond(
        _ answer: Answer,
        on session: HTTP2Session,
        status: ArraySlice<UInt8>,
        fields: [HTTP2ResponseField],
        form: AnswerForm
    ) {
        if let informational = form.informational {
            session.inform(answer.stream, status: Array(String(informational).utf8)[...])
        }
        let body = form.ending == .headers ? [] : form.body.map { Array($0.utf8) } ?? answer.reply.body
        var fields = form.id.applied(to: fields)
        if let type = form.contentType {
            fields.removeAll { $0.name.description == "content-type" }
            if !type.isEmpty {
                fields.insert(HTTP2ResponseField("content-type", Array(type.utf8)[...]), at: 0)
            }
        }
        let ending: HTTP2ResponseShape.Ending =
            switch form.ending {
            case .data, .headers: form.hasTrailers ? .trailers : .lastFrame
            case .emptyData: .emptyFrame
            case .never: .never
            }
        let shape = HTTP2ResponseShape(dataFrames: form.dataFrames, ending: ending)
        session.respond(to: answer.stream, status: status, fields: fields, body: body, shape: shape)
        guard form.ending == .never else { return }
        troubled.passedOver.insert(answer.stream)
        if let milliseconds = form.resetMilliseconds {
            connection.after(milliseconds: milliseconds) { [weak self] in
                self?.session?.resetStream(answer.stream, errorCode: HTTP2Session.internalError)
                self?.connection.outputIsReady()
            }
        }
    }

    // MARK: - Ending

    /// Ends the connection without GOAWAY, once what is ready is sent.
    private func cut(isReset: Bool) {
        guard isReset else { return end() }
        connection.flush()
        connection.reset()
    }

    private func last(of form: GoAwayForm, from stream: Int32?) -> Int32 {
        switch form.last {
        case .processed: lastProcessed
        case .max: .max
        case .lower: max(0, (stream ?? lastProcessed) - 2)
        case .stream(let number): number
        }
    }

    /// Sends GOAWAY; the connection ends then, or first answers what is open and served.
    func goAway(_ form: GoAwayForm, from stream: Int32?, isGraceful: Bool) {
        guard let session else { return }
        let trouble = troubled
        let last = last(of: form, from: stream)
        session.goAway(lastStream: last, errorCode: form.code, debugData: form.debugData)
        if form.isDouble { session.goAway(lastStream: last, errorCode: form.code, debugData: []) }
        trouble.lastStream = min(trouble.lastStream, last)
        trouble.lastAnswered = min(trouble.lastAnswered, last)
        trouble.newStreams = form.newStreams
        guard form.ending != .keepOpen else { return }
        if isGraceful {
            trouble.ending = form
        } else {
            linger(form)
        }
    }

    /// Ends the connection when a GOAWAY was sent and all that is served is answered.
    func endIfAnswered(_ session: HTTP2Session, _ trouble: ConnectionTrouble) {
        guard let form = trouble.ending, session.openRequests <= trouble.passedOver.count else { return }
        trouble.ending = nil
        linger(form)
    }

    private func linger(_ form: GoAwayForm) {
        guard form.lingerMilliseconds > 0 || form.ending == .reset else { return end() }
        connection.after(milliseconds: form.lingerMilliseconds) { [weak self] in
            self?.cut(isReset: form.ending == .reset)
        }
    }
}

extension GoAwayForm {
    fileprivate var debugData: [UInt8] {
        switch data {
        case .empty: []
        case .reason(let reason): APNsReply.body(reason: reason)
        case .text(let text): Array(text.utf8)
        }
    }
}

extension StreamLimit {
    fileprivate var isEnforced: Bool { overLimit != .allow }
}

extension AnswerForm.ID {
    /// The fields of an answer with what becomes of `apns-id`.
    fileprivate func applied(to fields: [HTTP2ResponseField]) -> [HTTP2ResponseField] {
        guard self != .same, let place = fields.firstIndex(where: { $0.name.description == "apns-id" }) else {
            return fields
        }
        var others = fields
        var value = Array(others.remove(at: place).value)
        switch self {
        case .same: break
        case .omit: return others
        case .change:
            guard let first = value.first else { return others }
            value[0] = first == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        case .swapCase:
            value = value.map { byte in
                let isLetter = (65...90).contains(byte & ~0x20)
                return isLetter ? byte ^ 0x20 : byte
            }
        }
        others.insert(HTTP2ResponseField("apns-id", value[...]), at: place)
        return others
    }
}
