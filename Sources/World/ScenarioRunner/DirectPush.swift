import Determinism
import JSONValue

/// A push of a service as a step tells it: its payload and its headers.
struct DirectPush {
    let payload: JSONValue
    let headers: [(name: String, value: String)]
    let environment: String

    /// - Parameters:
    ///   - members: what the step says.
    ///   - service: what the story says of the service.
    ///   - now: the world's time, from which an expiration counts.
    init(members: JSONObject, service: JSONObject, now: Timestamp) {
        payload = members["payload"] ?? Self.alert(members)
        environment = (members["environment"] ?? service["environment"])?.stringValue ?? "production"
        let topic = (members["topic"] ?? service["topic"])?.stringValue ?? ""
        var headers: [(name: String, value: String)] = [
            ("apns-topic", topic), ("apns-push-type", members["type"]?.stringValue ?? "alert"),
        ]
        if let priority = members["priority"]?.intValue {
            headers.append(("apns-priority", String(priority)))
        }
        if let collapse = members["collapse"]?.stringValue { headers.append(("apns-collapse-id", collapse)) }
        if let expiration = members["expiration"] {
            let seconds =
                expiration.intValue.map { now.adding(milliseconds: $0).unixMilliseconds / 1000 } ?? 0
            headers.append(("apns-expiration", String(seconds)))
        }
        self.headers = headers
    }

    private static func alert(_ members: JSONObject) -> JSONValue {
        var alert = JSONObject()
        alert["title"] = members["title"]
        alert["body"] = members["body"]
        var aps = JSONObject([("alert", .object(alert))])
        aps["interruption-level"] = members["level"]
        if members["level"] == "critical" { aps["sound"] = ["critical": 1, "name": "default", "volume": 1] }
        return ["aps": .object(aps)]
    }
}
