import JSONValue

/// What an event of a device says, as a sentence without its subject.
struct DeviceSentence {
    let kind: String
    let event: JSONValue
    let data: JSONValue

    /// The sentence; nil for events that only matter to programs.
    var text: String? {
        let reason = data["reason"]?.stringValue ?? ""
        let action = data["action"]?.stringValue ?? "signal"
        switch kind {
        case "device.launched": return "is launched"
        case "device.killed": return "is killed"
        case "device.signed-in": return "is signed in"
        case "device.sign-in-failed": return "cannot sign in: \(reason)"
        case "device.signed-out": return "is signed out"
        case "device.registration-skipped": return "does not register: \(reason)"
        case "device.signal-accepted": return "had its \(action) accepted"
        case "device.signal-failed":
            let isQueued = data["queued"]?.boolValue == true
            return "\(action) failed (\(reason)), " + (isQueued ? "kept for another try" : "forgotten")
        case "device.signal-dropped": return "drops its kept \(action): \(reason)"
        case "device.push-received": return "receives a push"
        case "device.push-discarded": return "discards a push: \(reason)"
        case "device.text-unavailable": return "has no text: \(reason)"
        case "device.transaction-fetched": return "fetches the transaction from a node"
        case "device.banner-shown":
            return "shows “\(data["title"]?.stringValue ?? ""): \(data["body"]?.stringValue ?? "")”"
        default: return nil
        }
    }
}
