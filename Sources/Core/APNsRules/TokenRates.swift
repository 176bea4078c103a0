import Determinism

/// A bucket for each device token, out of which every push takes one.
///
/// - Source: Apple, Handling notification responses from APNs (`TooManyRequests`; no threshold is published)
struct TokenRates: Sendable {
    /// Most tokens remembered; at the next one those go whose bucket is full again, or all.
    private static let capacity = 16_384

    private struct Bucket {
        var content: Double
        var at: Timestamp
    }

    private var buckets: [String: Bucket] = [:]

    /// Takes one for a push to a token; false when there is none left.
    mutating func take(_ token: String, now: Timestamp, settings: DeliverySettings) -> Bool {
        let burst = Double(max(1, settings.tokenRequestsBurst))
        func content(_ bucket: Bucket) -> Double {
            let milliseconds = max(0, now.milliseconds - bucket.at.milliseconds)
            return min(burst, bucket.content + Double(milliseconds) / 1000 * settings.tokenRequestsPerSecond)
        }
        if buckets[token] == nil, buckets.count >= Self.capacity {
            buckets = buckets.filter { content($0.value) < burst }
            if buckets.count >= Self.capacity { buckets.removeAll() }
        }
        let found = buckets[token].map(content) ?? burst
        let isLeft = found >= 1
        buckets[token] = Bucket(content: isLeft ? found - 1 : found, at: now)
        return isLeft
    }
}
