import JSONValue

extension NodeServer {
    private static let categories = [
        "Education", "Entertainment", "Finance", "Games", "Miscellaneous", "Networking", "Science", "Social",
        "Utilities",
    ]

    /// The calls of a part of the node that nobody uses: there are no applications.
    ///
    /// - Source: adamant:api/http/dapps.js, modules/dapps.js
    static let dappRoutes =
        [
            Route(.get, "/api/dapps/categories") { server, _ throws(NodeRefusal) in
                let members = categories.enumerated().map { ($0.element, JSONValue.int($0.offset)) }
                return .members([("categories", .object(JSONObject(members)))], second: server.second)
            },
            Route(.get, "/api/dapps/ismasterpasswordenabled") { server, _ throws(NodeRefusal) in
                .members([("enabled", false)], second: server.second)
            },
            Route(.get, "/api/dapps/get") { _, _ throws(NodeRefusal) in
                throw NodeRefusal("Application not found")
            },
        ]
        + [
            ("", "dapps"), ("/search", "dapps"), ("/installed", "dapps"), ("/installedIds", "ids"),
            ("/installing", "installing"), ("/uninstalling", "uninstalling"), ("/launched", "launched"),
        ].map { path, name in
            Route(.get, "/api/dapps" + path) { server, _ throws(NodeRefusal) in
                .members([(name, .array([]))], second: server.second)
            }
        }
}
