import AdamantModel
import ControlServer
import JSONValue
import TraceRules

extension World {
    var traceRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/traces/{transactionId}") { [self] request throws(ControlError) in
                let text = request.parameter("transactionId")
                return .background { [self] () throws(ControlError) in
                    guard let trace = Identifier(text).flatMap({ trace(of: $0) }) else {
                        throw .notFound("nobody has posted a transaction '\(text)' to this world")
                    }
                    return .json(trace.json)
                }
            }
        ]
    }
}
