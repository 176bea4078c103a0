import AdamantModel
import ControlServer
import DashboardAssets
import SystemCryptography

extension World {
    /// The dashboard's page and its files, which tell nothing of the world and so need no token.
    var pageRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/", isOpen: true) { request throws(ControlError) in
                try DashboardFile.reply("index.html", request)
            },
            ControlRoute("GET", "/docs", isOpen: true) { request throws(ControlError) in
                try DashboardFile.reply("docs.html", request)
            },
            ControlRoute("GET", "/openapi.json", isOpen: true) { request throws(ControlError) in
                try DashboardFile.reply("openapi.json", request)
            },
            ControlRoute("GET", "/assets/{name}", isOpen: true) { request throws(ControlError) in
                try DashboardFile.reply(request.parameter("name"), request)
            },
        ]
    }
}

/// A file of the dashboard as it is served.
private struct DashboardFile: Sendable {
    let bytes: [UInt8]
    let contentType: String
    let tag: String

    /// All of them, made when the first is asked for.
    private static let all = Dictionary(
        uniqueKeysWithValues: DashboardAsset.all.map { ($0.name, DashboardFile($0)) }
    )

    private init(_ asset: DashboardAsset) {
        bytes = asset.bytes
        contentType =
            switch asset.name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            case "json": "application/json; charset=utf-8"
            case "svg": "image/svg+xml"
            default: "application/octet-stream"
            }
        tag = Hex.encode(Array(SystemCryptography().sha256(bytes).prefix(16)))
    }

    /// The file of a name, unless the caller has it already.
    static func reply(_ name: String, _ request: ControlRequest) throws(ControlError) -> ControlReply {
        guard let file = all[name] else { throw .notFound("the dashboard has no file '\(name)'") }
        guard request.ifNoneMatch?.contains(file.tag) != true else { return .notModified(tag: file.tag) }
        return .file(file.bytes, contentType: file.contentType, tag: file.tag)
    }
}
